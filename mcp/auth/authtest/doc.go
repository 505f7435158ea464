// Package authtest is a protected MCP server and its authorization server, for
// tests: strict about what clients send, self-approving, and able to break each
// rule that a client has to watch over.
package authtest

import (
	"crypto"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Config says how a Server behaves. The zero value is one that does everything
// right.
type Config struct {
	// Handler is what is protected; nil answers every request with {}.
	Handler http.Handler

	ChallengeScope string   // scope of the 401 challenge
	Scopes         []string // scopes_supported of the resource
	CallScope      string   // scope that tools/call needs beyond the others
	TokenLife      time.Duration
	NoRefresh      bool // no refresh tokens are issued
	NoHint         bool // the challenge names no metadata
	NoResource     bool // there is no metadata of the resource: 2025-03-26

	DPoP      bool // tokens must be bound
	DPoPNonce bool // and proofs must have our nonce

	Clients     map[string]Client // known beforehand
	AuthMethods []string          // token_endpoint_auth_methods_supported
	Approvals   int               // how often a device has to ask before it is approved
	Assertion   string            // the only JWT that the jwt-bearer grant takes
	IdentityJAG string            // what the token exchange gives out

	LocalhostOnly bool // no redirect to 127.0.0.1 is registered

	// Each may change what is sent before it is.
	Resource func(map[string]any) // metadata of the resource
	Metadata func(map[string]any) // metadata of the authorization server
	Answer   func(url.Values)     // the parameters that a login comes back with
	Token    func(map[string]any) // the answer of the token endpoint
	Device   func(map[string]any) // that of the device authorization endpoint

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Client is one that the authorization server knows.
type Client struct {
	Secret string
	Key    crypto.PublicKey
	Method string // of authentication; empty means client_secret_basic
}

// Server is a protected MCP server with its authorization server, each an origin
// of its own.
type Server struct {
	URL    string // of the MCP server
	Issuer string

	config Config
	mcp    *httptest.Server
	as     *httptest.Server

	mu       sync.Mutex
	events   []string
	clients  map[string]Client
	codes    map[string]*grant
	tokens   map[string]*grant
	refresh  map[string]*grant
	used     map[string]*grant // refresh tokens that were good once
	devices  map[string]*grant
	proofs   map[string]bool // jti of DPoP proofs and assertions
	redirect map[string][]string
}

// grant is what was allowed to whom.
type grant struct {
	client    string
	scopes    []string
	resource  string
	redirect  string
	challenge string
	jkt       string
	asked     int
	expires   time.Time
	family    *family
}

type family struct{ revoked bool }

// Start starts the two servers; Close ends them.
func Start(config Config) *Server {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.TokenLife == 0 {
		config.TokenLife = time.Hour
	}
	if config.AuthMethods == nil {
		config.AuthMethods = []string{"none", "client_secret_basic", "client_secret_post", "private_key_jwt"}
	}
	if config.Handler == nil {
		config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{}`))
		})
	}
	s := &Server{
		config: config, clients: map[string]Client{}, codes: map[string]*grant{}, tokens: map[string]*grant{},
		refresh: map[string]*grant{}, used: map[string]*grant{}, devices: map[string]*grant{}, proofs: map[string]bool{},
		redirect: map[string][]string{},
	}
	for id, c := range config.Clients {
		s.clients[id] = c
	}
	s.mcp = httptest.NewServer(http.HandlerFunc(s.serveMCP))
	s.as = httptest.NewServer(http.HandlerFunc(s.serveAS))
	s.URL, s.Issuer = s.mcp.URL+"/mcp", s.as.URL
	if config.NoResource {
		s.Issuer = s.mcp.URL
	}
	return s
}

// Close ends the servers.
func (s *Server) Close() {
	s.mcp.Close()
	s.as.Close()
}

func (s *Server) event(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, name)
}

// Count tells how often something happened: "register", "authorize", "code",
// "refresh", "refused" (a refresh token that was used twice), "revoke", and
// the names of the other grants.
func (s *Server) Count(event string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.events {
		if e == event {
			n++
		}
	}
	return n
}

// Events tells what happened, in order.
func (s *Server) Events() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.events, " ")
}

// ExpireAll ends all access tokens, without the clients knowing.
func (s *Server) ExpireAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// ForgetAll ends all refresh tokens as well.
func (s *Server) ForgetAll() {
	s.ExpireAll()
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.refresh)
	clear(s.used)
}
