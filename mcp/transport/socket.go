package transport

import (
	"context"
	"errors"
	"net"

	"mcpq/mcp/jsonrpc"
)

// Socket is the Dialer of a server that listens on a Unix or TCP socket and
// speaks as over the pipes of a process.
type Socket struct {
	Network string // "unix" or "tcp"
	Address string // a path, or host:port

	// Framing tells messages apart; nil means jsonrpc.NewStream.
	Framing jsonrpc.Framing
}

// Dial connects to the server.
func (s Socket) Dial(ctx context.Context, p Peer) (Conn, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	refuse := func(err error) error { return &ConnectError{Target: s.Network + " socket " + s.Address, Err: err} }
	if s.Network != "unix" && s.Network != "tcp" {
		return nil, refuse(errors.New("not a network for sockets: unix or tcp"))
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, s.Network, s.Address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var op *net.OpError
		if errors.As(err, &op) { // which repeats the address
			err = op.Err
		}
		return nil, refuse(err)
	}
	framing := s.Framing
	if framing == nil {
		framing = jsonrpc.NewStream
	}
	return newStreamConn(s.Network, framing(c, c, c.Close), p), nil
}
