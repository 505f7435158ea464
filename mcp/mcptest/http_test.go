package mcptest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// httpTest is a server over HTTP and a client that follows no redirects.
type httpTest struct {
	*testing.T
	url    string
	client *http.Client
}

func newHTTPTest(t *testing.T, script *Script) *httpTest {
	t.Helper()
	server := httptest.NewServer(Handler(script))
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		goleak.VerifyNone(t)
	})
	return &httpTest{T: t, url: server.URL, client: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// do sends a request; header is NAME, VALUE and so on.
func (h *httpTest) do(ctx context.Context, method, path, body string, header ...string) (*http.Response, error) {
	h.Helper()
	req, err := http.NewRequestWithContext(ctx, method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return h.client.Do(req)
}

// answer is what there is to see of a response.
type answer struct {
	Status int
	Type   string
	Body   string
}

// fetch returns the answer, with the error of reading its body.
func (h *httpTest) fetch(method, path, body string, header ...string) (answer, http.Header, error) {
	h.Helper()
	res, err := h.do(h.Context(), method, path, body, header...)
	if err != nil {
		return answer{}, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header.Get("Content-Type"), string(b)}, res.Header, err
}

func TestHTTPSteps(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	const json, events = "application/json", "text/event-stream"
	pong := strings.TrimSpace(pong)
	for _, tt := range []struct {
		name, script string
		want         answer
	}{
		{"the default", "", answer{200, json, pong}},
		{"SSE by setting", "answers sse", answer{200, events, "data: " + pong + "\n\n"}},
		{"SSE by news", "on ping\n notify n", answer{200, events, "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\ndata: " + pong + "\n\n"}},
		{"status alone", "on ping\n status 503\n header Retry-After: 1", answer{503, "", ""}},
		{"HTML", "on ping\n status 500\n body text/html <h1>$METHOD</h1>", answer{500, "text/html", "<h1>ping</h1>"}},
		{"wrong type", "on ping\n header Content-Type: text/plain", answer{200, "text/plain", pong}},
		{"any request", "on HTTP #1\n status 401\n header WWW-Authenticate: Bearer x=\"y\"", answer{401, "", ""}},
		{"redirect", "on ping\n redirect 307 http://localhost:$PORT/mcp", answer{307, "", ""}},
		{"event stream", "on ping\n sse\n comment hi\n prime 7\n retry 20\n event-id 8\n default", answer{200, events, ": hi\nid: 7\ndata: \n\nretry: 20\n\nid: 8\ndata: " + pong + "\n\n"}},
		{"CRLF events over two lines", "on ping\n sse crlf\n reply a$NL$NLb", answer{200, events, "data: a\r\ndata: \r\ndata: b\r\n\r\n"}},
		{"CR events", "on ping\n sse cr\n default", answer{200, events, "data: " + pong + "\r\r"}},
		{"raw events", `on ping` + "\n sse\n raw \"event: x\\ndata: 1\"", answer{200, events, "event: x\ndata: 1"}},
		{"early end", "on ping\n sse\n comment x\n end", answer{200, events, ": x\n"}},
		{"broken JSON", "on ping\n raw {\"jsonrpc\":", answer{200, json, `{"jsonrpc":`}},
		{"bytes one at a time", "chunk 1", answer{200, json, pong}},
		{"header of the request", "on ping\n reply $HEADER(X-Test)", answer{200, json, "v"}},
		{"large", "on ping\n reply $REPEAT(1M,x)", answer{200, json, strings.Repeat("x", 1e6)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHTTPTest(t, MustParse(tt.script))
			got, _, err := h.fetch("POST", "/mcp", call, "X-Test", "v")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHTTPBrokenOff(t *testing.T) {
	for _, tt := range []struct{ step, want string }{
		{"abort", "unexpected EOF"},
		{"reset", "connection reset by peer"},
		{"bad-chunk", "invalid byte in chunk length"},
		{"exit 3", "unexpected EOF"},
	} {
		t.Run(tt.step, func(t *testing.T) {
			// The client must have the headers before the connection breaks, and
			// the request before it can be answered.
			h := newHTTPTest(t, MustParse("on ping\n sse\n comment x\n request hold\n "+tt.step))
			res, err := h.do(t.Context(), "POST", "/mcp", ping)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body := bufio.NewReader(res.Body)
			for line := ""; !strings.Contains(line, "server-1"); {
				if line, err = body.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := h.fetch("POST", "/mcp", `{"jsonrpc":"2.0","id":"server-1","result":{}}`); err != nil {
				t.Fatal(err)
			}
			if _, err = io.ReadAll(body); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if _, _, err := h.fetch("POST", "/mcp", `{"id":2,"method":"other"}`); (err != nil) != (tt.step == "exit 3") {
				t.Errorf("another request after %s: %v", tt.step, err)
			}
		})
	}
}

func TestHTTPSession(t *testing.T) {
	h := newHTTPTest(t, MustParse("session s\non tools/call fail\n lose-sessions\n status 404"))
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	refused := `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session"}}`
	check := func(what string, want int, body, sent string, header ...string) http.Header {
		t.Helper()
		got, head, err := h.fetch("POST", "/", sent, header...)
		if err != nil || got.Status != want || body != "" && got.Body != body {
			t.Fatalf("%s: %+v, %v", what, got, err)
		}
		return head
	}
	check("no session", 400, refused, list)
	head := check("initialize", 200, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	id := head.Get("Mcp-Session-Id")
	if id != "s-1" {
		t.Fatalf("session %q", id)
	}
	check("initialized", 202, "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
	check("list", 200, "", list, "Mcp-Session-Id", id)
	check("wrong session", 404, refused, list, "Mcp-Session-Id", "other")
	check("the session goes", 404, "", `{"id":3,"method":"tools/call","params":{"name":"fail"}}`, "Mcp-Session-Id", id)
	check("and is gone", 404, refused, list, "Mcp-Session-Id", id)
	head = check("initialize again", 200, "", `{"jsonrpc":"2.0","id":4,"method":"initialize","params":{}}`)
	id = head.Get("Mcp-Session-Id")
	for _, want := range []int{200, 405} {
		got, _, err := h.fetch("DELETE", "/mcp", "", "Mcp-Session-Id", id)
		if err != nil || got.Status != want {
			t.Errorf("DELETE: %+v, %v, want %d", got, err, want)
		}
	}
}

func TestHTTPStateless(t *testing.T) {
	h := newHTTPTest(t, MustParse("era stateless"))
	request := func(method, name, version string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"` + name + `","_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	for _, tt := range []struct {
		name, body string
		status     int
		contains   string
		header     []string
	}{
		{"good", request("tools/call", "ok", "2026-07-28"), 200, `"text":"ok"`, []string{"Mcp-Method", "tools/call", "Mcp-Name", "ok"}},
		{"encoded name", request("tools/call", "ok", "2026-07-28"), 200, `"text":"ok"`, []string{"Mcp-Method", "tools/call", "Mcp-Name", "=?base64?b2s=?="}},
		{"wrong name", request("tools/call", "ok", "2026-07-28"), 400, `-32020`, []string{"Mcp-Method", "tools/call", "Mcp-Name", "no"}},
		{"no method header", request("tools/list", "", "2026-07-28"), 400, `-32020`, nil},
		{"version", request("tools/list", "", "2027-01-01"), 400, `-32022`, []string{"Mcp-Method", "tools/list"}},
		{"unknown method", request("no/such", "", "2026-07-28"), 404, `-32601`, []string{"Mcp-Method", "no/such"}},
		{"no _meta", ping, 400, `-32602`, nil},
		{"the other era", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, 400, `"supported":["2026-07-28"]`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := h.fetch("POST", "/mcp", tt.body, append(tt.header, "MCP-Protocol-Version", "2026-07-28")...)
			if err != nil || got.Status != tt.status && tt.name != "version" || !strings.Contains(got.Body, tt.contains) {
				t.Errorf("%+v, %v; want %d and %s", got, err, tt.status, tt.contains)
			}
		})
	}
}

// recording is a record a test can wait for.
type recording struct {
	lines chan string
}

func (r *recording) Write(p []byte) (int, error) {
	r.lines <- string(p)
	return len(p), nil
}

func TestHTTPRecordAndGone(t *testing.T) {
	rec := &recording{lines: make(chan string, 10)}
	h := newHTTPTest(t, MustParse("on ping\n sse\n comment x\n hang").RecordTo(rec))
	ctx, cancel := context.WithCancel(t.Context())
	res, err := h.do(ctx, "POST", "/mcp?q=1", ping, "X-Test", "v", "User-Agent", "u", "Accept-Encoding", "gzip")
	if err != nil {
		t.Fatal(err)
	}
	if want, got := "POST /mcp?q=1 | Accept-Encoding: gzip | Content-Length: 41 | User-Agent: u | X-Test: v | "+ping, <-rec.lines; got != want {
		t.Errorf("record %q, want %q", got, want)
	}
	cancel()
	res.Body.Close()
	if got := <-rec.lines; got != "gone ping\n" {
		t.Errorf("record %q", got)
	}
}

func TestHTTPPaths(t *testing.T) {
	h := newHTTPTest(t, MustParse("on GET\n sse\n notify n\n end\non GET /meta\n body application/json {\"o\":\"$ORIGIN\"}\non POST /token\n status 400"))
	for _, tt := range []struct {
		method, path string
		want         answer
	}{
		{"GET", "/mcp", answer{200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"}},
		{"GET", "/meta", answer{200, "application/json", `{"o":"` + h.url + `"}`}},
		{"GET", "/other", answer{404, "", ""}},
		{"POST", "/token", answer{400, "", ""}},
		{"PUT", "/mcp", answer{405, "", ""}},
	} {
		got, _, err := h.fetch(tt.method, tt.path, "")
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%s %s: %v (-want +got):\n%s", tt.method, tt.path, err, diff)
		}
	}
}

func TestOldTransport(t *testing.T) {
	h := newHTTPTest(t, MustParse("transport http+sse\non tools/call\n notify n\n request roots/list\n result $ANSWER"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got, _, err := h.fetch("POST", "/sse", ping)
	if err != nil || got.Status != http.StatusMethodNotAllowed {
		t.Errorf("POST of the stream: %+v, %v", got, err)
	}
	stream, err := h.do(ctx, "GET", "/sse", "")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewReader(stream.Body)
	event := func(want string) {
		t.Helper()
		var got string
		for !strings.HasSuffix(got, "\n\n") {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			got += line
		}
		if got != want+"\n\n" {
			t.Fatalf("event %q, want %q", got, want)
		}
	}
	post := func(body string) {
		t.Helper()
		got, _, err := h.fetch("POST", "/message?session=1", body)
		if err != nil || got != (answer{Status: http.StatusAccepted}) {
			t.Fatalf("POST: %+v, %v", got, err)
		}
	}
	event("event: endpoint\ndata: /message?session=1")
	post(ping)
	event("event: message\ndata: " + strings.TrimSpace(pong))
	post(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	event(`event: message` + "\n" + `data: {"jsonrpc":"2.0","method":"n"}`)
	event(`event: message` + "\n" + `data: {"jsonrpc":"2.0","id":"server-1","method":"roots/list"}`)
	post(`{"jsonrpc":"2.0","id":"server-1","result":{"roots":[]}}`)
	event(`event: message` + "\n" + `data: {"jsonrpc":"2.0","id":2,"result":{"roots":[]}}`)
}
