package transport

import (
	"context"

	"mcpq/mcp/jsonrpc"
)

// streamConn is the Conn of a byte stream. A transport that is one implements
// jsonrpc.Stream and gets everything else from here.
type streamConn struct {
	name  string
	peer  *Peer
	mux   *jsonrpc.Mux
	end   func(ctx context.Context) error // shuts the stream down
	cause func(error) error               // explains a failed connection better
}

func newStreamConn(name string, s jsonrpc.Stream, p Peer) *streamConn {
	return &streamConn{
		name:  name,
		peer:  &p,
		mux:   jsonrpc.NewMux(s, p.muxHandler(name), p.MaxMessage),
		cause: func(err error) error { return err },
	}
}

func (c *streamConn) Name() string { return c.name }

func (c *streamConn) Call(ctx context.Context, out *Outgoing) (*jsonrpc.Message, error) {
	m, err := c.mux.Call(ctx, &jsonrpc.Request{
		Method:   out.Method,
		Params:   out.Params,
		NoCancel: out.Cancel == CancelSilent,
		Began:    out.Began,
		Result:   out.Result,
	})
	if err != nil {
		return nil, c.cause(err)
	}
	return m, nil
}

func (c *streamConn) Notify(ctx context.Context, out *Outgoing) error {
	if err := c.mux.Notify(ctx, out.Method, out.Params); err != nil {
		return c.cause(err)
	}
	return nil
}

func (c *streamConn) Listen(ctx context.Context) error {
	c.peer.listening(false)
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.mux.Done():
		return c.cause(c.mux.Err())
	}
}

func (c *streamConn) Close(ctx context.Context) error {
	if c.end != nil {
		if err := c.end(ctx); err != nil {
			return err
		}
	}
	return c.mux.Close()
}

// Stream is the Dialer of a connection that exists already, such as an
// in-process pair. It can be dialled once.
type Stream struct {
	Label  string // what Name gives; empty means "stream"
	Stream jsonrpc.Stream
}

// Dial starts to read the stream.
func (s Stream) Dial(ctx context.Context, p Peer) (Conn, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := s.Label
	if name == "" {
		name = "stream"
	}
	return newStreamConn(name, s.Stream, p), nil
}
