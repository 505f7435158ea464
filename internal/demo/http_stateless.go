package demo

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// postStateless answers a POST of the stateless era. The request lives as long
// as its connection: a client cancels by closing it.
func (s *Server) postStateless(w http.ResponseWriter, r *http.Request, m *message) {
	if !m.isRequest() {
		s.acceptStateless(w, m)
		return
	}
	if err := checkVersionHeader(r.Header, m); err != nil {
		reject(w, http.StatusBadRequest, m, err)
		return
	}
	c, err := s.openStateless(m)
	if err == nil {
		err = checkHeaders(r.Header, m)
	}
	if err != nil {
		reject(w, http.StatusBadRequest, m, err)
		return
	}
	h := s.statelessHandler(m.method())
	if h == nil {
		reject(w, http.StatusNotFound, m, rpcErrorf(codeMethodNotFound, "unknown method %q", m.method()))
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.alive, cancel)()

	// The reply becomes an event stream when there is something to tell before
	// the response. Handlers send from this goroutine only.
	streaming := false
	c.header = r.Header
	c.send = func(frame any) {
		if !streaming {
			streaming = true
			startEvents(w)
		}
		writeEvent(w, frame)
	}
	c.keepAlive = func() {
		_, _ = io.WriteString(w, ": keep-alive\n\n")
		flush(w)
	}
	res, ok := answer(ctx, c, h)
	switch {
	case !ok:
	case streaming:
		writeEvent(w, res)
	default:
		respond(w, statusOf(res.err), res)
	}
}

// statusOf is the HTTP status that a response's error prescribes.
func statusOf(err *rpcError) int {
	if err != nil {
		switch err.Code {
		case codeHeaderMismatch, codeMissingCapability, codeVersion:
			return http.StatusBadRequest
		case codeMethodNotFound:
			return http.StatusNotFound
		}
	}
	return http.StatusOK
}

// acceptStateless takes a message that is no request. Over HTTP this era
// defines none: a cancellation or a response is a mistake of the client.
func (s *Server) acceptStateless(w http.ResponseWriter, m *message) {
	switch {
	case !m.isNotification():
		reject(w, http.StatusBadRequest, nil, rpcErrorf(codeInvalidRequest, "clients send no responses in protocol version %s", version2026July))
	case m.method() == "notifications/cancelled":
		reject(w, http.StatusBadRequest, nil, rpcErrorf(codeInvalidRequest, "a request is cancelled by closing its response stream"))
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// writeEvent writes one event without an id: these streams do not resume.
func writeEvent(w http.ResponseWriter, frame any) {
	_, _ = io.WriteString(w, "data: ")
	_ = writeFrame(w, frame) // a write fails when the client has gone; its request ends by context
	_, _ = io.WriteString(w, "\n\n")
	flush(w)
}

// checkVersionHeader compares the version header with the body.
func checkVersionHeader(h http.Header, m *message) error {
	v, ok := metaOf(m)[metaVersion]
	if !ok || kindOf(v) != "string" {
		return nil // missing metadata has an error of its own
	}
	return compareHeader(h, headerVersion, unquote(v), false)
}

// checkHeaders compares the headers that repeat a request's method and name.
func checkHeaders(h http.Header, m *message) error {
	if err := compareHeader(h, headerMethod, m.method(), false); err != nil {
		return err
	}
	var p struct{ Name, URI, TaskID *string }
	if decodeParams(m.Params, &p) != nil {
		return nil // the handler will say what is wrong with the params
	}
	named := p.Name
	switch m.method() {
	case "tools/call", "prompts/get":
	case "resources/read":
		named = p.URI
	case "tasks/get", "tasks/update", "tasks/cancel":
		named = p.TaskID
	default:
		return nil
	}
	if named == nil {
		return nil
	}
	return compareHeader(h, headerName, *named, true)
}

func compareHeader(h http.Header, name, want string, encoded bool) error {
	values := h.Values(name)
	if len(values) != 1 {
		return rpcErrorf(codeHeaderMismatch, "header mismatch: want one %s header, got %d", name, len(values))
	}
	got := values[0]
	if encoded {
		var err error
		if got, err = decodeHeader(got); err != nil {
			return rpcErrorf(codeHeaderMismatch, "header mismatch: %s is not well encoded", name)
		}
	}
	if got != want {
		return rpcErrorf(codeHeaderMismatch, "header mismatch: %s is %q, the body has %q", name, got, want)
	}
	return nil
}

// decodeHeader undoes the base64 form of values that are no plain header text.
func decodeHeader(v string) (string, error) {
	inner, ok := strings.CutPrefix(v, "=?base64?")
	if ok {
		inner, ok = strings.CutSuffix(inner, "?=")
	}
	if !ok {
		for _, b := range []byte(v) {
			if (b < ' ' && b != '\t') || b > '~' {
				return "", errors.New("the value is no plain text and not encoded")
			}
		}
		return v, nil
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(raw), err
}

// checkParamHeaders compares the Mcp-Param headers of a tool call with the
// arguments they repeat. An absent or null argument has no header.
func checkParamHeaders(h http.Header, params []param, raw map[string]json.RawMessage) error {
	for _, p := range params {
		if p.header == "" {
			continue
		}
		name := "Mcp-Param-" + p.header
		v, given := raw[p.name]
		if !given || kindOf(v) == "null" {
			if _, sent := headerValue(h, name); sent {
				return rpcErrorf(codeHeaderMismatch, "header mismatch: %s was sent without the argument %q", name, p.name)
			}
			continue
		}
		want := string(v)
		switch kindOf(v) {
		case "string":
			want = unquote(v)
		case "number":
			if n, ok := exact(want); ok && n.IsInt() {
				want = n.Num().String()
			}
		case "object", "array":
			continue // no header form; the check of the arguments refuses it
		}
		if err := compareHeader(h, name, want, true); err != nil {
			return err
		}
	}
	return nil
}
