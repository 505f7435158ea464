package demo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func set(name, value string) func(http.Header) {
	return func(h http.Header) { h.Set(name, value) }
}

func del(name string) func(http.Header) { return func(h http.Header) { h.Del(name) } }

func TestStatelessHeaders(t *testing.T) {
	p := httpPeer(t, New(Options{}), version2026July)
	echo := `{"name":"echo","arguments":{"text":"x"}}`
	region := `{"name":"region","arguments":{"region":"Zürich","shard":42.0}}`
	tests := []struct {
		name, method, params string
		edit                 func(http.Header)
		status, code         int
		text                 string
	}{
		{"right", "tools/call", echo, func(http.Header) {}, 200, 0, "x"},
		{"encoded name", "tools/call", echo, set(headerName, "=?base64?ZWNobw==?="), 200, 0, "x"},
		{"no version", "tools/call", echo, del(headerVersion), 400, codeHeaderMismatch, ""},
		{"other version", "tools/call", echo, set(headerVersion, version2025November), 400, codeHeaderMismatch, ""},
		{"no method", "tools/call", echo, del(headerMethod), 400, codeHeaderMismatch, ""},
		{"two methods", "tools/call", echo, func(h http.Header) { h.Add(headerMethod, "tools/call") }, 400, codeHeaderMismatch, ""},
		{"other method", "tools/list", `{}`, set(headerMethod, "Tools/List"), 400, codeHeaderMismatch, ""},
		{"no name", "tools/call", echo, del(headerName), 400, codeHeaderMismatch, ""},
		{"other name", "prompts/get", `{"name":"greet","arguments":{"name":"a"}}`, set(headerName, "review"), 400, codeHeaderMismatch, ""},
		{"other uri", "resources/read", `{"uri":"demo://readme"}`, set(headerName, "demo://config"), 400, codeHeaderMismatch, ""},
		{"badly encoded name", "tools/call", echo, set(headerName, "=?base64?%%?="), 400, codeHeaderMismatch, ""},
		{"name in raw UTF-8", "resources/read", `{"uri":"demo://greeting/ü"}`, set(headerName, "demo://greeting/ü"), 400, codeHeaderMismatch, ""},
		{"params", "tools/call", region, set("Mcp-Param-Shard", "42"), 200, 0, "region Zürich; Mcp-Param-Region: =?base64?WsO8cmljaA==?=; Mcp-Param-Shard: 42"},
		{"param not canonical", "tools/call", region, set("Mcp-Param-Shard", "42.0"), 400, codeHeaderMismatch, ""},
		{"param missing", "tools/call", region, del("Mcp-Param-Region"), 400, codeHeaderMismatch, ""},
		{"param not in arguments", "tools/call", `{"name":"region","arguments":{"region":"a"}}`, set("Mcp-Param-Shard", "1"), 400, codeHeaderMismatch, ""},
		{"param null", "tools/call", `{"name":"region","arguments":{"region":"a","shard":null}}`, del("Mcp-Param-Shard"), 200, 0, `argument "shard": want integer, got null`},
		{"session id is ignored", "tools/call", echo, set(headerSession, "x"), 200, 0, "x"},
		{"foreign origin", "tools/call", echo, set("Origin", "https://example.com"), 403, codeInvalidRequest, ""},
		{"null origin", "tools/call", echo, set("Origin", "null"), 403, codeInvalidRequest, ""},
		{"local origin", "tools/call", echo, set("Origin", "http://localhost:3000"), 200, 0, "x"},
		{"loopback origin", "tools/call", echo, set("Origin", "http://[::1]"), 200, 0, "x"},
		{"unknown tool", "tools/call", `{"name":"none"}`, func(http.Header) {}, 200, codeInvalidParams, ""},
		{"unknown method", "none", `{}`, func(http.Header) {}, 404, codeMethodNotFound, ""},
		{"ask without capability", "tools/call", `{"name":"ask"}`, func(http.Header) {}, 400, codeMissingCapability, ""},
	}
	p.caps = `{}`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sub := *p
			sub.t = t
			id, body := sub.request(tt.method, tt.params)
			p.lastID = sub.lastID
			resp := sub.post(context.Background(), body, tt.edit)
			defer resp.Body.Close()
			if tt.status == 403 {
				id = "" // the body is not read
			}
			r := sub.read(resp, id, tt.method)
			if r.status != tt.status {
				t.Errorf("status %d, want %d", r.status, tt.status)
			}
			if tt.code != 0 {
				wantCode(t, r, tt.code)
			} else if got := r.text(t); got != tt.text {
				t.Errorf("got %q, want %q", got, tt.text)
			}
		})
	}
}

func TestHTTPRefusals(t *testing.T) {
	p := httpPeer(t, New(Options{}), version2025November)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	modern := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`
	tests := []struct {
		name, verb, body string
		edit             []func(http.Header)
		status           int
		says             string
	}{
		{"fine", "POST", ping, nil, 200, `"result":{}`},
		{"not JSON", "POST", `{`, nil, 400, "-32700"},
		{"plain text", "POST", ping, []func(http.Header){set("Content-Type", "text/plain")}, 415, ""},
		{"narrow accept", "POST", ping, []func(http.Header){set("Accept", "application/json")}, 406, ""},
		{"no session", "POST", ping, []func(http.Header){del(headerSession)}, 400, `"id":1`},
		{"unknown session", "POST", ping, []func(http.Header){set(headerSession, "nope")}, 404, ""},
		{"other version", "POST", ping, []func(http.Header){set(headerVersion, version2025June)}, 400, ""},
		{"no version", "POST", ping, []func(http.Header){del(headerVersion)}, 200, ""},
		{"garbage version", "POST", ping, []func(http.Header){set(headerVersion, "x")}, 400, ""},
		{"batch", "POST", "[" + ping + "]", nil, 400, "-32600"},
		{"stateless version without metadata", "POST", ping, []func(http.Header){set(headerVersion, version2026July), del(headerSession)}, 400, "-32602"},
		{"future version", "POST", modern, []func(http.Header){set(headerVersion, "2099-01-01"), del(headerSession)}, 400, `"requested":"2099-01-01"`},
		{"initialize in a session", "POST", initLines(version2025June)[0], nil, 400, ""},
		{"bad initialize", "POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, []func(http.Header){del(headerSession)}, 400, "-32602"},
		{"response", "POST", `{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 202, ""},
		{"stateless response", "POST", `{"jsonrpc":"2.0","id":7,"result":{}}`, []func(http.Header){set(headerVersion, version2026July)}, 400, ""},
		{"stateless cancel", "POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, []func(http.Header){set(headerVersion, version2026July)}, 400, "closing"},
		{"stateless GET", "GET", "", []func(http.Header){set(headerVersion, version2026July)}, 405, ""},
		{"stateless DELETE", "DELETE", "", []func(http.Header){set(headerVersion, version2026July)}, 405, ""},
		{"PUT", "PUT", "", nil, 405, ""},
		{"GET without session", "GET", "", []func(http.Header){del(headerSession)}, 400, ""},
		{"GET of JSON", "GET", "", []func(http.Header){set("Accept", "application/json")}, 406, ""},
		{"GET of an unknown event", "GET", "", []func(http.Header){set("Last-Event-ID", "9-9")}, 400, ""},
		{"DELETE of an unknown session", "DELETE", "", []func(http.Header){set(headerSession, "nope")}, 404, ""},
		{"DELETE", "DELETE", "", nil, 204, ""},
		{"after DELETE", "POST", ping, nil, 404, ""},
		{"GET after DELETE", "GET", "", nil, 404, ""},
	}
	for _, tt := range tests {
		req, _ := http.NewRequest(tt.verb, p.url, strings.NewReader(tt.body))
		p.headers(req.Header, tt.body)
		for _, e := range tt.edit {
			e(req.Header)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != tt.status || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: status %d, want %d: %s", tt.name, resp.StatusCode, tt.status, body)
		}
	}
}

// get opens an event stream of the session.
func (p *peer) get(ctx context.Context, lastID string) *http.Response {
	p.t.Helper()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	p.headers(req.Header, "")
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp
}

// TestResume drops the connection of a running call and fetches the rest.
func TestResume(t *testing.T) {
	for _, v := range []string{version2025March, version2025June, version2025November} {
		t.Run(v, func(t *testing.T) {
			p := httpPeer(t, New(Options{}), v)
			p.meta = map[string]any{"progressToken": 1}
			id, body := p.request("tools/call", `{"name":"slow","arguments":{"seconds":0.3,"steps":3}}`)
			ctx, drop := context.WithCancel(context.Background())
			resp := p.post(ctx, body)
			var seen []event
			for ev := range events(resp.Body) {
				seen = append(seen, ev)
				if ev.data != "" {
					break // at the first progress
				}
			}
			drop()
			resp.Body.Close()
			if primed := seen[0].data == "" && seen[0].id != ""; primed != p.era.primedStreams {
				t.Errorf("first event %+v", seen[0])
			}
			resp = p.get(context.Background(), seen[len(seen)-1].id)
			defer resp.Body.Close()
			r := p.read(resp, id, "tools/call")
			if got := r.text(t); got != "waited 300ms in 3 steps" || len(r.before) != 2 {
				t.Errorf("got %q after %d messages", got, len(r.before))
			}
			// The whole stream can be had again, from any of its events.
			again := p.get(context.Background(), seen[0].id)
			defer again.Body.Close()
			if r := p.read(again, id, "tools/call"); len(r.before) < 2 {
				t.Errorf("replay: %d messages", len(r.before))
			}
		})
	}
}

func TestStandingStream(t *testing.T) {
	s := New(Options{})
	p := httpPeer(t, s, version2025November)
	p.call("resources/subscribe", `{"uri":"demo://config"}`).must(t)
	p.call("tools/call", `{"name":"touch"}`).must(t) // before anyone listens
	ctx, drop := context.WithCancel(context.Background())
	resp := p.get(ctx, "")
	var last event
	n := 0
	for ev := range events(resp.Body) {
		if n++; n == 1 {
			if ev.data != "" || ev.id == "" {
				t.Errorf("not primed: %+v", ev)
			}
			second := p.get(context.Background(), "")
			second.Body.Close()
			if second.StatusCode != http.StatusConflict {
				t.Errorf("second stream: status %d", second.StatusCode)
			}
			continue
		}
		checkMessage(t, p.version, "", []byte(ev.data))
		contains(t, []byte(ev.data), "demo://config")
		if last = ev; n == 3 {
			break
		}
		p.call("tools/call", `{"name":"touch"}`).must(t)
	}
	// A client that comes back takes the stream over, noticed or not.
	p.call("tools/call", `{"name":"touch"}`).must(t)
	resumed := p.get(context.Background(), last.id)
	for ev := range events(resumed.Body) {
		if ev.id == last.id {
			t.Errorf("event %s came twice", ev.id)
		}
		contains(t, []byte(ev.data), "demo://config")
		break
	}
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the connection that was replaced: %v", err)
	}
	drop()
	resp.Body.Close()
	resumed.Body.Close()
	// A plain GET goes on where the last connection stopped. Until the server
	// has seen the old one close, it says that the stream is taken.
	var plain *http.Response
	for plain == nil || plain.StatusCode == http.StatusConflict {
		plain = p.get(context.Background(), "")
		defer plain.Body.Close()
	}
	for ev := range events(plain.Body) {
		if _, n, ok := parseEventID(ev.id); !ok || n <= 4 || ev.data != "" {
			t.Errorf("sent again: %+v", ev)
		}
		break
	}
	if n := s.changes.count(); n != 1 {
		t.Errorf("%d watchers, want 1", n)
	}
	s.sessions.remove(s.sessions.get(p.session))
	if n := s.changes.count(); n != 0 {
		t.Errorf("%d watchers are left", n)
	}
}

func TestSessionsApart(t *testing.T) {
	s := New(Options{})
	a := httpPeer(t, s, version2025June)
	b := *a
	b.session = ""
	b.open()
	if a.session == b.session {
		t.Fatal("one id for two sessions")
	}
	a.call("logging/setLevel", `{"level":"emergency"}`).must(t)
	if n := len(b.call("tools/call", `{"name":"logs"}`).before); n != 7 {
		t.Errorf("%d messages: a level of another session", n)
	}
}

// TestSessionCancel: a lost connection does not cancel, a notification does.
func TestSessionCancel(t *testing.T) {
	s := New(Options{})
	p := httpPeer(t, s, version2025November)
	id, body := p.request("tools/call", `{"name":"slow","arguments":{"seconds":3000}}`)
	ctx, drop := context.WithCancel(context.Background())
	go func() {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(body))
		p.headers(req.Header, body)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
		}
	}()
	h := s.sessions.get(p.session)
	running := func() bool {
		h.busy.mu.Lock()
		defer h.busy.mu.Unlock()
		return len(h.busy.calls) > 0
	}
	for !running() {
		p.call("ping", `{}`)
	}
	drop()
	for range 3 {
		p.call("ping", `{}`)
	}
	if !running() {
		t.Error("the call ended with its connection")
	}
	p.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%s}`, id))
	h.calls.Wait()
	if running() {
		t.Error("the call is still registered")
	}
}

// TestStatelessDisconnect: closing the connection cancels.
func TestStatelessDisconnect(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) }) // runs after the server has closed
	p := httpPeer(t, New(Options{}), version2026July)
	p.meta = map[string]any{"progressToken": "x"}
	_, body := p.request("tools/call", `{"name":"slow","arguments":{"seconds":300,"steps":1000}}`)
	ctx, drop := context.WithCancel(context.Background())
	resp := p.post(ctx, body)
	for ev := range events(resp.Body) {
		contains(t, []byte(ev.data), `"progress":1`)
		break
	}
	drop()
	resp.Body.Close()
}

func TestListenHTTP(t *testing.T) {
	s := New(Options{})
	p := httpPeer(t, s, version2026July)
	id, body := p.request("subscriptions/listen", `{"notifications":{"resourceSubscriptions":["demo://config"]}}`)
	resp := p.post(context.Background(), body)
	defer resp.Body.Close()
	n := 0
	for ev := range events(resp.Body) {
		checkMessage(t, p.version, "subscriptions/listen", []byte(ev.data))
		contains(t, []byte(ev.data), `"io.modelcontextprotocol/subscriptionId":`+id)
		if ev.id != "" {
			t.Errorf("event id %q in the stateless era", ev.id)
		}
		switch n++; n {
		case 1:
			contains(t, []byte(ev.data), "acknowledged")
			p.call("tools/call", `{"name":"touch"}`).must(t)
		case 2:
			contains(t, []byte(ev.data), "notifications/resources/updated")
			s.Close()
		case 3:
			contains(t, []byte(ev.data), `"resultType":"complete"`)
		}
	}
	if n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestBatchHTTP(t *testing.T) {
	p := httpPeer(t, New(Options{}), version2025March)
	resp := p.post(context.Background(), `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`)
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	checkSchema(t, p.version, "JSONRPCBatchResponse", body)
	contains(t, body, `"id":1`, `"id":2`)
	resp = p.post(context.Background(), `[{"jsonrpc":"2.0","method":"notifications/x"}]`)
	resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		t.Errorf("status %d", resp.StatusCode)
	}
}
