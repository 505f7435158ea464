// Package relay shares one session with a server among many clients, each of
// which sees a server of its own: it matches ids, progress tokens and
// subscriptions to their clients.
package relay

import (
	"context"
	"encoding/json"
	"net"
	"strconv"
	"sync"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
)

const (
	progressToken  = "progressToken"
	subscriptionID = "io.modelcontextprotocol/subscriptionId"
)

// Relay is one server and its clients. Its Notification must be the handler of
// the session that it is given then.
type Relay struct {
	// Framing tells the messages of clients apart; nil is jsonrpc.NewStream.
	Framing jsonrpc.Framing

	// MaxMessage bounds a message of a client, in bytes; 0 means
	// jsonrpc.DefaultMaxMessage.
	MaxMessage int64

	// Came and Left, when set, are told of clients, by their number.
	Came, Left func(number int)

	server *mcp.Client
	turn   chan struct{} // full while a subscription begins or ends at the server

	mu      sync.Mutex
	number  int                         // of the last client
	token   int64                       // the last one given to the server
	clients map[*client]struct{}        // connected
	tokens  map[string]*origin          // progress token at the server -> who has it
	listens map[jsonrpc.ID]*origin      // id of subscriptions/listen at the server -> who listens
	watched map[string]map[*client]bool // URI -> who has subscribed to it (stateful)
}

// origin is a request of a client, and the name that the client has for it.
type origin struct {
	client *client
	name   json.RawMessage
}

// New returns a relay without a server.
func New() *Relay {
	return &Relay{
		turn:    make(chan struct{}, 1),
		clients: make(map[*client]struct{}),
		tokens:  make(map[string]*origin),
		listens: make(map[jsonrpc.ID]*origin),
		watched: make(map[string]map[*client]bool),
	}
}

// Serve serves the clients that the listener accepts until ctx ends, and returns
// when all of them are gone. It closes the listener. An error is one of the
// listener.
func (r *Relay) Serve(ctx context.Context, server *mcp.Client, ln net.Listener) error {
	r.server = server
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		all.Go(func() { r.serve(ctx, conn) })
	}
}

// Notification passes on what the server tells: progress and subscriptions to
// whom they belong, everything else to all.
func (r *Relay) Notification(method string, params json.RawMessage) {
	object, _ := rawjson.ParseObject(params) // what is none belongs to nobody
	r.mu.Lock()
	defer r.mu.Unlock()
	if id, ok := inMeta(object, subscriptionID); ok {
		if o := r.listens[jsonrpc.ID(id)]; o != nil {
			o.client.tell(method, setInMeta(object, subscriptionID, o.name))
		}
		return
	}
	switch method {
	case "notifications/progress":
		token, _ := object.Get(progressToken)
		if o := r.tokens[string(token)]; o != nil {
			o.client.tell(method, object.Set(progressToken, o.name).Raw())
		}
	case "notifications/cancelled":
		// It is about a question of the server, which no client has been asked.
	case "notifications/resources/updated":
		raw, _ := object.Get("uri")
		uri, _ := rawjson.Unquote(raw)
		for c := range r.watched[uri] {
			c.tell(method, params)
		}
	default:
		for c := range r.clients {
			c.tell(method, params)
		}
	}
}

// withToken gives the request a progress token that no other client's has.
func (r *Relay) withToken(c *client, params json.RawMessage) (json.RawMessage, func()) {
	object, err := rawjson.ParseObject(params)
	if err != nil {
		return params, func() {}
	}
	name, ok := inMeta(object, progressToken)
	if !ok {
		return params, func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.token++
	token := strconv.FormatInt(r.token, 10)
	r.tokens[token] = &origin{c, name}
	return setInMeta(object, progressToken, json.RawMessage(token)), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.tokens, token)
	}
}

func inMeta(object rawjson.Object, key string) (json.RawMessage, bool) {
	raw, _ := object.Get("_meta")
	meta, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, false
	}
	return meta.Get(key)
}

func setInMeta(object rawjson.Object, key string, v json.RawMessage) json.RawMessage {
	raw, _ := object.Get("_meta")
	meta, _ := rawjson.ParseObject(raw) // inMeta has found the key there
	return object.Set("_meta", meta.Set(key, v).Raw()).Raw()
}
