package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"mcpq/mcp/jsonrpc"
)

// web is an HTTP server under the control of a test.
type web struct {
	*httptest.Server
	connections atomic.Int64
	mu          sync.Mutex
	seen        []string // "METHOD body" of every request
}

// serve starts a server. In handle, every write reaches the client at once.
func serve(t testing.TB, handle func(w io.Writer, h http.Header, r *http.Request)) *web {
	t.Helper()
	s := new(web)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.mu.Lock()
		s.seen = append(s.seen, strings.TrimSpace(r.Method+" "+string(body)))
		s.mu.Unlock()
		handle(flushing{w}, w.Header(), r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Server.Close)
	return s
}

func (s *web) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

type flushing struct{ http.ResponseWriter }

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	_ = http.NewResponseController(f.ResponseWriter).Flush()
	return n, err
}

func status(w io.Writer, code int) { w.(flushing).WriteHeader(code) }

func dial(t *testing.T, d Dialer, p Peer) Conn {
	t.Helper()
	c, err := d.Dial(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// call makes the call "m" and tells what it came to.
func call(ctx context.Context, c Conn, out Outgoing) (string, error) {
	if out.Method == "" {
		out.Method = "m"
	}
	m, err := c.Call(ctx, &out)
	switch {
	case err != nil:
		return "", err
	case m.Error != nil:
		return "error: " + m.Error.Error(), nil
	case m.Streamed:
		return "streamed", nil
	}
	return string(m.Result), nil
}

const jsonType, eventType = "application/json", "text/event-stream"

func TestHTTPReplies(t *testing.T) {
	for _, tt := range []struct {
		name, contentType, body string
		want                    string
	}{
		{"json", jsonType, `{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}`, `{"a":1.0}`},
		{"json with parameters", "Application/JSON ; charset=utf-8", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`},
		{"error", jsonType, `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}}`, `error: no (5)`},
		{"error without id", jsonType, `{"jsonrpc":"2.0","error":{"code":5,"message":"no"}}`, `error: no (5)`},
		{"batch", jsonType, `[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"result":{}}]`, `{}`},
		{"events", eventType, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{}}\n\n", `{}`},
		{"events before it", eventType + ";charset=utf-8", ": hi\n\nid: 1\ndata:\n\nevent: ping\ndata: x\n\ndata: noise\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":9}\n\n" +
			"data: {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n", `{}`},
		{"last event not ended", eventType, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				h.Set("Content-Type", tt.contentType)
				_, _ = io.WriteString(w, tt.body)
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestHTTPBadReplies(t *testing.T) {
	hang := func(w io.Writer) { // ends the connection in the middle of a chunk
		conn, _, err := http.NewResponseController(w.(flushing).ResponseWriter).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}
	for _, tt := range []struct {
		name        string
		contentType string
		status      int
		body        string
		cut         bool
		want        error // its type
		text        string
	}{
		{"html", "text/html", 200, "<h1>Login</h1>", false, &ContentError{}, `reply is "text/html"`},
		{"no json", jsonType, 200, "hello", false, &ContentError{}, `reply is no JSON-RPC message: "hello"`},
		{"empty json", jsonType, 200, "", false, &BrokenError{}, "holds no response"},
		{"accepted without body", "", 202, "", false, &BrokenError{}, "empty (202 Accepted)"},
		{"wrong id", jsonType, 200, `{"jsonrpc":"2.0","id":7,"result":{}}`, false, &BrokenError{}, "holds no response"},
		{"both", jsonType, 200, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, false, &jsonrpc.MalformedError{}, "both"},
		{"garbage behind", jsonType, 200, `{"jsonrpc":"2.0","id":1,"result":{}}}`, false, &jsonrpc.MalformedError{}, "invalid json"},
		{"ends in the middle", jsonType, 200, `{"jsonrpc":"2.0","id":1,"result":`, false, &jsonrpc.MalformedError{}, "in the middle"},
		{"broken event", eventType, 200, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":}\n\n", false, &jsonrpc.MalformedError{}, "invalid json"},
		{"no response among events", eventType, 200, "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n", false, &BrokenError{}, "ended without the response"},
		{"half an event", eventType, 200, "data: {\"jsonrpc\":\"2.0\",\"id\":1", false, &BrokenError{}, "unexpected EOF"},
		{"json cut off", jsonType, 200, `{"jsonrpc":"2.0","id":1,"result":`, true, &BrokenError{}, "unexpected EOF"},
		{"events cut off", eventType, 200, "data: {\"jsonrpc\":\"2.0\",\"id\":1", true, &BrokenError{}, "unexpected EOF"},
		{"cut off before an answer", "", 0, "", true, &BrokenError{}, "EOF"},
		{"html error", "text/html", 500, "<h1>Oops\n</h1>", false, &HTTPError{}, `HTTP 500 Internal Server Error: "<h1>Oops </h1>"`},
		{"error in json", jsonType, 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"version"}}`, false, &HTTPError{}, "HTTP 400 Bad Request: version (-32022)"},
		{"refused", jsonType, 401, `{"jsonrpc":"2.0","error":{"code":1,"message":"who?"}}`, false, &AuthError{}, "HTTP 401 Unauthorized: who? (1)"},
		{"forbidden", "", 403, "", false, &AuthError{}, "HTTP 403"},
		{"not found without session", "", 404, "", false, &HTTPError{}, "HTTP 404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				if tt.status != 0 {
					h.Set("Content-Type", tt.contentType)
					status(w, tt.status)
					if tt.body != "" {
						_, _ = io.WriteString(w, tt.body)
					}
				}
				if tt.cut {
					hang(w)
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			got, err := call(t.Context(), c, Outgoing{})
			if err == nil {
				t.Fatalf("no error, result %s", got)
			}
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error is %T: %v\nwant %T with %s", err, err, tt.want, tt.text)
			}
		})
	}
}

// What a status says weighs more than a JSON-RPC error in the body, which is
// no answer to the request.
func TestHTTPErrorsKeepTheirKind(t *testing.T) {
	rpc := &jsonrpc.Error{Code: 1}
	for _, err := range []error{
		&AuthError{HTTPError: &HTTPError{RPC: rpc}}, &SessionError{HTTPError: &HTTPError{RPC: rpc}}, &HTTPError{RPC: rpc},
	} {
		var asRPC *jsonrpc.Error
		var asHTTP *HTTPError
		_, plain := err.(*HTTPError)
		if errors.As(err, &asRPC) != plain || !errors.As(err, &asHTTP) {
			t.Errorf("%T: is an answer: %v, is an HTTP error: %v", err, asRPC != nil, asHTTP != nil)
		}
	}
}

func TestHTTPConnectErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + l.Addr().String()
	_ = l.Close()
	var connect *ConnectError
	if _, err := call(t.Context(), dial(t, HTTP{URL: gone}, Peer{}), Outgoing{}); !errors.As(err, &connect) {
		t.Errorf("nobody there: %v", err)
	}
	plain := serve(t, func(io.Writer, http.Header, *http.Request) {})
	if _, err := call(t.Context(), dial(t, HTTP{URL: strings.Replace(plain.URL, "http:", "https:", 1)}, Peer{}), Outgoing{}); !errors.As(err, &connect) {
		t.Errorf("no TLS there: %v", err)
	}
	for _, u := range []string{"", "x", "ftp://h/", "http://", "http://h:p@[", "//h"} {
		if _, err := (HTTP{URL: u}).Dial(t.Context(), Peer{}); !errors.As(err, &connect) || strings.Contains(err.Error(), ":p@") {
			t.Errorf("URL %q: %v", u, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	if _, err := (HTTP{URL: plain.URL}).Dial(ctx, Peer{}); err != errEnough {
		t.Errorf("dialled with an ended context: %v", err)
	}
}

var errEnough = errors.New("enough")

func TestHTTPHeaders(t *testing.T) {
	var got []http.Header
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		got = append(got, r.Header.Clone())
		got[len(got)-1].Set("Host", r.Host)
		h.Set("Content-Type", jsonType)
		h.Set("Mcp-Session-Id", "s1")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	c := dial(t, HTTP{URL: s.URL, Header: http.Header{"x-mine": {"a", "b"}, "Host": {"other.example"}}}, Peer{
		Header: func() http.Header { return http.Header{"MCP-Protocol-Version": {"v"}} },
	})
	if _, err := call(t.Context(), c, Outgoing{Header: http.Header{"Mcp-Method": {"m"}}}); err != nil {
		t.Fatal(err)
	}
	h := got[0]
	for name, want := range map[string]string{
		"Content-Type": jsonType, "Accept": "application/json, text/event-stream", "X-Mine": "a,b",
		"Mcp-Protocol-Version": "v", "Mcp-Method": "m", "Host": "other.example", "Mcp-Session-Id": "", "Origin": "",
	} {
		if v := strings.Join(h.Values(name), ","); v != want {
			t.Errorf("%s is %q, want %q", name, v, want)
		}
	}
}

func TestHTTPSession(t *testing.T) {
	for _, tt := range []struct{ name, kind, greeting, session string }{
		{"json", jsonType, `{"jsonrpc":"2.0","id":1,"result":{}}`, "s1"},
		{"events", eventType, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n", "s1"},
		{"refused", jsonType, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`, ""},
		{"answer lost", jsonType, `{"jsonrpc":"2.0","id":1,`, "s1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			var sessions []string
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				mu.Lock()
				sessions = append(sessions, r.Method+" "+r.Header.Get("Mcp-Session-Id"))
				n := len(sessions)
				mu.Unlock()
				switch {
				case n == 1:
					h.Set("Content-Type", tt.kind)
					h.Set("Mcp-Session-Id", "s1")
					_, _ = io.WriteString(w, tt.greeting)
				case r.Method == http.MethodPost:
					status(w, 202)
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			_, _ = call(t.Context(), c, Outgoing{Method: "initialize"})
			if err := c.Notify(t.Context(), &Outgoing{Method: "n"}); err != nil {
				t.Error(err)
			}
			_ = c.Close(t.Context())
			_ = c.Close(t.Context())
			want := []string{"POST ", "POST " + tt.session}
			if tt.session != "" {
				want = append(want, "DELETE "+tt.session)
			}
			if strings.Join(sessions, "; ") != strings.Join(want, "; ") {
				t.Errorf("requests were %q, want %q", sessions, want)
			}
		})
	}
}

func TestHTTPSessionLost(t *testing.T) {
	n := 0
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", jsonType)
		n++
		h.Set("Mcp-Session-Id", fmt.Sprint("s", n))
		if n == 2 {
			status(w, 404)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
			return
		}
		_, _ = io.WriteString(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%q}`, n, r.Header.Get("Mcp-Session-Id")))
	})
	c := dial(t, HTTP{URL: s.URL}, Peer{})
	_, _ = call(t.Context(), c, Outgoing{Method: "initialize"})
	_, err := call(t.Context(), c, Outgoing{})
	var lost *SessionError
	if !errors.As(err, &lost) || lost.RPC == nil {
		t.Errorf("error is %v", err)
	}
	if got, err := call(t.Context(), c, Outgoing{Method: "initialize"}); got != `""` {
		t.Errorf("the next greeting had session %s, %v", got, err)
	}
	if got, err := call(t.Context(), c, Outgoing{}); got != `"s3"` {
		t.Errorf("the next call had session %s, %v", got, err)
	}
}

// A server's own requests come before the answer, and are answered by POST.
func TestHTTPServerRequests(t *testing.T) {
	answered := make(chan string, 1)
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"result"`)) {
			answered <- string(body)
			status(w, 202)
			return
		}
		h.Set("Content-Type", eventType)
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":[1]}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\"}\n\n")
		a := <-answered
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n\n", a)
	})
	var notified []string
	c := dial(t, HTTP{URL: s.URL}, Peer{Handler: jsonrpc.Handler{
		Notification: func(_ context.Context, m *jsonrpc.Message) { notified = append(notified, string(m.Params)) },
		Request: func(context.Context, *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
			return json.RawMessage(`"hi"`), nil
		},
	}})
	got, err := call(t.Context(), c, Outgoing{})
	if err != nil || got != `{"jsonrpc":"2.0","id":1,"result":"hi"}` || strings.Join(notified, "") != "[1]" {
		t.Errorf("got %s, %v; notified %q", got, err, notified)
	}
}
