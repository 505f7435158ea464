package auth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// nonces are the latest that servers gave, by origin. The zero value is ready
// for use.
type nonces struct {
	mu  sync.Mutex
	all map[string]string
}

func (n *nonces) get(origin string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[origin]
}

func (n *nonces) set(origin, nonce string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = make(map[string]string)
	}
	n.all[origin] = nonce
}

// prover adds a proof of possession to requests (RFC 9449), and repeats those
// that a server wants with a nonce of its own.
type prover struct {
	base   http.RoundTripper
	key    *jose.JSONWebKey
	nonces *nonces
	token  string // the access token that goes with the requests, if any
	now    func() time.Time
}

// RoundTrip sends the request with a proof, each time with a new one.
func (p *prover) RoundTrip(req *http.Request) (*http.Response, error) {
	for again := false; ; again = true {
		at := origin(req.URL)
		nonce := p.nonces.get(at)
		out := req.Clone(req.Context())
		if again && req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			out.Body = body
		}
		proof, err := p.proof(req.Method, req.URL, nonce)
		if err != nil {
			closeBody(out)
			return nil, err
		}
		out.Header.Set("DPoP", proof)
		resp, err := p.base.RoundTrip(out)
		if err != nil {
			return nil, err
		}
		given := resp.Header.Get("DPoP-Nonce")
		if given != "" {
			p.nonces.set(at, given)
		}
		if again || given == "" || given == nonce || !repeatable(req) || !wantsNonce(resp) {
			return resp, nil
		}
		drain(resp)
	}
}

// wantsNonce reports whether a refusal is about the nonce alone.
func wantsNonce(resp *http.Response) bool {
	const code = "use_dpop_nonce"
	if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusBadRequest {
		return false
	}
	if has(ParseChallenges(resp.Header.Values("WWW-Authenticate")), code) {
		return true
	}
	head, err := io.ReadAll(io.LimitReader(resp.Body, maxDrained))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	var refusal struct {
		Error string `json:"error"`
	}
	return err == nil && json.Unmarshal(head, &refusal) == nil && refusal.Error == code
}

// proof is a JWT for one request.
func (p *prover) proof(method string, u *url.URL, nonce string) (string, error) {
	target := *u
	target.RawQuery, target.Fragment, target.User, target.ForceQuery = "", "", nil, false
	claims := map[string]any{"jti": random(), "htm": method, "htu": target.String(), "iat": p.now().Unix()}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	if p.token != "" {
		sum := sha256.Sum256([]byte(p.token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	options := (&jose.SignerOptions{EmbedJWK: true}).WithType("dpop+jwt")
	return signJWT(jose.SignatureAlgorithm(p.key.Algorithm), p.key, options, claims)
}

// dpopKey is the key for a new token: that of the token it replaces, or one of
// a kind that the authorization server takes.
func (t *Transport) dpopKey(p *place) (json.RawMessage, error) {
	if now := t.current.Load(); now != nil && now.DPoPKey != nil && now.Issuer == p.server.Issuer {
		return now.DPoPKey, nil
	}
	supported := p.server.DPoPAlgorithms
	key := jose.JSONWebKey{}
	switch {
	case len(supported) == 0 || slices.Contains(supported, string(jose.ES256)):
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		key.Key, key.Algorithm = k, string(jose.ES256)
	case slices.Contains(supported, string(jose.EdDSA)):
		_, k, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		key.Key, key.Algorithm = k, string(jose.EdDSA)
	default:
		return nil, &MetadataError{URL: p.server.Issuer, Reason: "it takes DPoP proofs neither with ES256 nor with EdDSA"}
	}
	return key.MarshalJSON()
}

func parseDPoPKey(data json.RawMessage) (*jose.JSONWebKey, error) {
	key := new(jose.JSONWebKey)
	if err := key.UnmarshalJSON(data); err != nil || key.IsPublic() || key.Algorithm == "" {
		return nil, errors.New("the key that the token is bound to is lost")
	}
	return key, nil
}

// thumbprint is how a key is named to an authorization endpoint.
func thumbprint(data json.RawMessage) (string, error) {
	key, err := parseDPoPKey(data)
	if err != nil {
		return "", err
	}
	sum, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(sum), nil
}
