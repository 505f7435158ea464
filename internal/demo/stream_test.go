package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// talk feeds lines to a fresh server and returns its output lines at the end of input.
func talk(t *testing.T, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	if err := New(Options{}).ServeStream(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func TestHandshake(t *testing.T) {
	for asked, want := range map[string]string{
		version2024November: version2024November, version2025March: version2025March, version2025June: version2025June,
		version2025November: version2025November, version2026July: version2025November, "1999-01-01": version2025November,
	} {
		got := talk(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, asked))
		if len(got) != 1 {
			t.Fatalf("got %q", got)
		}
		checkMessage(t, want, "initialize", []byte(got[0]))
		contains(t, []byte(got[0]), `"protocolVersion":"`+want+`"`, `"version":"dev"`)
		if strings.Contains(got[0], "completions") != (want != version2024November) {
			t.Errorf("completions in %s", got[0])
		}
	}
}

// initLines opens a session of a version.
func initLines(version string) []string {
	return []string{
		fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version),
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
}

func TestRefusals(t *testing.T) {
	meta := func(rest string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` + rest + `}}}`
	}
	version, caps := `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	tests := []struct {
		name, line string
		code       int
		id         string
	}{
		{"not JSON", `{"jsonrpc":`, codeParse, ""},
		{"not an object", `7`, codeInvalidRequest, ""},
		{"wrong jsonrpc", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, codeInvalidRequest, "1"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, codeInvalidRequest, ""},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, codeInvalidRequest, ""},
		{"method of a wrong type", `{"jsonrpc":"2.0","id":"x","method":1}`, codeInvalidRequest, `"x"`},
		{"params array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, codeInvalidRequest, "1"},
		{"no method, no result", `{"jsonrpc":"2.0","id":1}`, codeInvalidRequest, "1"},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, codeInvalidRequest, "1"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, codeInvalidRequest, ""},
		{"before initialize", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, codeInvalidParams, "1"},
		{"initialize without params", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, codeInvalidParams, "1"},
		{"discover without metadata", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, codeInvalidParams, "1"},
		{"no capabilities", meta(version), codeInvalidParams, "1"},
		{"capabilities of a wrong type", meta(version + `,"io.modelcontextprotocol/clientCapabilities":[]`), codeInvalidParams, "1"},
		{"version of a wrong type", meta(`"io.modelcontextprotocol/protocolVersion":1,` + caps), codeInvalidParams, "1"},
		{"clientInfo without version", meta(version + "," + caps + `,"io.modelcontextprotocol/clientInfo":{"name":"a"}`), codeInvalidParams, "1"},
		{"bad log level", meta(version + "," + caps + `,"io.modelcontextprotocol/logLevel":"loud"`), codeInvalidParams, "1"},
		{"bad progress token", meta(version + "," + caps + `,"progressToken":1.5`), codeInvalidParams, "1"},
		{"future version", meta(`"io.modelcontextprotocol/protocolVersion":"2099-01-01",` + caps), codeVersion, "1"},
		{"stateful version in metadata", meta(`"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + caps), codeVersion, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := talk(t, tt.line)
			if len(got) != 1 {
				t.Fatalf("got %q", got)
			}
			checkMessage(t, version2026July, "", []byte(got[0]))
			var m struct {
				ID    json.RawMessage
				Error rpcError
			}
			json.Unmarshal([]byte(got[0]), &m)
			if m.Error.Code != tt.code || string(m.ID) != tt.id {
				t.Errorf("got %s, want code %d and id %s", got[0], tt.code, tt.id)
			}
			if tt.code == codeVersion {
				contains(t, []byte(got[0]), `"supported":["2026-07-28"`, `"requested":"20`)
			}
		})
	}
}

func TestSessionOrder(t *testing.T) {
	lines := initLines(version2025March)
	got := talk(t, `{"jsonrpc":"2.0","id":"p","method":"ping"}`, lines[0],
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":3,"method":"ping"}`, lines[1], "",
		`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`, `nonsense`, `{"jsonrpc":"2.0","id":5,"method":"prompts/list"}`)
	var short []string
	for _, line := range got {
		var m struct {
			ID    json.RawMessage
			Error *rpcError
		}
		json.Unmarshal([]byte(line), &m)
		code := 0
		if m.Error != nil {
			code = m.Error.Code
		}
		short = append(short, fmt.Sprintf("%s %d", m.ID, code))
	}
	if d := cmp.Diff([]string{`"p" 0`, `"i" 0`, "2 -32600", "3 0", "4 -32600", "null -32700", "5 0"}, short); d != "" {
		t.Error(d)
	}
}

func TestBatch(t *testing.T) {
	batchOf := `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"method":"none"},7,{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}]`
	lines := initLines(version2025March)
	got := talk(t, lines[0], lines[1], batchOf, `[]`, `[{"jsonrpc":"2.0","method":"notifications/x"}]`)
	if len(got) != 3 {
		t.Fatalf("got %q", got)
	}
	// The empty batch is refused at once, the other answered when it is done.
	if strings.HasPrefix(got[1], "[") {
		got[1], got[2] = got[2], got[1]
	}
	contains(t, []byte(got[1]), `"code":-32600`, `"id":null`)
	checkSchema(t, version2025March, "JSONRPCBatchResponse", []byte(strings.Replace(got[2], `"id":null`, `"id":0`, 1)))
	var all []struct {
		ID    json.RawMessage
		Error *rpcError
	}
	if err := json.Unmarshal([]byte(got[2]), &all); err != nil || len(all) != 4 {
		t.Fatalf("%v: %s", err, got[2])
	}
	lines = initLines(version2025June)
	if got := talk(t, lines[0], lines[1], batchOf); len(got) != 2 || !strings.Contains(got[1], "-32600") {
		t.Errorf("2025-06-18: %q", got)
	}
}

func TestCancel(t *testing.T) {
	for _, v := range allVersions() {
		t.Run(v, func(t *testing.T) {
			p := streamPeer(t, New(Options{}), v)
			id, body := p.request("tools/call", `{"name":"slow","arguments":{"seconds":3000}}`)
			p.send(body)
			dup := strings.Replace(body, `"slow"`, `"echo"`, 1)
			p.send(dup)
			wantCode(t, p.await(id, "tools/call"), codeInvalidRequest)
			p.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":"%s"}`, id)) // another id: a string
			p.notify("notifications/cancelled", `{"requestId":null}`)
			p.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%s,"reason":"test"}`, id))
			// The id is free again once the call has ended, and nothing was said of it.
			for {
				p.send(strings.Replace(dup, `"arguments":{"seconds":3000}`, `"arguments":{"text":"again"}`, 1))
				r := p.await(id, "tools/call")
				if len(r.before) != 0 {
					t.Fatalf("unexpected %v", r.before)
				}
				if r.err == nil {
					if r.text(t) != "again" {
						t.Errorf("got %s", r.result)
					}
					return
				}
			}
		})
	}
}

func TestCancelAsk(t *testing.T) {
	p := streamPeer(t, New(Options{}), version2025November)
	id, body := p.request("tools/call", `{"name":"ask"}`)
	p.send(body)
	line, err := p.lines.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	checkMessage(t, p.version, "", line)
	contains(t, line, `"id":1`, `"mode":"form"`)
	p.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%s}`, id))
	r := reply{}
	if line, err = p.lines.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	p.take(&r, line, "", "")
	contains(t, line, `"method":"notifications/cancelled"`, `"requestId":1`)
	p.call("ping", `{}`).must(t)
}

func TestConcurrentCalls(t *testing.T) {
	p := streamPeer(t, New(Options{}), version2025November)
	slowID, body := p.request("tools/call", `{"name":"slow","arguments":{"seconds":3000}}`)
	p.send(body)
	for range 50 {
		if got := p.call("tools/call", `{"name":"echo","arguments":{"text":"x"}}`).text(t); got != "x" {
			t.Errorf("got %q", got)
		}
	}
	p.notify("notifications/cancelled", `{"requestId":`+slowID+`}`)
}

func TestSubscribe(t *testing.T) {
	p := streamPeer(t, New(Options{}), version2025June)
	touch := func() { p.call("tools/call", `{"name":"touch"}`).must(t) }
	touch()
	p.call("resources/subscribe", `{"uri":"demo://config"}`).must(t)
	p.call("resources/subscribe", `{"uri":"demo://readme"}`).must(t)
	// The notification may come on either side of the response.
	_, body := p.request("tools/call", `{"name":"touch"}`)
	p.send(body)
	var lines []string
	for range 2 {
		line, err := p.lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		checkMessage(t, p.version, "tools/call", line)
		lines = append(lines, string(line))
	}
	both := strings.Join(lines, "")
	contains(t, []byte(both), `"method":"notifications/resources/updated","params":{"uri":"demo://config"}`, "at revision 2")
	p.call("resources/unsubscribe", `{"uri":"demo://config"}`).must(t)
	touch()
	if r := p.call("ping", `{}`); len(r.before) != 0 {
		t.Errorf("after unsubscribe: %v", r.before)
	}
	contains(t, p.call("resources/read", `{"uri":"demo://config"}`).must(t), `\"revision\":3`)
}

// count tells how many watchers there are.
func (c *changes) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.watchers)
}

func TestListen(t *testing.T) {
	s := New(Options{})
	p := streamPeer(t, s, version2026July)
	id, body := p.request("subscriptions/listen", `{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://config","demo://none"]}}`)
	p.send(body)
	next := func() []byte {
		line, err := p.lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		checkMessage(t, p.version, "subscriptions/listen", line)
		return line
	}
	contains(t, next(), `"method":"notifications/subscriptions/acknowledged"`, `"io.modelcontextprotocol/subscriptionId":`+id, `"notifications":{"resourceSubscriptions":["demo://config"]}`)
	s.changes.touch("")
	contains(t, next(), `"method":"notifications/resources/updated"`, `"uri":"demo://config"`, `"io.modelcontextprotocol/subscriptionId":`+id)

	_, second := p.request("subscriptions/listen", `{"notifications":{}}`)
	p.send(second)
	contains(t, next(), `"notifications":{}`)
	p.notify("notifications/cancelled", `{"requestId":`+fmt.Sprint(p.lastID)+`}`)
	wantCode(t, p.call("subscriptions/listen", `{}`), codeInvalidParams)

	s.Close() // ends the stream: the first subscription is taken back and answered
	contains(t, next(), `"method":"notifications/cancelled"`, `"requestId":`+id)
	contains(t, next(), `"id":`+id, `"resultType":"complete"`, `"io.modelcontextprotocol/subscriptionId":`+id)
	if _, err := p.lines.ReadBytes('\n'); err != io.EOF {
		t.Errorf("got %v, want the end", err)
	}
	if n := s.changes.count(); n != 0 {
		t.Errorf("%d watchers are left", n)
	}
}

// TestContextEnd has a client that neither writes nor reads any more.
func TestContextEnd(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- New(Options{}).ServeStream(ctx, in, out) }()
	r := bufio.NewReader(fromServer)
	for _, line := range initLines(version2025November) {
		io.WriteString(toServer, line+"\n")
		if strings.Contains(line, `"id"`) {
			if _, err := r.ReadBytes('\n'); err != nil {
				t.Fatal(err)
			}
		}
	}
	io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"big"}}`+"\n")
	if _, err := r.ReadByte(); err != nil { // the answer has begun, and is read no further
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v", err)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteFailure(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	in, toServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- New(Options{}).ServeStream(context.Background(), in, brokenWriter{}) }()
	io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if err := <-done; !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

func FuzzReceive(f *testing.F) {
	for _, line := range append(initLines(version2025March), `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1e5,"b":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "big") {
			t.Skip() // correct and slow
		}
		lines := initLines(version2025March)
		var out strings.Builder
		in := strings.NewReader(lines[0] + "\n" + lines[1] + "\n" + line + "\n")
		if err := New(Options{}).ServeStream(context.Background(), in, &out); err != nil {
			t.Fatal(err)
		}
		for one := range strings.Lines(out.String()) {
			if !json.Valid([]byte(one)) {
				t.Errorf("%q got %q", line, one)
			}
		}
	})
}
