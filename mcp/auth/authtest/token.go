package authtest

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// authenticate finds out which client it is, and refuses what is not allowed.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request) (id string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refuse := func(why string) (string, bool) {
		oauthError(w, http.StatusUnauthorized, "invalid_client", why)
		return "", false
	}
	if r.ParseForm() != nil {
		return refuse("no form")
	}
	method, given := "none", ""
	id = r.PostForm.Get("client_id")
	if user, password, basic := r.BasicAuth(); basic {
		method = "client_secret_basic"
		id, _ = url.QueryUnescape(user)
		given, _ = url.QueryUnescape(password)
	} else if r.PostForm.Has("client_secret") {
		method, given = "client_secret_post", r.PostForm.Get("client_secret")
	} else if assertion := r.PostForm.Get("client_assertion"); assertion != "" {
		return s.clientAssertion(assertion, refuse)
	}
	c, known := s.clients[id]
	want := c.Method
	if want == "" {
		want = "client_secret_basic"
	}
	switch {
	case strings.HasPrefix(id, "https://") && method == "none":
		return id, true
	case id == "" && r.PostForm.Get("grant_type") == grantJWTBearer:
		return "", true
	case !known:
		return refuse("unknown client")
	case method != want || given != c.Secret:
		return refuse("wrong secret, or shown in the wrong way: " + method)
	}
	return id, true
}

func (s *Server) clientAssertion(assertion string, refuse func(string) (string, bool)) (string, bool) {
	parsed, err := jwt.ParseSigned(assertion, []jose.SignatureAlgorithm{jose.ES256, jose.RS256, jose.PS256, jose.EdDSA})
	if err != nil {
		return refuse("no JWT")
	}
	var claims jwt.Claims
	if parsed.UnsafeClaimsWithoutVerification(&claims) != nil {
		return refuse("no claims")
	}
	c, known := s.clients[claims.Subject]
	switch {
	case !known || c.Key == nil || parsed.Claims(c.Key, &claims) != nil:
		return refuse("wrong signature")
	case claims.Issuer != claims.Subject || s.proofs[claims.ID] || claims.ID == "":
		return refuse("wrong issuer, or used before")
	case claims.Validate(jwt.Expected{AnyAudience: jwt.Audience{s.Issuer}, Time: s.config.Now()}) != nil:
		return refuse("wrong audience or time")
	}
	s.proofs[claims.ID] = true
	return claims.Subject, true
}

const (
	grantJWTBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	grantExchange  = "urn:ietf:params:oauth:grant-type:token-exchange"
	grantDevice    = "urn:ietf:params:oauth:grant-type:device_code"
)

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	id, ok := s.authenticate(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	form := r.PostForm
	jkt := ""
	if r.Header.Get("DPoP") != "" || s.config.DPoP {
		nonce := ""
		if s.config.DPoPNonce {
			nonce = nonceAS
			w.Header().Set("DPoP-Nonce", nonce)
		}
		var problem string
		if jkt, problem = s.proof(r, s.Issuer+"/token", "", nonce); problem != "" {
			code := "invalid_dpop_proof"
			if problem == "use_dpop_nonce" {
				code = problem
			}
			oauthError(w, http.StatusBadRequest, code, problem)
			return
		}
	}
	if form.Get("resource") != s.URL {
		oauthError(w, http.StatusBadRequest, "invalid_target", "the resource is "+form.Get("resource"))
		return
	}
	g := &grant{client: id, scopes: strings.Fields(form.Get("scope")), resource: s.URL, jkt: jkt}
	code := ""
	switch grantType := form.Get("grant_type"); grantType {
	case "authorization_code":
		s.events = append(s.events, "code")
		code = s.redeem(form, id, jkt, &g)
	case "refresh_token":
		code = s.renew(form, id, jkt, &g)
	case grantDevice:
		code = s.poll(form, id, &g)
	case "client_credentials":
		s.events = append(s.events, grantType)
	case grantJWTBearer:
		s.events = append(s.events, "jwt-bearer")
		if a := form.Get("assertion"); a != s.config.Assertion && (a != s.config.IdentityJAG || id == "") {
			code = "invalid_grant"
		}
	case grantExchange:
		s.exchange(w, form)
		return
	default:
		code = "unsupported_grant_type"
	}
	if code != "" {
		oauthError(w, http.StatusBadRequest, code, "")
		return
	}
	s.issue(w, g, form.Get("grant_type"))
}

func (s *Server) redeem(form url.Values, id, jkt string, g **grant) string {
	c := s.codes[form.Get("code")]
	delete(s.codes, form.Get("code"))
	if c == nil || c.client != id || c.redirect != form.Get("redirect_uri") || c.challenge != s256(form.Get("code_verifier")) || c.jkt != jkt {
		return "invalid_grant"
	}
	*g = c
	return ""
}

// renew rotates refresh tokens, and takes the use of an old one for a theft.
func (s *Server) renew(form url.Values, id, jkt string, g **grant) string {
	token := form.Get("refresh_token")
	if old := s.used[token]; old != nil {
		s.events = append(s.events, "refused")
		old.family.revoked = true
		return "invalid_grant"
	}
	c := s.refresh[token]
	if c == nil || c.client != id || c.family.revoked || c.jkt != jkt {
		return "invalid_grant"
	}
	delete(s.refresh, token)
	s.used[token] = c
	s.events = append(s.events, "refresh")
	next := *c
	*g = &next
	return ""
}

func (s *Server) poll(form url.Values, id string, g **grant) string {
	d := s.devices[form.Get("device_code")]
	if d == nil || d.client != id {
		return "invalid_grant"
	}
	if d.asked++; d.asked <= s.config.Approvals {
		return "authorization_pending"
	}
	delete(s.devices, form.Get("device_code"))
	d.jkt = (*g).jkt
	*g = d
	return ""
}

func (s *Server) exchange(w http.ResponseWriter, form url.Values) {
	s.events = append(s.events, "exchange")
	if form.Get("requested_token_type") != "urn:ietf:params:oauth:token-type:id-jag" || form.Get("audience") != s.Issuer ||
		form.Get("subject_token_type") != "urn:ietf:params:oauth:token-type:id_token" || form.Get("subject_token") == "" {
		oauthError(w, http.StatusBadRequest, "invalid_request", "no exchange for an id-jag")
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"access_token": s.config.IdentityJAG, "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag", "token_type": "N_A", "expires_in": 60,
	})
}

func (s *Server) issue(w http.ResponseWriter, g *grant, grantType string) {
	if g.family == nil {
		g.family = new(family)
	}
	access := "access-" + secret()
	g.expires = s.config.Now().Add(s.config.TokenLife)
	kept := *g
	s.tokens[access] = &kept
	answer := map[string]any{
		"access_token": access, "token_type": "Bearer", "expires_in": int(s.config.TokenLife / time.Second), "scope": strings.Join(g.scopes, " "),
	}
	if g.jkt != "" {
		answer["token_type"] = "DPoP"
	}
	if person := grantType == "authorization_code" || grantType == "refresh_token" || grantType == grantDevice; person && !s.config.NoRefresh {
		refresh := "refresh-" + secret()
		again := *g
		s.refresh[refresh] = &again
		answer["refresh_token"] = refresh
	}
	if s.config.Token != nil {
		s.config.Token(answer)
	}
	writeJSON(w, http.StatusOK, maps.Clone(answer))
}
