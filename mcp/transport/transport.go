// Package transport carries JSON-RPC calls to one MCP server: over the pipes
// of a process it starts, over Streamable HTTP, or over any byte stream.
//
// What differs between transports stays behind [Conn]. It carries calls rather
// than messages, because a call is what HTTP keeps together: one POST, its
// status, its headers and its reply stream.
package transport

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"mcpq/mcp/jsonrpc"
)

// Conn carries calls to one server. Its methods are safe for concurrent use.
type Conn interface {
	// Call sends a request and waits for its response. An error response
	// comes back as a message, unless HTTP gave it a failing status: then as
	// *HTTPError, which unwraps to it. When ctx ends, the call is cancelled
	// as out.Cancel says and the cause of ctx returned.
	Call(ctx context.Context, out *Outgoing) (*jsonrpc.Message, error)

	// Notify sends a notification.
	Notify(ctx context.Context, out *Outgoing) error

	// Listen takes the messages that the server sends outside of any call,
	// until ctx ends or the connection does. Where they need no channel of
	// their own it only waits.
	Listen(ctx context.Context) error

	// Close ends the connection, and the server if it was started for it. It
	// is bounded in time; when ctx ends, what is left is killed.
	Close(ctx context.Context) error

	// Name is "stdio", "http" and so on.
	Name() string
}

// Cancel says how the server learns that a call was given up.
type Cancel int

const (
	// CancelStateless is the way of 2026-07-28: HTTP closes the response
	// stream, other transports send notifications/cancelled.
	CancelStateless Cancel = iota
	// CancelNotice sends notifications/cancelled on every transport, as up to
	// 2025-11-25.
	CancelNotice
	// CancelSilent tells nothing, for initialize and for probes.
	CancelSilent
)

// Outgoing is a request or notification on its way.
type Outgoing struct {
	Method string
	Params json.RawMessage // nil: left out
	Header http.Header     // beside the common ones; ignored where there is no HTTP
	Cancel Cancel

	// Began, when set, is told the request's id before it is sent.
	Began func(jsonrpc.ID)

	// Resume allows a broken reply stream to be taken up again where it
	// broke, by its event ids (Streamable HTTP up to 2025-11-25).
	Resume bool

	// Result, when set, takes a result of more than jsonrpc.InlineResult
	// bytes as it arrives; see [jsonrpc.Request.Result].
	Result func(io.Reader) error
}

// Peer is what a transport needs back from its user. It is given once, when
// dialling, so that nothing that comes early is lost.
type Peer struct {
	// Handler takes what the server sends on its own account. Its Trace is
	// not used: see Trace.
	Handler jsonrpc.Handler

	// Header gives the headers of the session's era, for every HTTP request
	// including those a transport makes by itself. May be nil.
	Header func() http.Header

	// Trace is shown every message. Setting it keeps large results in memory.
	Trace func(Event)

	// Listening, when set, is called whenever what Listen waits for can come
	// from now on: when it begins, and after a break. resumed tells that the
	// stream was taken up where it broke.
	Listening func(resumed bool)

	// MaxMessage bounds what is held of one message, in bytes; 0 means
	// jsonrpc.DefaultMaxMessage.
	MaxMessage int64
}

func (p *Peer) listening(resumed bool) {
	if p.Listening != nil {
		p.Listening(resumed)
	}
}

// Event is a message on the wire, or an HTTP exchange without one.
type Event struct {
	Sent      bool
	Transport string
	Message   []byte // one line of JSON; nil for an HTTP answer without message
	HTTP      *HTTPEvent
}

// HTTPEvent is the HTTP side of an event. Secrets are still in it.
type HTTPEvent struct {
	Method string
	URL    string
	Status int // 0 in requests
	Header http.Header
}

// Dialer makes connections to one server.
type Dialer interface {
	// Dial starts or reaches the server. It returns *ConnectError when it
	// cannot.
	Dial(ctx context.Context, p Peer) (Conn, error)
}

func (p *Peer) muxHandler(name string) jsonrpc.Handler {
	h := p.Handler
	h.Trace = nil
	if p.Trace != nil {
		h.Trace = func(sent bool, m []byte) { p.Trace(Event{Sent: sent, Transport: name, Message: m}) }
	}
	return h
}
