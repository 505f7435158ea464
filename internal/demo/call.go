package demo

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
)

// errCancelled is the cause of a call's end when the client took the call
// back; such a call gets no response.
var errCancelled = errors.New("cancelled by the client")

// call is one request while it is being answered: what handlers may know of
// the caller, and the ways back to it.
type call struct {
	server *Server
	rules  rules
	params json.RawMessage
	token  json.RawMessage // progress token, nil when none was given
	level  int             // least severe log level wanted; noLogs for none
	client clientCapabilities
	header http.Header // nil when the transport has no headers

	// send puts a message that belongs to this call on the wire.
	send func(frame any)
	// keepAlive writes what shows that an idle stream lives; nil where no
	// transport needs it.
	keepAlive func()
	// session is nil in the stateless era.
	session *session
	// task is what the call has become; nil for none.
	task *task
	// id is the request's; it also names a listen stream.
	id json.RawMessage
}

// handler answers one method.
type handler func(ctx context.Context, c *call) (result, error)

// result is anything that embeds an envelope.
type result interface{ wrap() *envelope }

// envelope holds the members any result may have. They are filled in the
// stateless era only.
type envelope struct {
	ResultType string         `json:"resultType,omitempty"`
	TTL        *int64         `json:"ttlMs,omitempty"`
	CacheScope string         `json:"cacheScope,omitempty"`
	Meta       map[string]any `json:"_meta,omitempty"`

	// freshFor is the ttlMs of a cacheable result; nil when not cacheable.
	freshFor *int64
}

func (e *envelope) wrap() *envelope { return e }

// cacheable marks a result as one that clients may keep for so many milliseconds.
func cacheable(ms int64) envelope { return envelope{freshFor: &ms} }

// empty is the result that says only "done".
type empty struct{ envelope }

// clientCapabilities is the part of a client's capabilities this server uses.
type clientCapabilities struct {
	Elicitation *struct {
		Form json.RawMessage `json:"form"`
		URL  json.RawMessage `json:"url"`
	} `json:"elicitation"`
	Extensions map[string]json.RawMessage `json:"extensions"`
}

// canFillForms reports whether the client answers form elicitation. An empty
// elicitation capability means forms only.
func (c clientCapabilities) canFillForms() bool {
	return c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// notify sends a notification that belongs to this call.
func (c *call) notify(method string, params any) { c.send(newNotification(method, params)) }

// progress reports progress, when the client asked for it.
func (c *call) progress(done, total int, text string) {
	if c.token == nil {
		return
	}
	p := map[string]any{"progressToken": c.token, "progress": done, "total": total}
	if c.rules.progressText {
		p["message"] = text
	}
	c.notify("notifications/progress", p)
}

// log sends a log message, when the client wants its level.
func (c *call) log(level string, data any) bool {
	if slices.Index(logLevels(), level) < c.level {
		return false
	}
	c.notify("notifications/message", map[string]any{"level": level, "logger": "demo", "data": data})
	return true
}

// noLogs is above every level.
const noLogs = 8

// logLevels lists the levels from the least to the most severe.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// parseLevel returns the severity of a level's name.
func parseLevel(name string) (int, error) {
	if i := slices.Index(logLevels(), name); i >= 0 {
		return i, nil
	}
	return 0, rpcErrorf(codeInvalidParams, "unknown log level %q", name)
}

// inflight holds the requests of one client that are being answered.
type inflight struct {
	mu    sync.Mutex
	calls map[string]context.CancelCauseFunc
}

// begin registers a request; it fails when the id is already in use.
func (f *inflight) begin(ctx context.Context, id json.RawMessage) (context.Context, func(), error) {
	key, _ := idKey(id)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, dup := f.calls[key]; dup {
		return nil, nil, rpcErrorf(codeInvalidRequest, "id %s belongs to a request that is still running", id)
	}
	if f.calls == nil {
		f.calls = make(map[string]context.CancelCauseFunc)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	f.calls[key] = cancel
	return ctx, func() {
		f.mu.Lock()
		delete(f.calls, key)
		f.mu.Unlock()
		cancel(nil)
	}, nil
}

// cancel ends a request named by notifications/cancelled; one that is unknown
// or malformed is ignored, as the specification asks.
func (f *inflight) cancel(params json.RawMessage) {
	var p struct{ RequestID json.RawMessage }
	if decodeParams(params, &p) != nil {
		return
	}
	key, ok := idKey(p.RequestID)
	if !ok {
		return
	}
	f.mu.Lock()
	cancel := f.calls[key]
	f.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}
