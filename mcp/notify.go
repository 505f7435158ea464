package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Notify sends a notification. Its params are a JSON object, or nil.
func (c *Client) Notify(ctx context.Context, method string, params json.RawMessage) error {
	s, err := c.current(ctx)
	if err != nil {
		return err
	}
	out := &transport.Outgoing{Method: method, Header: s.era.notification(method)}
	if out.Params, err = setMeta(params, nil); err != nil {
		return badParams(method, err)
	}
	return c.conn.Notify(ctx, out)
}

// notified takes what the server tells. It is called in the order of the wire.
func (c *Client) notified(_ context.Context, m *jsonrpc.Message) {
	h := &c.options.Handlers
	c.options.memory.changed(subjectOf(m.Method))
	watched := c.watches.notified(m)
	switch m.Method {
	case "notifications/progress":
		c.progressed(m)
	case "notifications/message":
		var p LogMessage
		if h.Log != nil && !watched && json.Unmarshal(m.Params, &p) == nil {
			h.Log(p)
		}
	case "notifications/elicitation/complete":
		c.consents.completed(m.Params)
	}
	if h.Notification != nil {
		h.Notification(m.Method, m.Params)
	}
}

// progressWatch is a request in flight that may get progress notifications.
type progressWatch struct {
	method string
	limit  *limit
}

// progressToken finds the token that the user put into the params, which then
// stays; nil if there is none.
func progressToken(params json.RawMessage) json.RawMessage {
	if !bytes.Contains(params, []byte("progressToken")) && !bytes.Contains(params, []byte(`\u`)) {
		return nil // which spares most requests the reading
	}
	object, err := rawjson.ParseObject(params)
	if err != nil {
		return nil
	}
	raw, _ := object.Get("_meta")
	if object, err = rawjson.ParseObject(raw); err != nil {
		return nil
	}
	token, _ := object.Get("progressToken")
	return token
}

// tokenKey makes tokens comparable however they are spelled.
func tokenKey(token json.RawMessage) string {
	if s, ok := rawjson.Unquote(token); ok {
		return `"` + s
	}
	if f, err := strconv.ParseFloat(string(token), 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return string(token)
}

func (c *Client) progressed(m *jsonrpc.Message) {
	object, err := rawjson.ParseObject(m.Params)
	if err != nil {
		return
	}
	token, _ := object.Get("progressToken")
	w, ok := c.watching.Load(tokenKey(token))
	if !ok {
		return // its request is done, or it is none of ours
	}
	watch := w.(*progressWatch)
	if !c.options.NoProgressReset {
		watch.limit.extend()
	}
	if c.options.Handlers.Progress == nil {
		return
	}
	number := func(name string) json.Number {
		raw, _ := object.Get(name)
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			return ""
		}
		return json.Number(raw)
	}
	p := Progress{Method: watch.method, Progress: number("progress"), Total: number("total"), Params: m.Params}
	raw, _ := object.Get("message")
	p.Message, _ = rawjson.Unquote(raw)
	c.options.Handlers.Progress(p)
}
