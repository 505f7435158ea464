package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
)

// What -v and -vv show is for a person, in the manner of curl: "* " for what
// happens, "> " for what is sent, "< " for what is received.

// note says what happens, with -v.
func (r *runner) note(format string, a ...any) {
	if r.grammar != nil && r.grammar.Verbose > 0 {
		r.messages.Line("* " + fmt.Sprintf(format, a...))
	}
}

// noteSession says what session was opened, and how fast.
func (r *runner) noteSession(i *mcp.ServerInfo) {
	r.note("%s, %s, protocol %s; connected in %s, handshake in %s",
		i.Transport, i.Era, i.ProtocolVersion, brieflyTook(i.Dial), brieflyTook(i.Handshake))
	var server struct{ Name, Title, Version string }
	if json.Unmarshal(i.ServerInfo, &server) == nil && server.Name != "" {
		words := append([]string{"server", server.Name}, strings.Fields(server.Version)...)
		if server.Title != "" {
			words = append(words, "("+server.Title+")")
		}
		r.note("%s", brief(strings.Join(words, " ")))
	}
}

// exchanged is told of every request that was answered, with -v.
func (r *runner) exchanged() func(mcp.Exchange) {
	if r.grammar.Verbose == 0 {
		return nil
	}
	return func(e mcp.Exchange) {
		var rpc *jsonrpc.Error
		switch {
		case e.Err == nil:
			r.note("%s: %s, %d bytes", e.Method, brieflyTook(e.Took), e.Bytes)
		case errors.As(e.Err, &rpc):
			r.note("%s: error %d after %s", e.Method, rpc.Code, brieflyTook(e.Took))
		default:
			r.note("%s: no answer after %s", e.Method, brieflyTook(e.Took))
		}
	}
}

// brieflyTook is a time as a person reads it: three digits are enough.
func brieflyTook(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

// showTraced shows a message or an HTTP exchange, with -vv.
func (r *runner) showTraced(e *traced) {
	arrow := "< "
	if e.Dir == dirSend {
		arrow = "> "
	}
	if h := e.HTTP; h != nil {
		first := h.Method + " " + h.URL
		if h.Status != 0 {
			first = fmt.Sprintf("HTTP %d %s", h.Status, http.StatusText(h.Status))
		}
		r.messages.Line(arrow + first)
		names := make([]string, 0, len(h.Headers))
		for name := range h.Headers {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			r.messages.Line(arrow + name + ": " + h.Headers[name])
		}
	}
	if e.Message != nil {
		r.messages.Line(arrow + cutMessage(string(e.Message)))
	}
}

// cutMessage keeps a long message from filling the terminal; --trace has it
// whole.
func cutMessage(m string) string {
	const most = 2000
	if len(m) <= most {
		return m
	}
	end := most
	for !utf8.RuneStart(m[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes)", m[:end], len(m))
}
