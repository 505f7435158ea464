package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// HandshakeError is a server with which no session could be opened.
type HandshakeError struct {
	Method string // the message that failed: initialize, server/discover, notifications/initialized
	Err    error

	// Probe is what server/discover met before, when the server was taken for
	// one of the stateful era because of it.
	Probe error
}

func (e *HandshakeError) Error() string {
	s := e.Method + " failed: " + e.Err.Error()
	if e.Probe != nil && e.Probe.Error() != e.Err.Error() {
		s += " (" + methodDiscover + " before it: " + e.Probe.Error() + ")"
	}
	return s
}

func (e *HandshakeError) Unwrap() error { return e.Err }

// VersionError is a server that speaks no version wanted here.
type VersionError struct {
	Wanted    []string
	Supported []string // by the server, as far as it said
	Err       error    // the server's own words, if it had any
}

func (e *VersionError) Error() string {
	s := "no common protocol version: wanted " + strings.Join(e.Wanted, ", ")
	if len(e.Supported) > 0 {
		s += "; the server supports " + strings.Join(e.Supported, ", ")
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *VersionError) Unwrap() error { return e.Err }

// ProtocolError is an answer that breaks the rules of MCP.
type ProtocolError struct {
	Method string
	Reason string
	Err    error
}

func (e *ProtocolError) Error() string {
	return "bad answer to " + e.Method + ": " + e.Reason
}

func (e *ProtocolError) Unwrap() error { return e.Err }

func unknownResultType(method, kind string) error {
	return &ProtocolError{Method: method, Reason: fmt.Sprintf("unknown resultType %q", kind)}
}

// RPCError is a JSON-RPC error that the server answered with.
type RPCError struct {
	Method string
	Err    *jsonrpc.Error
}

func (e *RPCError) Error() string {
	s := fmt.Sprintf("%s: the server answered with error %d: %s", e.Method, e.Err.Code, e.Err.Message)
	if e.Err.Data != nil {
		s += " (data: " + shorten(string(e.Err.Data)) + ")"
	}
	return s
}

func (e *RPCError) Unwrap() error { return e.Err }

// serverError puts an error that the server answered with into the words of
// this package, when err is one. A refusal of credentials stays one, whatever
// its body says.
func serverError(method string, err error) error {
	var rpc *jsonrpc.Error
	var auth *transport.AuthError
	if errors.As(err, &auth) || !errors.As(err, &rpc) {
		return err
	}
	return &RPCError{Method: method, Err: rpc}
}

// CapabilityError is a request that was not sent because the server does not
// offer what it needs. It counts as an error answer with the code -32601.
type CapabilityError struct {
	Method     string
	Capability string
}

func (e *CapabilityError) Error() string {
	return fmt.Sprintf("%s: the server does not offer the capability %q (%d); nothing was sent",
		e.Method, e.Capability, jsonrpc.CodeMethodNotFound)
}

// TimeoutError is a limit of time that ran out.
type TimeoutError struct {
	Limit string        // "timeout", "connect-timeout" or "max-time"
	After time.Duration // what it was set to
	Doing string        // the step it ran out at
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s of %s ran out during %s", e.Limit, e.After, e.Doing)
}

// Timeout reports true, as net.Error asks.
func (e *TimeoutError) Timeout() bool { return true }

// CursorError is a list whose pages repeat.
type CursorError struct {
	Method string
	Cursor string
}

func (e *CursorError) Error() string {
	return fmt.Sprintf("%s: the cursor %.60q came a second time, so the list would never end", e.Method, e.Cursor)
}

// InputRequiredError is a server that wants input for which there is no handler.
type InputRequiredError struct {
	Method   string
	Requests map[string]InputRequest // by the server's keys
	Err      error                   // why one was not answered; nil if nobody could
}

// InputRequest is one thing a server wants of the client before it goes on.
type InputRequest struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

func (e *InputRequiredError) Error() string {
	var wants []string
	for _, key := range sortedKeys(e.Requests) {
		r := e.Requests[key]
		var p struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(r.Params, &p) // only elicitations have a message
		want := r.Method
		if p.Message != "" {
			want += fmt.Sprintf(" %q", p.Message)
		}
		wants = append(wants, want)
	}
	s := e.Method + ": the server requires input: " + strings.Join(wants, ", ")
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *InputRequiredError) Unwrap() error { return e.Err }

// shorten bounds what an error repeats of a server's words.
func shorten(s string) string {
	const most = 1000
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
