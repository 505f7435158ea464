package mcptest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// endpointPath is what rules call the MCP endpoint; "/" and "/sse" are it as well.
const endpointPath = "/mcp"

// Handler returns the script as an HTTP server. It is for net/http's own server:
// some steps take the connection away from it. A record file that cannot be
// opened shows as status 500.
func Handler(script *Script) http.Handler {
	return handler(script, &inProcess{})
}

func handler(script *Script, proc process) http.Handler {
	s, err := newServer(script, proc)
	if err != nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		})
	}
	h := &httpServer{server: s}
	if script.oldSSE {
		h.stream = newEventStream()
	}
	return h
}

// httpServer serves a script over HTTP, in the transport the script asks for.
type httpServer struct {
	server *server
	stream *eventStream // of the 2024-11-05 transport, else nil
	dead   atomic.Bool  // the script has said exit, in a process that lives on
}

func (h *httpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := h.server
	if h.dead.Load() {
		panic(http.ErrAbortHandler)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.record.request(r, body)
	to := &httpSink{w: w, r: r, status: http.StatusOK, sse: s.script.sse}
	t := s.newTurn(r.Context(), to, &message{})
	path := r.URL.Path
	if path == "/" || path == "/sse" {
		path = endpointPath
	}
	err = h.request(t, to, path, body)
	if r.Context().Err() != nil && !to.answered {
		s.record.line("gone " + cmp.Or(t.msg.Method, r.Method))
	}
	if err != nil {
		// Exits and steps that cannot be done both end without an answer.
		h.dead.CompareAndSwap(false, isExit(err))
		to.abort()
		return
	}
	to.finish()
}

func (h *httpServer) request(t *turn, to *httpSink, path string, body []byte) error {
	if path == endpointPath {
		r, err := t.doHead("HTTP", "")
		if err != nil || r != nil && r.answers {
			return err
		}
	}
	isPost := to.r.Method == http.MethodPost
	if !isPost || path != endpointPath {
		r, err := t.doHead(to.r.Method, path)
		if err != nil || r != nil && r.answers {
			return err
		}
	}
	if h.stream != nil {
		return h.stream.request(t, to, path, body)
	}
	switch {
	case path != endpointPath:
		to.status = http.StatusNotFound
	case isPost:
		return h.post(t, to, body)
	case to.r.Method == http.MethodDelete && h.server.closeSession(to.session()):
	default:
		to.status = http.StatusMethodNotAllowed
	}
	return nil
}

// post handles the messages of one POST.
func (h *httpServer) post(t *turn, to *httpSink, body []byte) error {
	messages, batch, err := parseMessages(body)
	if err != nil {
		to.status = http.StatusBadRequest
		return t.fail(-32700, "Parse error", nil)
	}
	var target sink = to
	var gathered *batchSink
	if batch {
		gathered = &batchSink{sink: to}
		target = gathered
	}
	for i, m := range messages {
		one := h.server.newTurn(t.ctx, target, m)
		if i == 0 {
			t.msg = m
		}
		one.known = h.server.hasSession(to.session())
		work, _ := one.begin()
		if !one.known && one.run == 0 && !m.isResponse() && h.needsSession(one) {
			return to.refuse(one)
		}
		if err := work(); err != nil {
			return err
		}
	}
	if gathered != nil {
		return gathered.flush(t)
	}
	return nil
}

// needsSession tells whether the older eras let nobody without a session do this.
func (h *httpServer) needsSession(t *turn) bool {
	if t.stateless() || h.server.script.session == "none" {
		return false
	}
	return t.msg.Method != "initialize" && t.msg.Method != "ping"
}

// refuse turns away what belongs to no session.
func (h *httpSink) refuse(t *turn) error {
	h.answered = true
	h.status = http.StatusBadRequest
	if h.session() != "" {
		h.status = http.StatusNotFound
	}
	return h.write(t, "application/json", func(w io.Writer) error {
		_, err := io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session"}}`)
		return err
	})
}

func (h *httpSink) session() string { return h.r.Header.Get("Mcp-Session-Id") }

func (h *httpSink) openSession(s *server) {
	if s.script.session == "none" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessionsNo++
	id := fmt.Sprintf("%s-%d", s.script.session, s.sessionsNo)
	s.sessions[id] = true
	h.w.Header().Set("Mcp-Session-Id", id)
}

func (s *server) hasSession(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script.session == "none" {
		return s.initialized
	}
	return s.sessions[id]
}

func (s *server) closeSession(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.sessions[id]
	delete(s.sessions, id)
	return open
}

func (s *server) loseSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
	s.initialized = false
}

// errorStatus gives an error the HTTP status that the stateless era fixes for it.
func (t *turn) errorStatus(code int) {
	h, ok := t.sink.(*httpSink)
	if !ok || h.statusSet || !t.stateless() && code != -32022 {
		return
	}
	switch code {
	case -32601:
		h.status = http.StatusNotFound
	case -32020, -32021, -32022, -32602:
		// Of -32602 only the missing _meta is fixed; a server may use it for all.
		h.status = http.StatusBadRequest
	}
}

// headerMismatch compares the headers of the stateless era with the body.
func headerMismatch(header http.Header, m *message) string {
	name := header.Get("Mcp-Name")
	if b, ok := strings.CutPrefix(name, "=?base64?"); ok && strings.HasSuffix(b, "?=") {
		decoded, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(b, "?="))
		if err != nil {
			return "Mcp-Name is not base64"
		}
		name = string(decoded)
	}
	named := slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, m.Method)
	switch {
	case header.Get("Mcp-Protocol-Version") != m.metaVersion():
		return "MCP-Protocol-Version"
	case header.Get("Mcp-Method") != m.Method:
		return "Mcp-Method"
	case named && name != m.name():
		return "Mcp-Name"
	}
	return ""
}
