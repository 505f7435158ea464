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
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/transport"
)

// posted is what came with one HTTP request.
type posted struct {
	sent
	header http.Header
	verb   string
	ctx    context.Context // of the HTTP request
}

func (p posted) String() string {
	if p.verb != http.MethodPost {
		return p.verb
	}
	return p.Method
}

// httpServer answers POSTs with what answer writes, and remembers all requests.
type httpServer struct {
	*httptest.Server
	mu   sync.Mutex
	seen []posted
}

func newHTTPServer(t *testing.T, answer func(w http.ResponseWriter, p posted)) *httpServer {
	t.Helper()
	s := &httpServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := posted{header: r.Header, verb: r.Method, ctx: r.Context()}
		body, err := io.ReadAll(r.Body)
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &p.sent)
		}
		if err != nil {
			t.Errorf("%v: %s", err, body)
		}
		s.mu.Lock()
		s.seen = append(s.seen, p)
		s.mu.Unlock()
		switch {
		case r.Method == http.MethodDelete:
		case p.ID == nil && p.Method != "":
			w.WriteHeader(http.StatusAccepted)
		default:
			answer(w, p)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *httpServer) requests() []posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]posted(nil), s.seen...)
}

func (s *httpServer) names() []string {
	var names []string
	for _, p := range s.requests() {
		names = append(names, p.String())
	}
	return names
}

func (s *httpServer) connect(t *testing.T, o Options) (*Client, error) {
	t.Helper()
	c, err := Connect(context.Background(), transport.HTTP{URL: s.URL}, o)
	if err == nil {
		t.Cleanup(func() {
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	return c, err
}

// jsonBody writes an answer of type application/json.
func jsonBody(w http.ResponseWriter, status int, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, format, args...) // a client that has left shows elsewhere
}

func result(w http.ResponseWriter, p posted, result string) {
	jsonBody(w, http.StatusOK, `{"jsonrpc":"2.0","id":%s,"result":%s}`, p.ID, result)
}

const initialized = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}`

// What a failing probe over HTTP makes of the era (2026-07-28,
// basic/transports/streamable-http, backward compatibility).
func TestDetectHTTP(t *testing.T) {
	rpc := func(status, code int, data string) func(http.ResponseWriter, posted) {
		return func(w http.ResponseWriter, p posted) {
			jsonBody(w, status, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"m","data":%s}}`, p.ID, code, data)
		}
	}
	text := func(status int, kind, body string) func(http.ResponseWriter, posted) {
		return func(w http.ResponseWriter, _ posted) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const supported = `{"supported":["2026-07-28"],"requested":"x"}`
	stateful := []string{"server/discover", "initialize", "notifications/initialized"}
	alone := []string{"server/discover"}
	for _, c := range []struct {
		name  string
		probe func(http.ResponseWriter, posted)
		want  []string // the requests
		fails any      // nil, or a pointer to the type of error
	}{
		{"200 discovery", func(w http.ResponseWriter, p posted) { result(w, p, discovered) }, alone, nil},
		{"200 unknown method", rpc(200, -32601, "null"), stateful, nil},
		{"200 something else", func(w http.ResponseWriter, p posted) { result(w, p, "{}") }, stateful, nil},
		{"200 HTML", text(200, "text/html", "<p>"), alone, new(*transport.ContentError)},
		{"202 empty", text(202, "", ""), stateful, nil},
		{"400 empty", text(400, "", ""), stateful, nil},
		{"400 text", text(400, "text/plain", "Bad Request: No valid session ID provided"), stateful, nil},
		{"400 JSON that is no JSON-RPC", text(400, "application/json", `{"error":"bad"}`), stateful, nil},
		{"400 broken JSON", text(400, "application/json", `{"jsonrpc":`), stateful, nil},
		{"400 error of the older era", rpc(400, -32000, "null"), stateful, nil},
		{"400 error without id", text(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}`), stateful, nil},
		{"400 invalid params", rpc(400, -32602, "null"), stateful, nil},
		{"400 header mismatch", rpc(400, -32020, "null"), alone, new(*HandshakeError)},
		{"400 missing capability", rpc(400, -32021, `{"requiredCapabilities":{}}`), alone, new(*HandshakeError)},
		{"400 version, ours", rpc(400, -32022, supported), []string{"server/discover", "server/discover"}, new(*VersionError)},
		{"400 version, an older one", rpc(400, -32022, `{"supported":["2025-06-18"]}`), stateful, nil},
		{"400 version, none", rpc(400, -32022, `{"supported":["2099-01-01"]}`), alone, new(*VersionError)},
		{"401", text(401, "", ""), alone, new(*transport.AuthError)},
		{"401 with an error", rpc(401, -32000, "null"), alone, new(*transport.AuthError)},
		{"403", text(403, "text/plain", "no"), alone, new(*transport.AuthError)},
		{"404", text(404, "text/plain", "404 page not found"), stateful, nil},
		{"404 unknown method", rpc(404, -32601, "null"), stateful, nil},
		{"405", text(405, "", ""), stateful, nil},
		{"406", text(406, "application/json", `{}`), stateful, nil},
		{"429", text(429, "", ""), alone, new(*transport.HTTPError)},
		{"500", text(500, "text/html", "<h1>oops</h1>"), stateful, nil},
		{"502", text(502, "text/html", "<h1>bad gateway</h1>"), alone, new(*transport.HTTPError)},
		{"503", text(503, "", ""), alone, new(*transport.HTTPError)},
		{"300", text(300, "", ""), alone, new(*transport.HTTPError)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
				if p.Method == methodInitialize {
					result(w, p, initialized)
					return
				}
				c.probe(w, p)
			})
			_, err := s.connect(t, Options{})
			if c.fails == nil && err != nil || c.fails != nil && !errors.As(err, c.fails) {
				t.Errorf("got %T: %v, want %T", err, err, c.fails)
			}
			if diff := cmp.Diff(c.want, s.names()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// A server that holds the probe back, as long as it is there, is greeted.
func TestDetectHTTPSilent(t *testing.T) {
	gone := make(chan struct{})
	s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		if p.Method == methodInitialize {
			result(w, p, initialized)
			return
		}
		<-p.ctx.Done()
		close(gone)
	})
	c, err := s.connect(t, Options{ProbeTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Info().ProtocolVersion; got != Version20250618 {
		t.Errorf("version %s", got)
	}
	<-gone // the probe is given up by closing it
}

// The headers of every request, by era.
func TestHeaders(t *testing.T) {
	const tool = `{"name":"世界","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}`
	const bad = `{"name":"bad","inputSchema":{"type":"object","properties":{"p":{"type":"number","x-mcp-header":"P"}}}}`
	s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		switch p.Method {
		case methodDiscover:
			result(w, p, discovered)
		case "tools/list":
			result(w, p, `{"resultType":"complete","tools":[`+bad+`,`+tool+`],"x":1.0}`)
		default:
			result(w, p, `{"resultType":"complete"}`)
		}
	})
	var warned []string
	c, err := s.connect(t, Options{Handlers: Handlers{Warn: func(err error) { warned = append(warned, err.Error()) }}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for page, err := range c.Pages(ctx, ListTools, nil) {
		if want := `{"resultType":"complete","tools":[` + tool + `],"x":1.0}`; err != nil || string(page.Raw) != want {
			t.Errorf("page %s, %v", page.Raw, err)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], `"bad"`) {
		t.Errorf("warnings %q", warned)
	}
	known, err := c.Tool(ctx, "世界")
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{
		func() error {
			_, err := c.CallTool(ctx, &Call{Name: "世界", Tool: known, Arguments: json.RawMessage(`{"region":"eu"}`)})
			return err
		},
		func() error {
			_, err := c.Do(ctx, &Request{Method: "resources/read", Params: json.RawMessage(`{"uri":"a:b"}`)})
			return err
		},
		func() error {
			_, err := c.Do(ctx, &Request{Method: "prompts/get", Params: json.RawMessage(`{"name":" p"}`)})
			return err
		},
		func() error {
			_, err := c.Do(ctx, &Request{Method: "tasks/get", Params: json.RawMessage(`{"taskId":"t"}`), Unchecked: true})
			return err
		},
		func() error { return c.Notify(ctx, "test/note", nil) },
	} {
		if err := do(); err != nil {
			t.Error(err)
		}
	}
	var got []string
	for _, p := range s.requests() {
		line := p.header.Get(versionHeader)
		for _, name := range []string{"Mcp-Method", "Mcp-Name", "Mcp-Param-Region"} {
			line += " " + p.header.Get(name)
		}
		got = append(got, strings.TrimSpace(line))
		if p.header.Get("Mcp-Session-Id") != "" || p.verb != http.MethodPost {
			t.Errorf("%s %s: not of this era", p.verb, p.Method)
		}
	}
	want := []string{
		"2026-07-28 server/discover",
		"2026-07-28 tools/list",
		"2026-07-28 tools/list",
		"2026-07-28 tools/call =?base64?5LiW55WM?= eu",
		"2026-07-28 resources/read a:b",
		"2026-07-28 prompts/get =?base64?IHA=?=",
		"2026-07-28 tasks/get t",
		"2026-07-28 test/note",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
}

// A server whose tool has changed refuses the headers: the list is read again,
// and the call made once more.
func TestHeaderMismatch(t *testing.T) {
	s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		switch {
		case p.Method == methodDiscover:
			result(w, p, discovered)
		case p.Method == "tools/list":
			result(w, p, `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"integer","x-mcp-header":"A"}}}}]}`)
		case p.header.Get("Mcp-Param-A") != "1":
			jsonBody(w, http.StatusBadRequest, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"Header mismatch"}}`, p.ID)
		default:
			result(w, p, `{"resultType":"complete","content":[]}`)
		}
	})
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CallTool(context.Background(), &Call{Name: "t", Arguments: json.RawMessage(`{"a":1.0}`)}); err != nil {
		t.Error(err)
	}
	_, err = c.CallTool(context.Background(), &Call{Name: "t", Arguments: json.RawMessage(`{"a":2}`)})
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Err.Code != codeHeaderMismatch {
		t.Errorf("got %v", err)
	}
	want := []string{"server/discover", "tools/call", "tools/list", "tools/call", "tools/call", "tools/list", "tools/call"}
	if diff := cmp.Diff(want, s.names()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// A refusal of credentials is not an answer of the server, though its body
// looks like one.
func TestAuthErrorWithBody(t *testing.T) {
	s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		if p.Method == methodDiscover {
			result(w, p, discovered)
			return
		}
		jsonBody(w, http.StatusUnauthorized, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"who are you"}}`, p.ID)
	})
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.CallTool(context.Background(), &Call{Name: "t"})
	var auth *transport.AuthError
	var rpc *RPCError
	if !errors.As(err, &auth) || errors.As(err, &rpc) {
		t.Errorf("got %T: %v", err, err)
	}
}
