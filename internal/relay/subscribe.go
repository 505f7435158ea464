package relay

import (
	"context"
	"encoding/json"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// farewell bounds how long the end of a subscription may take.
const farewell = 5 * time.Second

// uriOf is what a subscription is about.
func uriOf(params json.RawMessage) string {
	uri, _ := rawjson.Unquote(rawjson.Members(params)["uri"])
	return uri
}

// inTurn does what begins or ends a subscription: the server must hear of them in
// the order in which they are counted here.
func (r *Relay) inTurn(ctx context.Context, do func()) bool {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
		do()
		return true
	case <-ctx.Done():
		return false
	}
}

// subscribe subscribes at the server, whose session is one for all clients. Every
// client asks there, because the server may refuse.
func (c *client) subscribe(ctx context.Context, m *jsonrpc.Message) (result json.RawMessage, failed *jsonrpc.Error) {
	r, uri := c.relay, uriOf(m.Params)
	if !r.inTurn(ctx, func() {
		r.mu.Lock()
		if r.watched[uri] == nil {
			r.watched[uri] = make(map[*client]bool)
		}
		had := r.watched[uri][c]
		r.watched[uri][c] = true // the first update may come before the answer
		r.mu.Unlock()
		if result, failed = c.forward(ctx, m); failed != nil && !had {
			r.leave(c, uri)
		}
	}) {
		failed = jsonrpc.NoAnswer
	}
	return result, failed
}

// unsubscribe ends the subscription at the server with its last client.
func (c *client) unsubscribe(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	c.relay.end(ctx, c, uriOf(m.Params))
	return json.RawMessage("{}"), nil
}

// endAll ends the subscriptions of a client that has gone.
func (r *Relay) endAll(c *client) {
	var uris []string
	r.mu.Lock()
	for uri, who := range r.watched {
		if who[c] {
			uris = append(uris, uri)
		}
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	for _, uri := range uris {
		r.end(ctx, c, uri)
	}
}

// end ends a client's subscription, and tells the server if nobody is left.
func (r *Relay) end(ctx context.Context, c *client, uri string) {
	r.inTurn(ctx, func() {
		if !r.leave(c, uri) {
			return
		}
		params := rawjson.Object{}.Set("uri", rawjson.Quote(uri)).Raw()
		_, _ = r.server.Forward(ctx, "resources/unsubscribe", params, nil) // it is only a courtesy
	})
}

// leave takes a client out of those who have subscribed, and tells whether it was
// the last.
func (r *Relay) leave(c *client, uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	who := r.watched[uri]
	if !who[c] {
		return false
	}
	if delete(who, c); len(who) > 0 {
		return false
	}
	delete(r.watched, uri)
	return true
}
