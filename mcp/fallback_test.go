package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"mcpq/mcp/transport"
)

// oldServer has the HTTP+SSE transport at its URL, unless stream is set, and
// answers POSTs there with refuse.
type oldServer struct {
	*httptest.Server
	refuse, stream http.HandlerFunc

	mu   sync.Mutex
	seen []string // method and path, and the JSON-RPC method of what was posted
}

func newOldServer(t *testing.T, refuse, stream http.HandlerFunc) *oldServer {
	t.Helper()
	s := &oldServer{refuse: refuse, stream: stream}
	events := make(chan string, 10)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m sent
		_ = json.Unmarshal(body, &m)
		s.mu.Lock()
		s.seen = append(s.seen, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+m.Method))
		s.mu.Unlock()
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/post":
			w.WriteHeader(http.StatusAccepted)
			if m.ID != nil {
				result := `{}`
				if m.Method == methodInitialize {
					result = `{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"old","version":"1"}}`
				}
				events <- fmt.Sprintf("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", m.ID, result)
			}
		case r.Method == http.MethodPost:
			s.refuse(w, r)
		case s.stream != nil:
			s.stream(w, r)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: endpoint\ndata: /post\n\n")
			for {
				w.(http.Flusher).Flush()
				select {
				case e := <-events:
					_, _ = io.WriteString(w, e)
				case <-r.Context().Done():
					return
				}
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *oldServer) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.seen, ", ")
}

func (s *oldServer) connect(t *testing.T, o Options) (*Client, error) {
	t.Helper()
	o.Fallback = transport.SSE{URL: s.URL + "/sse"}
	return Connect(t.Context(), transport.HTTP{URL: s.URL + "/sse"}, o)
}

func page(code int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func TestFallback(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		code       int
		want       bool
	}{
		{"not found", "no", 404, true},
		{"not allowed", "", 405, true},
		{"bad request", "sessionid must be provided", 400, true},
		{"another 4xx", "", 415, true},
		{"JSON-RPC error with 404", `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}`, 404, true},
		{"JSON-RPC error with 405", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`, 405, true},
		{"JSON-RPC error with 400", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Unsupported protocol version"}}`, 400, false},
		{"error of the stateless era", `{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}}`, 404, false},
		{"unauthorized", "", 401, false},
		{"forbidden", "", 403, false},
		{"too many", "", 429, false},
		{"broken", "", 500, false},
		{"away", "", 503, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kind := "text/plain"
			if strings.HasPrefix(tt.body, "{") {
				kind = "application/json"
			}
			s := newOldServer(t, page(tt.code, kind, tt.body), nil)
			c, err := s.connect(t, Options{})
			if fell := strings.Contains(s.requests(), "GET"); fell != tt.want {
				t.Errorf("fell back: %t, want %t (%v)", fell, tt.want, err)
			}
			if !tt.want {
				if err == nil {
					t.Error("no error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close(context.Background()) }()
			if i := c.Info(); i.Transport != "sse" || i.ProtocolVersion != Version20241105 {
				t.Errorf("%s, %s", i.Transport, i.ProtocolVersion)
			}
			if err := c.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			// No probe on a transport that is older than what it asks for.
			const want = "POST /sse server/discover, POST /sse initialize, GET /sse, POST /post initialize, POST /post notifications/initialized, POST /post ping"
			if got := s.requests(); got != want {
				t.Errorf("requests were %s\nwant %s", got, want)
			}
		})
	}
}

// A fall-back in vain tells of both tries.
func TestFallbackInVain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stream http.HandlerFunc
		want   string
	}{
		{"nothing there", page(404, "text/plain", "no such page"), `initialize failed: HTTP 404 Not Found: "gone fishing"; and over HTTP+SSE: `},
		{"a stream of the newer transport", page(200, "text/event-stream", ": hello\n\n"), "ended without an endpoint event"},
		{"credentials wanted", page(401, "text/plain", ""), "HTTP 401"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newOldServer(t, page(404, "text/plain", "gone fishing"), tt.stream)
			_, err := s.connect(t, Options{})
			var both *FallbackError
			var first *HandshakeError
			var second *transport.ConnectError
			if !errors.As(err, &both) || !errors.As(err, &first) || !errors.As(err, &second) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// A pinned version goes with the fall-back, and the stateless one has none.
func TestFallbackPinned(t *testing.T) {
	s := newOldServer(t, page(405, "text/plain", ""), nil)
	c, err := s.connect(t, Options{Version: Version20241105})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close(context.Background())
	if _, err := s.connect(t, Options{Version: Version20250618}); !strings.Contains(fmt.Sprint(err), "and over HTTP+SSE: no common protocol version") {
		t.Errorf("got %v", err)
	}
	before := s.requests()
	if _, err := s.connect(t, Options{Version: Version20260728}); err == nil || s.requests() != before+", POST /sse server/discover" {
		t.Errorf("got %v, requests %s", err, s.requests())
	}
}

// The transport can be asked for as such.
func TestSSEAlone(t *testing.T) {
	s := newOldServer(t, nil, nil)
	c, err := Connect(t.Context(), transport.SSE{URL: s.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close(context.Background())
	if got, want := s.requests(), "GET /, POST /post initialize, POST /post notifications/initialized"; got != want {
		t.Errorf("requests were %s, want %s", got, want)
	}
}
