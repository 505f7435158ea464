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
		i.Transport, i.Era, i.ProtocolVersion, roughly(i.Dial), roughly(i.Handshake))
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
			r.note("%s: %s, %d bytes", e.Method, roughly(e.Took), e.Bytes)
		case errors.As(e.Err, &rpc):
			r.note("%s: error %d after %s", e.Method, rpc.Code, roughly(e.Took))
		default:
			r.note("%s: no answer after %s", e.Method, roughly(e.Took))
		}
	}
}

// roughly is a time as a person reads it: three digits are enough.
func roughly(d time.Duration) time.Duration {
	const digits = 1000
	step := time.Duration(1)
	for d/step >= digits {
		step *= 10
	}
	return d.Round(step)
}

// showTraced shows a message or an HTTP exchange, with -vv.
func (r *runner) showTraced(e *traced) {
	arrow := "< "
	if e.Dir == dirSend {
		arrow = "> "
	}
	var lines []string
	if h := e.HTTP; h != nil {
		first := h.Method + " " + h.URL
		if h.Status != 0 {
			first = fmt.Sprintf("HTTP %d %s", h.Status, http.StatusText(h.Status))
		}
		lines = append(lines, arrow+first)
		names := make([]string, 0, len(h.Headers))
		for name := range h.Headers {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			lines = append(lines, arrow+name+": "+h.Headers[name])
		}
	}
	if e.Message != nil {
		lines = append(lines, arrow+cutMessage(string(e.Message)))
	}
	r.messages.Line(lines...)
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
