package authtest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	nonceAS  = "nonce-of-the-authorization-server"
	nonceMCP = "nonce-of-the-mcp-server"
)

// serveAS is the authorization server.
func (s *Server) serveAS(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		s.event("metadata")
		writeJSON(w, http.StatusOK, s.metadata())
	case "/register":
		s.register(w, r)
	case "/authorize":
		s.authorize(w, r)
	case "/device":
		s.device(w, r)
	case "/token":
		s.token(w, r)
	case "/revoke":
		s.revoke(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) metadata() map[string]any {
	meta := map[string]any{
		"issuer":                                         s.Issuer,
		"authorization_endpoint":                         s.Issuer + "/authorize",
		"token_endpoint":                                 s.Issuer + "/token",
		"registration_endpoint":                          s.Issuer + "/register",
		"revocation_endpoint":                            s.Issuer + "/revoke",
		"device_authorization_endpoint":                  s.Issuer + "/device",
		"response_types_supported":                       []string{"code"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          s.config.AuthMethods,
		"authorization_response_iss_parameter_supported": true,
	}
	if s.config.Metadata != nil {
		s.config.Metadata(meta)
	}
	return meta
}

func secret() string {
	b := make([]byte, 18)
	_, _ = rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var req struct {
		RedirectURIs    []string `json:"redirect_uris"`
		ApplicationType string   `json:"application_type"`
		Method          string   `json:"token_endpoint_auth_method"`
		GrantTypes      []string `json:"grant_types"`
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil || req.ApplicationType != "native" || !slices.Contains(req.GrantTypes, "refresh_token") {
		oauthError(w, http.StatusBadRequest, "invalid_client_metadata", "not that of a native application")
		return
	}
	if s.config.LocalhostOnly && !strings.HasPrefix(strings.Join(req.RedirectURIs, " "), "http://localhost:") {
		oauthError(w, http.StatusBadRequest, "invalid_redirect_uri", "only localhost")
		return
	}
	s.event("register")
	s.mu.Lock()
	defer s.mu.Unlock()
	id, c := "client-"+secret(), Client{Method: req.Method}
	answer := map[string]any{"client_id": id, "redirect_uris": req.RedirectURIs, "token_endpoint_auth_method": req.Method}
	if req.Method != "none" {
		c.Secret = "secret-" + secret()
		answer["client_secret"] = c.Secret
	}
	s.clients[id], s.redirect[id] = c, req.RedirectURIs
	writeJSON(w, http.StatusCreated, answer)
}

// authorize approves at once.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.event("authorize")
	s.mu.Lock()
	defer s.mu.Unlock()
	id := q.Get("client_id")
	_, known := s.clients[id]
	known = known || strings.HasPrefix(id, "https://")
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || !known || s.redirect[id] != nil && !slices.Contains(s.redirect[id], back.String()) {
		http.Error(w, "unknown client or redirect", http.StatusBadRequest)
		return
	}
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") != s.URL || q.Get("state") == "" {
		http.Error(w, "incomplete request", http.StatusBadRequest)
		return
	}
	code := "code-" + secret()
	s.codes[code] = &grant{
		client: id, scopes: strings.Fields(q.Get("scope")), resource: s.URL, redirect: back.String(),
		challenge: q.Get("code_challenge"), jkt: q.Get("dpop_jkt"),
	}
	answer := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {s.Issuer}}
	if s.config.Answer != nil {
		s.config.Answer(answer)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (s *Server) device(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.PostForm.Get("resource") != s.URL {
		oauthError(w, http.StatusBadRequest, "invalid_target", "no resource")
		return
	}
	s.event("device")
	s.mu.Lock()
	defer s.mu.Unlock()
	code := "device-" + secret()
	s.devices[code] = &grant{client: r.PostForm.Get("client_id"), scopes: strings.Fields(r.PostForm.Get("scope")), resource: s.URL}
	answer := map[string]any{
		"device_code": code, "user_code": "ABCD-EFGH", "verification_uri": s.Issuer + "/activate", "expires_in": 60, "interval": 1,
	}
	if s.config.Device != nil {
		s.config.Device(answer)
	}
	writeJSON(w, http.StatusOK, answer)
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.authenticate(w, r); !ok {
		return
	}
	s.event("revoke")
	s.mu.Lock()
	defer s.mu.Unlock()
	token := r.PostForm.Get("token")
	for _, all := range []map[string]*grant{s.tokens, s.refresh} {
		if g := all[token]; g != nil {
			g.family.revoked = true
			delete(all, token)
		}
	}
	w.WriteHeader(http.StatusOK)
}

func s256(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
