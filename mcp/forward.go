package mcp

import (
	"context"
	"encoding/json"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Forward sends a request of somebody else: its parameters go out as they are,
// metadata included, nothing is checked or answered on the way, and no limit of
// time but that of ctx holds. An error of the server is a message as well. The
// function began, when set, is told the id that the request has at the server
// before it is sent.
//
// It is for programs that share a session among several clients. What the
// server tells of the request comes to Handlers.Notification.
func (c *Client) Forward(ctx context.Context, method string, params json.RawMessage, began func(jsonrpc.ID)) (*jsonrpc.Message, error) {
	s, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	out := &transport.Outgoing{Method: method, Params: params, Began: began}
	if err := s.era.complete(out, nil); err != nil {
		return nil, badParams(method, err)
	}
	out.Params = params // in place of our own metadata
	return c.conn.Call(ctx, out)
}

// Wait waits until a connection over a byte stream ends, and says why it did; or
// until ctx ends, and gives its cause.
func (c *Client) Wait(ctx context.Context) error { return c.conn.Listen(ctx) }
