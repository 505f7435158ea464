package demo

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Names of the headers that the HTTP transport defines.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// Handler serves Streamable HTTP of both eras at whatever path it is mounted.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.alive.Err() != nil:
			http.Error(w, "the server is stopping", http.StatusServiceUnavailable)
		case !localOrigin(r.Header):
			reject(w, http.StatusForbidden, nil, rpcErrorf(codeInvalidRequest, "origin %q is not allowed", r.Header.Get("Origin")))
		case r.Method == http.MethodPost:
			s.post(w, r)
		case r.Header.Get(headerVersion) == version2026July:
			w.Header().Set("Allow", "POST")
			http.Error(w, "protocol version "+version2026July+" uses POST only", http.StatusMethodNotAllowed)
		case r.Method == http.MethodGet:
			s.get(w, r)
		case r.Method == http.MethodDelete:
			s.delete(w, r)
		default:
			w.Header().Set("Allow", "GET, POST, DELETE")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		}
	})
}

// localOrigin guards against web pages that reach a local server through the
// user's browser.
func localOrigin(h http.Header) bool {
	for _, origin := range h.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil {
			return false
		}
		host := u.Hostname()
		addr, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !addr.IsLoopback()) {
			return false
		}
	}
	return true
}

// statelessHeader reports whether the version header names no stateful version,
// and so is for the stateless era to judge.
func statelessHeader(h http.Header) bool {
	v, ok := headerValue(h, headerVersion)
	return ok && !slices.Contains(statefulVersions(), v)
}

// headerValue returns a header and whether it was sent; it may be empty.
func headerValue(h http.Header, name string) (string, bool) {
	v := h.Values(name)
	if len(v) == 0 {
		return "", false
	}
	return v[0], true
}

// post reads the message of a POST and hands it to the era it speaks.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		http.Error(w, "the Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list application/json and text/event-stream", http.StatusNotAcceptable)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			http.Error(w, "the message is too large", http.StatusRequestEntityTooLarge)
		}
		return // otherwise the client has gone
	}
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 64)])), "[") {
		s.postBatch(w, r, body)
		return
	}
	m, err := decodeMessage(body)
	if err != nil {
		reject(w, http.StatusBadRequest, m, err)
		return
	}
	_, hasSession := headerValue(r.Header, headerSession)
	_, hasMethod := headerValue(r.Header, headerMethod)
	switch {
	case speaksStateless(m), r.Header.Get(headerVersion) == version2026July:
		s.postStateless(w, r, m)
	case m.method() == "initialize" && m.isRequest():
		s.postInitialize(w, r, m)
	case !hasSession && (hasMethod || statelessHeader(r.Header)):
		// A request without metadata by a client of the stateless era: its own
		// mistakes are to be told, not the want of a session.
		s.postStateless(w, r, m)
	default:
		s.postStateful(w, r, m)
	}
}

// accepts reports whether Accept lists a media type. Wildcards do not count:
// the specification has clients name both types.
func accepts(h http.Header, want string) bool {
	for _, line := range h.Values("Accept") {
		for one := range strings.SplitSeq(line, ",") {
			if t, _, err := mime.ParseMediaType(one); err == nil && t == want {
				return true
			}
		}
	}
	return false
}

// reject answers with an HTTP error whose body is a JSON-RPC error.
func reject(w http.ResponseWriter, status int, m *message, err error) {
	r := response{err: asRPCError(err)}
	if m != nil {
		r.id = m.ID
	}
	respond(w, status, r)
}

// respond writes one message as JSON. A failed write means that the client has
// gone, which nobody is left to be told.
func respond(w http.ResponseWriter, status int, frame any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = writeFrame(w, frame)
}

// startEvents turns a reply into an event stream.
func startEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // else nginx holds events back
	w.WriteHeader(http.StatusOK)
	flush(w)
}

// flush sends what was written. Its error is that of the write before it.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
