package mcp

import (
	"context"
	"encoding/json"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// progressWatch is a request in flight that may get progress notifications.
type progressWatch struct {
	method string
	extend func() // starts its time limit anew
}

// Notify sends a notification.
func (c *Client) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return c.conn.Notify(ctx, &transport.Outgoing{Method: method, Params: params})
}

// notified takes what the server tells. It is called in the order of the wire.
func (c *Client) notified(_ context.Context, m *jsonrpc.Message) {
	h := &c.options.Handlers
	switch m.Method {
	case "notifications/progress":
		c.progressed(m)
	case "notifications/message":
		var p LogMessage
		if h.Log != nil && json.Unmarshal(m.Params, &p) == nil {
			h.Log(p)
		}
	}
	if h.Notification != nil {
		h.Notification(m.Method, m.Params)
	}
}

func (c *Client) progressed(m *jsonrpc.Message) {
	var p struct {
		Token    json.Number `json:"progressToken"`
		Progress json.Number `json:"progress"`
		Total    json.Number `json:"total"`
		Message  string      `json:"message"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	token, err := p.Token.Int64()
	if err != nil {
		return // not one of ours
	}
	w, ok := c.watching.Load(token)
	if !ok {
		return
	}
	watch := w.(*progressWatch)
	if !c.options.NoProgressReset {
		watch.extend()
	}
	if c.options.Handlers.Progress != nil {
		c.options.Handlers.Progress(Progress{
			Method: watch.method, Progress: p.Progress, Total: p.Total, Message: p.Message, Params: m.Params,
		})
	}
}
