package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// visitServer wants a visit to a web page before the tool works. What it does
// with GET says whether it tells of the end of the visit.
func visitServer(t *testing.T, refused chan<- struct{}, get func(w http.ResponseWriter, visited *atomic.Bool)) *httpServer {
	visited := new(atomic.Bool)
	return newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		switch {
		case p.verb == http.MethodGet:
			get(w, visited)
		case p.Method == methodDiscover:
			w.WriteHeader(http.StatusBadRequest)
		case p.Method == methodInitialize:
			result(w, p, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
		case visited.Load():
			result(w, p, `{"content":[]}`)
		default:
			refused <- struct{}{}
			jsonBody(w, http.StatusOK, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"Visit required",`+
				`"data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://example.com","message":"m"}]}}}`, p.ID)
		}
	})
}

func callVisiting(t *testing.T, s *httpServer) error {
	t.Helper()
	c, err := s.connect(t, Options{Timeout: time.Minute, Handlers: Handlers{
		ElicitURL: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"action":"accept"}`), nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.CallTool(context.Background(), &Call{Name: "x"})
	return err
}

// Over HTTP the word that a visit is done comes on the standing stream, which
// is open from the beginning.
func TestVisitTold(t *testing.T) {
	refused := make(chan struct{}, 2)
	s := visitServer(t, refused, func(w http.ResponseWriter, visited *atomic.Bool) {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		<-refused
		<-refused
		visited.Store(true)
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`+"\n\n")
	})
	if err := callVisiting(t, s); err != nil {
		t.Error(err)
	}
	want := []string{"server/discover", "initialize", "notifications/initialized", "GET", "tools/call", "tools/call", "tools/call"}
	if diff := cmp.Diff(want, s.names()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// Where there is no such stream nothing is waited for.
func TestVisitNotTold(t *testing.T) {
	refused := make(chan struct{}, 2)
	s := visitServer(t, refused, func(w http.ResponseWriter, _ *atomic.Bool) { w.WriteHeader(http.StatusMethodNotAllowed) })
	err := callVisiting(t, s)
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Err.Code != codeURLRequired {
		t.Errorf("got %v", err)
	}
}

// Ids that nobody waits for leave nothing behind.
func TestConsents(t *testing.T) {
	var c consents
	complete := func(id string) { c.completed(json.RawMessage(`{"elicitationId":"` + id + `"}`)) }
	complete("a")
	c.expect([]string{"a", "b"}, 1)
	complete("a")
	complete("a")
	complete("c")
	c.completed(json.RawMessage(`[]`))
	ended, stop := context.WithCancel(context.Background())
	stop()
	if c.wait(ended, []string{"a", "b"}) {
		t.Error("b is taken for done")
	}
	complete("b")
	if !c.wait(context.Background(), []string{"a", "b"}) {
		t.Error("not done")
	}
	c.expect([]string{"a", "b"}, -1)
	if len(c.waiting) != 0 || len(c.done) != 0 {
		t.Errorf("left: %v, %v", c.waiting, c.done)
	}
}
