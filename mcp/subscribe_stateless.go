package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

const (
	metaSubscription   = "io.modelcontextprotocol/subscriptionId"
	methodAcknowledged = "notifications/subscriptions/acknowledged"
)

// filter is what subscriptions/listen asks for and its acknowledgement agrees
// to (2026-07-28, basic/patterns/subscriptions).
type filter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
	TaskIDs   []string `json:"taskIds,omitempty"`
}

// subscribe makes a subscriptions/listen and waits for its end. There is no
// time limit on it once it is acknowledged.
func (e *stateless) subscribe(ctx context.Context, s *session, w *watch) error {
	if rest := w.want.without(&Subscription{Logs: true}); rest.empty() {
		return &SubscriptionError{Reason: "in " + e.chosen + " log messages only come with requests"}
	}
	params, err := json.Marshal(map[string]filter{"notifications": {
		Tools: w.want.Tools, Prompts: w.want.Prompts, Resources: w.want.Resources,
		URIs: w.want.URIs, TaskIDs: w.want.TaskIDs,
	}})
	if err != nil {
		return err
	}
	limited, limit := newLimit(ctx, w.client.patience(&Request{}), "timeout", "the acknowledgement of "+methodListen)
	defer limit.stop()
	listening, end := context.WithCancelCause(limited)
	defer end(nil)
	l := &listen{watch: w, limit: limit, end: end}
	out := &transport.Outgoing{Method: methodListen, Params: params, Began: l.began}
	if err := e.complete(out, nil); err != nil {
		return err
	}
	w.begin(l.accept)
	defer w.begin(nil)
	m, err := w.client.conn.Call(listening, out)
	if listening.Err() != nil {
		err = context.Cause(listening)
	}
	var ended *jsonrpc.EndedError
	switch {
	case errors.As(err, &ended):
		return nil
	case err != nil:
		return err
	case m.Error != nil:
		return m.Error
	}
	return l.finish(e, m.Result)
}

// listen is one subscriptions/listen in flight.
type listen struct {
	watch *watch
	limit *limit
	end   context.CancelCauseFunc

	mu    sync.Mutex
	id    jsonrpc.ID
	acked bool
}

func (l *listen) began(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.id = id
}

// accept decides about a notification. Those of the subscription name its id.
func (l *listen) accept(m *jsonrpc.Message) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.Method == "notifications/cancelled" {
		if id, reason, ok := jsonrpc.Cancelled(m.Params); ok && id == l.id {
			l.end(&jsonrpc.EndedError{Reason: reason})
		}
		return false
	}
	if !l.ours(m) {
		return false
	}
	if m.Method != methodAcknowledged {
		return true
	}
	if !l.acked {
		l.acked = true
		l.limit.hold() // for good
		if err := l.acknowledged(m.Params); err != nil {
			l.end(err)
		}
	}
	return false
}

// ours reports whether m belongs to the subscription. One that names none is
// taken where it can be for no other.
func (l *listen) ours(m *jsonrpc.Message) bool {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if m.Params != nil && json.Unmarshal(m.Params, &p) != nil {
		return false
	}
	if id, ok := p.Meta[metaSubscription]; ok {
		return jsonrpc.ID(id) == l.id
	}
	switch kind(m.Method) {
	case "", "logs":
		if m.Method != methodAcknowledged {
			return false
		}
	}
	return len(l.watch.client.watches.list()) == 1
}

// acknowledged compares what the server agreed to with what was asked for.
func (l *listen) acknowledged(params json.RawMessage) error {
	var p struct {
		Notifications *filter `json:"notifications"`
	}
	if json.Unmarshal(params, &p) != nil || p.Notifications == nil {
		return &ProtocolError{Method: methodListen, Reason: "the acknowledgement does not say what it agrees to"}
	}
	agreed := Subscription{
		Tools: p.Notifications.Tools, Prompts: p.Notifications.Prompts, Resources: p.Notifications.Resources,
		URIs: p.Notifications.URIs, TaskIDs: p.Notifications.TaskIDs,
	}
	want := &l.watch.want
	dropped := want.without(&agreed)
	if len(dropped.names()) == len(want.names()) {
		return &SubscriptionError{Reason: "the server agrees to nothing of what was asked for: " + strings.Join(want.names(), ", ")}
	}
	if !dropped.empty() {
		l.watch.misses(&dropped)
	}
	l.watch.stands()
	return nil
}

// finish judges the result that ends a subscription in good order.
func (l *listen) finish(e *stateless, result json.RawMessage) error {
	object, err := rawjson.ParseObject(result)
	if err != nil {
		return &ProtocolError{Method: methodListen, Reason: "the result is not an object"}
	}
	said, _ := object.Get("resultType")
	if kind := e.resultType(said); kind != resultComplete {
		return unknownResultType(methodListen, kind)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.acked {
		return &ProtocolError{Method: methodListen, Reason: "it ended without an acknowledgement"}
	}
	return nil
}
