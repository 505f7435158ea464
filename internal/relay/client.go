package relay

import (
	"context"
	"encoding/json"
	"errors"
	"net"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
)

// maxUnread is how many notifications a client may leave unread before it is
// given up: the server is read on, whatever one client does.
const maxUnread = 4096

// codeUnsupportedVersion is that of 2026-07-28 (basic/index, error codes).
const codeUnsupportedVersion = -32022

// client is one of those connected.
type client struct {
	relay *Relay
	mux   *jsonrpc.Mux
	drop  context.CancelFunc
	told  chan notice
}

// notice is a notification for a client, or with passed alone a mark: what was
// told before has been sent when it is closed.
type notice struct {
	method string
	params json.RawMessage
	passed chan<- struct{}
}

// serve serves one client until it or ctx ends.
func (r *Relay) serve(ctx context.Context, conn net.Conn) {
	ctx, drop := context.WithCancel(ctx)
	defer drop()
	framing := r.Framing
	if framing == nil {
		framing = jsonrpc.NewStream
	}
	c := &client{relay: r, drop: drop, told: make(chan notice, maxUnread)}
	number := r.add(c)
	// The first request may come before NewMux returns, and so waits for it.
	ready := make(chan struct{})
	c.mux = jsonrpc.NewMux(framing(conn, conn, conn.Close), jsonrpc.Handler{
		Request: func(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
			<-ready
			return c.answer(ctx, m)
		},
		Notification: c.notified,
	}, r.MaxMessage)
	close(ready)
	if r.Came != nil {
		r.Came(number)
	}
	c.deliver(ctx)
	_ = c.mux.Close() // its requests in flight are cancelled at the server
	r.remove(c)
	if r.Left != nil {
		r.Left(number)
	}
}

func (r *Relay) add(c *client) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients[c] = struct{}{}
	r.number++
	return r.number
}

// remove forgets a client, and what it had asked for.
func (r *Relay) remove(c *client) {
	r.mu.Lock()
	delete(r.clients, c)
	for token, o := range r.tokens {
		if o.client == c {
			delete(r.tokens, token)
		}
	}
	r.mu.Unlock()
	r.endAll(c)
}

// tell puts a notification into the queue. It never waits.
func (c *client) tell(method string, params json.RawMessage) {
	select {
	case c.told <- notice{method: method, params: params}:
	default:
		c.drop()
	}
}

// deliver sends what is told until the connection or ctx ends.
func (c *client) deliver(ctx context.Context) {
	for {
		select {
		case n := <-c.told:
			if n.passed != nil {
				close(n.passed)
			} else if c.mux.Notify(ctx, n.method, n.params) != nil {
				return
			}
		case <-c.mux.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// settle waits until what was told before has been sent, so that a result comes
// behind the progress that led to it.
func (c *client) settle(ctx context.Context) {
	passed := make(chan struct{})
	select {
	case c.told <- notice{passed: passed}:
	case <-ctx.Done():
		return
	}
	select {
	case <-passed:
	case <-ctx.Done():
	}
}

// notified passes on what the client tells; not what is about a session, which
// is not the client's own. A cancelled request is the Mux's business.
func (c *client) notified(ctx context.Context, m *jsonrpc.Message) {
	switch m.Method {
	case "notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed":
		return
	}
	_ = c.relay.server.Notify(ctx, m.Method, m.Params) // there is nobody to tell
}

// answer answers a request: what is about the session here, the rest at the
// server.
func (c *client) answer(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	info := c.relay.server.Info()
	stateful := info.Era == mcp.Stateful
	switch {
	case m.Method == "initialize" && stateful:
		return greeting(info), nil
	case m.Method == "initialize":
		return nil, wrongEra(info, m.Params)
	case m.Method == "server/discover" && stateful:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "the session held is of " + info.ProtocolVersion}
	case m.Method == "resources/subscribe" && stateful:
		return c.subscribe(ctx, m)
	case m.Method == "resources/unsubscribe" && stateful:
		return c.unsubscribe(ctx, m)
	}
	return c.forward(ctx, m)
}

// forward gives the request to the server.
func (c *client) forward(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	params, release := c.relay.withToken(c, m.Params)
	began := func(jsonrpc.ID) {}
	if m.Method == "subscriptions/listen" {
		var ended func()
		began, ended = c.listens(m.ID)
		defer ended()
	}
	res, err := c.relay.server.Forward(ctx, m.Method, params, began)
	if err != nil || res.Error != nil || !goesOn(res.Result) {
		release()
	}
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	c.settle(ctx)
	return res.Result, res.Error
}

// goesOn tells whether a result is a task, which keeps the progress token of its
// request.
func goesOn(result json.RawMessage) bool {
	_, ok := rawjson.Members(result)["task"]
	return ok
}

// listens enters a subscription under the id that it gets at the server.
func (c *client) listens(id jsonrpc.ID) (began func(jsonrpc.ID), ended func()) {
	r := c.relay
	var at jsonrpc.ID
	began = func(given jsonrpc.ID) {
		r.mu.Lock()
		defer r.mu.Unlock()
		at = given
		r.listens[at] = &origin{c, json.RawMessage(id)}
	}
	return began, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.listens, at)
	}
}

// greeting is the answer to initialize: what the server answered to ours.
func greeting(info *mcp.ServerInfo) json.RawMessage {
	o := rawjson.Object{}.Set("protocolVersion", rawjson.Quote(info.ProtocolVersion))
	for _, m := range []rawjson.Member{
		{Key: "capabilities", Value: info.Capabilities},
		{Key: "serverInfo", Value: info.ServerInfo},
		{Key: "instructions", Value: info.Instructions},
	} {
		if m.Value != nil {
			o = o.Set(m.Key, m.Value)
		}
	}
	return o.Raw()
}

// wrongEra refuses a handshake that the session held has no use for (2026-07-28,
// basic/versioning).
func wrongEra(info *mcp.ServerInfo, params json.RawMessage) *jsonrpc.Error {
	requested, ok := rawjson.Members(params)["protocolVersion"]
	if !ok {
		requested = rawjson.Quote("")
	}
	supported := rawjson.Array([]json.RawMessage{rawjson.Quote(info.ProtocolVersion)})
	return &jsonrpc.Error{
		Code:    codeUnsupportedVersion,
		Message: "the session held is of " + info.ProtocolVersion,
		Data:    rawjson.Object{}.Set("supported", supported).Set("requested", requested).Raw(),
	}
}

// unanswered is for a request that did not bring a message: a connection that is
// lost to the server is lost to the client, which finds out as it would without
// us.
func (c *client) unanswered(ctx context.Context, err error) *jsonrpc.Error {
	var rpc *jsonrpc.Error
	if errors.As(err, &rpc) {
		return rpc
	}
	if ctx.Err() == nil { // else it is the client who has given the request up
		c.drop()
	}
	return jsonrpc.NoAnswer
}
