package authtest

import (
	"crypto"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// proof checks the DPoP proof of a request (RFC 9449, section 4.3) and gives
// the thumbprint of its key, or what is wrong.
func (s *Server) proof(r *http.Request, target, token, nonce string) (jkt, problem string) {
	all := r.Header.Values("DPoP")
	if len(all) != 1 {
		return "", "not one proof"
	}
	parsed, err := jwt.ParseSigned(all[0], []jose.SignatureAlgorithm{jose.ES256, jose.EdDSA})
	if err != nil || len(parsed.Headers) != 1 {
		return "", "no JWT"
	}
	head := parsed.Headers[0]
	key := head.JSONWebKey
	if head.ExtraHeaders["typ"] != "dpop+jwt" || key == nil || !key.IsPublic() {
		return "", "wrong header"
	}
	var claims struct {
		ID     string `json:"jti"`
		Method string `json:"htm"`
		URL    string `json:"htu"`
		Time   int64  `json:"iat"`
		Nonce  string `json:"nonce"`
		Token  string `json:"ath"`
	}
	if parsed.Claims(key.Key, &claims) != nil {
		return "", "wrong signature"
	}
	ath := ""
	if token != "" {
		ath = s256(token)
	}
	age := s.config.Now().Sub(time.Unix(claims.Time, 0)).Abs()
	switch {
	case claims.ID == "" || s.proofs[claims.ID]:
		return "", "used before"
	case claims.Method != r.Method || claims.URL != target:
		return "", "of another request"
	case claims.Token != ath:
		return "", "for another token"
	case age > time.Minute:
		return "", "too old"
	case claims.Nonce != nonce:
		return "", "use_dpop_nonce"
	}
	s.proofs[claims.ID] = true
	sum, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", "no thumbprint"
	}
	return base64.RawURLEncoding.EncodeToString(sum), ""
}
