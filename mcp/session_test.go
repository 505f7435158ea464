package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forgetful is a stateful HTTP server whose sessions can be lost.
type forgetful struct {
	*httpServer
	mu       sync.Mutex
	sessions int
	valid    string
	refuses  bool // to open another
}

func (f *forgetful) lose() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.valid = ""
}

func newForgetful(t *testing.T) *forgetful {
	f := &forgetful{}
	f.httpServer = newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		f.mu.Lock()
		defer f.mu.Unlock()
		id := p.header.Get("Mcp-Session-Id")
		switch {
		case p.Method == methodDiscover:
			jsonBody(w, http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}`)
		case p.Method == methodInitialize:
			if id != "" || p.header.Get(versionHeader) != "" {
				t.Errorf("initialize with the headers of a session: %v", p.header)
			}
			if f.refuses && f.sessions > 0 {
				jsonBody(w, http.StatusServiceUnavailable, `{}`)
				return
			}
			f.sessions++
			f.valid = fmt.Sprintf("s%d", f.sessions)
			w.Header().Set("Mcp-Session-Id", f.valid)
			result(w, p, initialized)
		case id != f.valid:
			// The body is that of the TypeScript SDK.
			jsonBody(w, http.StatusNotFound, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
		case p.header.Get(versionHeader) != Version20250618:
			jsonBody(w, http.StatusBadRequest, `{}`)
		default:
			result(w, p, `{"content":[]}`)
		}
	})
	return f
}

// A session that the server has lost is opened anew, log level and all, and the
// request made again.
func TestSessionLost(t *testing.T) {
	s := newForgetful(t)
	c, err := s.connect(t, Options{LogLevel: "info"})
	if err != nil {
		t.Fatal(err)
	}
	s.lose()
	if _, err := c.CallTool(context.Background(), &Call{Name: "t"}); err != nil {
		t.Error(err)
	}
	opened := []string{"initialize", "notifications/initialized", "logging/setLevel"}
	want := append([]string{"server/discover"}, opened...)
	want = append(append(append(want, "tools/call"), opened...), "tools/call")
	if diff := cmp.Diff(want, s.names()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// Many calls find the session lost at the same time: one of them opens another.
func TestSessionLostByMany(t *testing.T) {
	s := newForgetful(t)
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.lose()
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if _, err := c.CallTool(context.Background(), &Call{Name: "t"}); err != nil {
				t.Error(err)
			}
			if v := c.Info().ProtocolVersion; v != Version20250618 {
				t.Errorf("version %s", v)
			}
		})
	}
	calls.Wait()
	if s.sessions != 2 {
		t.Errorf("%d sessions, want 2", s.sessions)
	}
}

// A server that opens no other session: that is the error, and the client
// still knows what the server was.
func TestSessionLostForGood(t *testing.T) {
	s := newForgetful(t)
	s.refuses = true
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.lose()
	_, err = c.CallTool(context.Background(), &Call{Name: "t"})
	var failed *HandshakeError
	if !errors.As(err, &failed) || failed.Method != methodInitialize || c.Info().ProtocolVersion != Version20250618 {
		t.Errorf("got %T: %v", err, err)
	}
}
