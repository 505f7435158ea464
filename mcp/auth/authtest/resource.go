package authtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

// serveMCP is the protected server.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	if s.control(w, r) {
		return
	}
	switch {
	case s.config.NoResource && r.URL.Path != "/mcp":
		s.serveAS(w, r)
		return
	case r.URL.Path == wellKnown+"/mcp":
		s.event("resource-metadata")
		meta := map[string]any{"resource": s.URL, "authorization_servers": []string{s.Issuer}}
		if s.config.Scopes != nil {
			meta["scopes_supported"] = s.config.Scopes
		}
		if s.config.DPoP {
			meta["dpop_bound_access_tokens_required"] = true
		}
		if s.config.Resource != nil {
			s.config.Resource(meta)
		}
		writeJSON(w, http.StatusOK, meta)
		return
	case r.URL.Path != "/mcp":
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "cannot read", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	refused := s.judge(w, r, body)
	s.mu.Unlock()
	if !refused {
		s.config.Handler.ServeHTTP(w, r)
	}
}

// judge answers requests that are not authorized.
func (s *Server) judge(w http.ResponseWriter, r *http.Request, body []byte) (refused bool) {
	challenge := func(status int, scheme string, params ...string) bool {
		if !s.config.NoHint && !s.config.NoResource {
			params = append(params, `resource_metadata="`+s.mcp.URL+`/.well-known/oauth-protected-resource/mcp"`)
		}
		w.Header().Set("WWW-Authenticate", strings.TrimSpace(scheme+" "+strings.Join(params, ", ")))
		w.WriteHeader(status)
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want := "Bearer"
	if s.config.DPoP {
		want = "DPoP"
	}
	var params []string
	if s.config.ChallengeScope != "" {
		params = append(params, `scope="`+s.config.ChallengeScope+`"`)
	}
	g := s.tokens[token]
	if g == nil || scheme != want || g.resource != s.URL || g.family.revoked || s.config.Now().After(g.expires) {
		if token != "" {
			params = append(params, `error="invalid_token"`)
		}
		return challenge(http.StatusUnauthorized, want, params...)
	}
	if s.config.DPoP {
		if s.config.DPoPNonce {
			w.Header().Set("DPoP-Nonce", nonceMCP)
		}
		nonce := ""
		if s.config.DPoPNonce {
			nonce = nonceMCP
		}
		switch jkt, problem := s.proof(r, s.mcp.URL+r.URL.Path, token, nonce); {
		case problem == "use_dpop_nonce":
			return challenge(http.StatusUnauthorized, want, `error="use_dpop_nonce"`)
		case problem != "" || jkt != g.jkt:
			return challenge(http.StatusUnauthorized, want, `error="invalid_token"`, `error_description="`+problem+`"`)
		}
	}
	var message struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(body, &message) // other requests have no method
	if need := s.config.CallScope; need != "" && message.Method == "tools/call" && !slices.Contains(g.scopes, need) {
		return challenge(http.StatusForbidden, want, `error="insufficient_scope"`, `scope="`+need+`"`)
	}
	return false
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func oauthError(w http.ResponseWriter, status int, code, description string) {
	writeJSON(w, status, map[string]string{"error": code, "error_description": description})
}
