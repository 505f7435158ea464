package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// peer is a client as thin as can be: it sends what it is told and checks every
// message it gets against the official schema.
type peer struct {
	t       *testing.T
	version string
	era     rules
	lastID  int
	caps    string         // client capabilities as JSON
	meta    map[string]any // further _meta members of the next requests
	elicit  string         // how to answer elicitation/create, as a JSON result

	// stream
	in    *io.PipeWriter
	lines *bufio.Reader
	// http
	url     string
	session string
}

// reply is a response with what came before it.
type reply struct {
	id     string
	result json.RawMessage
	err    *rpcError
	before []message
	status int
	kind   string // content type
}

func (r reply) must(t *testing.T) json.RawMessage {
	t.Helper()
	if r.err != nil {
		t.Fatalf("unexpected error: %v", r.err)
	}
	return r.result
}

func (r reply) text(t *testing.T) string {
	t.Helper()
	var v struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(r.must(t), &v); err != nil || len(v.Content) == 0 {
		t.Fatalf("no content in %s", r.result)
	}
	return v.Content[0].Text
}

// streamPeer serves one client over pipes; all ends with the test.
func streamPeer(t *testing.T, s *Server, version string) *peer {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- s.ServeStream(context.Background(), serverIn, serverOut)
		serverOut.Close()
	}()
	p := &peer{t: t, version: version, caps: `{"elicitation":{}}`, in: in, lines: bufio.NewReader(out)}
	p.era, _ = rulesFor(version)
	t.Cleanup(func() {
		in.Close()
		go io.Copy(io.Discard, p.lines)
		if err := <-done; err != nil {
			t.Errorf("ServeStream: %v", err)
		}
		goleak.VerifyNone(t, leaks)
	})
	p.open()
	return p
}

// httpPeer serves one client over HTTP.
func httpPeer(t *testing.T, s *Server, version string) *peer {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	hs := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		hs.Close()
		http.DefaultClient.CloseIdleConnections()
		goleak.VerifyNone(t, leaks)
	})
	p := &peer{t: t, version: version, caps: `{"elicitation":{}}`, url: hs.URL + "/mcp"}
	p.era, _ = rulesFor(version)
	p.open()
	return p
}

func (p *peer) open() {
	p.t.Helper()
	if p.era.stateless {
		return
	}
	r := p.call("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}`, p.version, p.caps))
	var v struct{ ProtocolVersion string }
	json.Unmarshal(r.must(p.t), &v)
	if v.ProtocolVersion != p.version {
		p.t.Fatalf("agreed on %q, want %q", v.ProtocolVersion, p.version)
	}
	p.notify("notifications/initialized", `{}`)
}

// request builds a request with a new id.
func (p *peer) request(method, params string) (id, body string) {
	p.t.Helper()
	p.lastID++
	id = fmt.Sprint(p.lastID)
	var all map[string]any
	d := json.NewDecoder(strings.NewReader(params))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		p.t.Fatalf("params %s: %v", params, err)
	}
	meta := map[string]any{}
	for k, v := range p.meta {
		meta[k] = v
	}
	if p.era.stateless {
		meta[metaVersion] = p.version
		meta[metaCapabilities] = json.RawMessage(p.caps)
		meta[metaClientInfo] = map[string]string{"name": "test", "version": "1"}
	}
	if len(meta) > 0 {
		all["_meta"] = meta
	}
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.lastID, "method": method, "params": all})
	if err != nil {
		p.t.Fatal(err)
	}
	return id, string(b)
}

// call sends a request and reads until its response.
func (p *peer) call(method, params string) reply {
	p.t.Helper()
	id, body := p.request(method, params)
	if p.url == "" {
		p.send(body)
		return p.await(id, method)
	}
	resp := p.post(context.Background(), body)
	defer resp.Body.Close()
	r := p.read(resp, id, method)
	if s := resp.Header.Get(headerSession); s != "" {
		p.session = s
	}
	return r
}

func (p *peer) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// await reads messages until the response with an id; "" for one without.
func (p *peer) await(id, method string) reply {
	p.t.Helper()
	var r reply
	for {
		line, err := p.lines.ReadBytes('\n')
		if err != nil {
			p.t.Fatalf("waiting for the response to %s: %v", method, err)
		}
		if p.take(&r, line, id, method) {
			return r
		}
	}
}

// take files one message; true when it is the response.
func (p *peer) take(r *reply, data []byte, id, method string) bool {
	p.t.Helper()
	checkMessage(p.t, p.version, method, data)
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatalf("%v: %s", err, data)
	}
	if m.Method == nil && string(m.ID) == id {
		r.id, r.result, r.err = string(m.ID), m.Result, m.Error
		return true
	}
	r.before = append(r.before, m)
	if m.isRequest() {
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, p.elicit)
		if p.url == "" {
			p.send(answer)
		} else if resp := p.post(context.Background(), answer); resp.StatusCode != http.StatusAccepted {
			p.t.Errorf("answer: status %d", resp.StatusCode)
		} else {
			resp.Body.Close()
		}
	}
	return false
}

func (p *peer) notify(method, params string) {
	p.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	if p.url == "" {
		p.send(body)
		return
	}
	resp := p.post(context.Background(), body)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		p.t.Errorf("%s: status %d", method, resp.StatusCode)
	}
}

// headers sets what the version wants for a body.
func (p *peer) headers(h http.Header, body string) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		h.Set(headerSession, p.session)
	}
	var m struct {
		Method string
		Params struct {
			Name, URI string
			TaskID    string
			Arguments map[string]json.RawMessage
		}
	}
	json.Unmarshal([]byte(body), &m)
	if p.era.stateless || (p.era.versionHeader && m.Method != "initialize") {
		h.Set(headerVersion, p.version)
	}
	if !p.era.stateless {
		return
	}
	h.Set(headerMethod, m.Method)
	if name := m.Params.Name + m.Params.URI + m.Params.TaskID; name != "" {
		h.Set(headerName, name)
	}
	if m.Params.Name == "region" {
		for arg, name := range map[string]string{"region": "Region", "shard": "Shard"} {
			v, ok := m.Params.Arguments[arg]
			if !ok {
				continue
			}
			text := string(v)
			if v[0] == '"' {
				text = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(unquote(v))) + "?="
			}
			h.Set("Mcp-Param-"+name, text)
		}
	}
}

func (p *peer) post(ctx context.Context, body string, edit ...func(http.Header)) *http.Response {
	p.t.Helper()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(body))
	p.headers(req.Header, body)
	for _, e := range edit {
		e(req.Header)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp
}

// read reads the reply to a POST, JSON or events.
func (p *peer) read(resp *http.Response, id, method string) reply {
	p.t.Helper()
	r := reply{status: resp.StatusCode, kind: resp.Header.Get("Content-Type")}
	if r.kind == "application/json" {
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			p.t.Fatal(err)
		}
		if !p.take(&r, data, id, method) {
			p.t.Fatalf("the reply %s is not the response %s", clip(data), id)
		}
		return r
	}
	if r.kind != "text/event-stream" {
		data, _ := io.ReadAll(resp.Body)
		p.t.Fatalf("status %d, type %q: %s", r.status, r.kind, clip(data))
	}
	for ev := range events(resp.Body) {
		if ev.data != "" && p.take(&r, []byte(ev.data), id, method) {
			return r
		}
	}
	p.t.Fatalf("the stream ended without a response to %s", method)
	return r
}

type event struct{ id, data string }

// events yields the events of a stream.
func events(body io.Reader) func(yield func(event) bool) {
	r := bufio.NewReader(body)
	return func(yield func(event) bool) {
		var ev event
		seen := false
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSuffix(line, "\n")
			switch name, value, _ := strings.Cut(line, ":"); {
			case line == "":
				if seen && !yield(ev) {
					return
				}
				ev, seen = event{id: ev.id}, false
			case name == "id":
				ev.id = strings.TrimPrefix(value, " ")
			case name == "data":
				ev.data += strings.TrimPrefix(value, " ")
				seen = true
			}
		}
	}
}

// everywhere runs a test for every version over both transports.
func everywhere(t *testing.T, run func(t *testing.T, p *peer)) {
	for _, v := range allVersions() {
		t.Run(v+"/stream", func(t *testing.T) { run(t, streamPeer(t, New(Options{Version: "9"}), v)) })
		t.Run(v+"/http", func(t *testing.T) { run(t, httpPeer(t, New(Options{Version: "9"}), v)) })
	}
}

func contains(t *testing.T, got []byte, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !bytes.Contains(got, []byte(w)) {
			t.Errorf("%s\n  lacks %s", clip(got), w)
		}
	}
}

func wantCode(t *testing.T, r reply, code int) {
	t.Helper()
	if r.err == nil || r.err.Code != code {
		t.Errorf("got %v %s, want the error %d", r.err, clip(r.result), code)
	}
}
