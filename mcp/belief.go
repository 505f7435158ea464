package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// What detection found is remembered (2026-07-28, basic/versioning: "Caching
// the era"). A server of the stateful era is greeted at once. One of the
// stateless era needs no greeting over HTTP as long as its server/discover is
// fresh; other transports are asked all the same, because there the first
// request decides how a server of both eras goes on. A belief that fails is
// dropped, and the server asked.

// belief is the era that a server was found to speak.
type belief struct {
	Era     string `json:"era"`
	Version string `json:"version"`

	// Fallback tells that it was found over Options.Fallback.
	Fallback bool `json:"fallback,omitempty"`

	At int64 `json:"at"` // Unix time in ns
}

func (m *memory) beliefKey() string { return m.key("era") }

// believed is the era that is believed; the zero belief if there is none.
func (m *memory) believed() (b belief) {
	if m == nil || m.refresh {
		return belief{}
	}
	value, ok := m.cache.Get(m.beliefKey())
	if !ok || json.Unmarshal(value, &b) != nil {
		return belief{}
	}
	if age := time.Now().UnixNano() - b.At; age < 0 || age >= int64(longestTTL) {
		return belief{}
	}
	return b
}

// believe remembers an era. What is believed already is only written anew when
// it is old.
func (m *memory) believe(info *ServerInfo, fallback bool) {
	if m == nil {
		return
	}
	now := time.Now().UnixNano()
	b, found := m.believed(), belief{Era: info.Era, Version: info.ProtocolVersion, Fallback: fallback, At: now}
	if now-b.At < int64(longestTTL)/2 {
		if b.At = now; b == found {
			return
		}
	}
	value, err := json.Marshal(found)
	if err == nil {
		m.cache.Put(m.beliefKey(), value)
	}
}

// disbelieve forgets the era.
func (m *memory) disbelieve() {
	if m != nil {
		m.wrong = true
		m.cache.Delete(m.beliefKey())
	}
}

// wasWrong reports whether something was believed that did not hold.
func (m *memory) wasWrong() bool { return m != nil && m.wrong }

// remembered opens a session by what is remembered, or by asking.
func (o *opening) remembered(ctx context.Context) (*session, error) {
	if s := o.recall(); s != nil {
		return s, nil
	}
	if o.options.Version != "" {
		return o.ask(ctx)
	}
	switch o.options.memory.believed().Era {
	case Stateful:
		s, err := o.greet(ctx)
		if err == nil {
			return s, nil
		}
		var closed *jsonrpc.ClosedError
		if ctx.Err() == nil && fatal(err) && !errors.As(err, &closed) {
			return nil, err // which says nothing of the era
		}
		o.options.memory.disbelieve()
		if ctx.Err() != nil || closed != nil {
			return nil, err
		}
	case Stateless: // a slow one need not be greeted so soon
		patient, options := *o, *o.options
		options.ProbeTimeout *= 3
		patient.options = &options
		return patient.ask(ctx)
	}
	return o.ask(ctx)
}

// recall opens a session of the stateless era without any message; nil when
// that cannot be.
func (o *opening) recall() *session {
	version := o.options.Version
	if version == "" {
		version = LatestStateless
	}
	if o.options.memory == nil || o.conn.Name() != "http" || !slices.Contains(StatelessVersions(), version) {
		return nil
	}
	e, err := newStateless(version, o.options)
	if err != nil {
		return nil
	}
	k := o.options.memory.find(discoverySlot(e))
	if k == nil {
		return nil
	}
	info, err := readDiscovery(e, k.raw)
	if err != nil {
		return nil
	}
	s, err := o.agree(e, info, nil)
	if err != nil {
		return nil
	}
	s.recalled = true
	return s
}

// unprobed greets a server that does not bear to be probed.
func (o *opening) unprobed(ctx context.Context) (*session, error) {
	s, err := o.greet(ctx)
	return o.learn(s, err)
}

// forget drops what was remembered of the server itself.
func (o *opening) forget(e era) {
	o.options.memory.drop(discoverySlot(e))
	o.options.memory.disbelieve()
}

// learn remembers the era of a session. A version that was pinned says nothing
// of what the server would have chosen.
func (o *opening) learn(s *session, err error) (*session, error) {
	if err == nil && o.options.Version == "" {
		o.options.memory.believe(s.info, false)
	}
	return s, err
}

// discover asks the server what it is, and keeps the answer if it may.
func (o *opening) discover(ctx context.Context, e *stateless) (*ServerInfo, error) {
	q := o.options.memory.ask()
	raw, err := discover(ctx, o.conn, e)
	if err != nil {
		return nil, err
	}
	info, err := readDiscovery(e, raw)
	if err != nil {
		return nil, err
	}
	var lasts struct {
		TTL   json.RawMessage `json:"ttlMs"`
		Scope json.RawMessage `json:"cacheScope"`
	}
	if err := json.Unmarshal(raw, &lasts); err == nil {
		o.options.memory.keep(discoverySlot(e), q, raw, lasts.TTL, lasts.Scope)
	}
	return info, nil
}

// doubt asks a server anew what it is, when a request failed in a session that
// stands on what was remembered alone. It reports whether the request is to be
// made again: the server is of another era than was believed, and has not begun
// with it.
func (c *Client) doubt(ctx context.Context, s *session, method string, failure error) (bool, error) {
	if err := c.reopen(ctx, s); err != nil {
		return false, err
	}
	now := c.session.Load()
	return now.era.version() != s.era.version() && notBegun(method, failure), nil
}

// reopen asks a server anew what it is.
func (c *Client) reopen(ctx context.Context, s *session) error {
	return c.renew(ctx, s, func(o *opening, ctx context.Context) (*session, error) {
		o.forget(s.era)
		return o.ask(ctx)
	})
}

// dubious reports whether an error may come of a server that is not what it
// was: anything it answered, but for what only one of the stateless era says,
// and what is about credentials.
func dubious(err error) bool {
	var auth *transport.AuthError
	var rpc *jsonrpc.Error
	var status *transport.HTTPError
	var content *transport.ContentError
	switch {
	case isModernError(err), errors.As(err, &auth):
		return false
	}
	return errors.As(err, &rpc) || errors.As(err, &status) || errors.As(err, &content)
}

// notBegun reports whether a server that gave an error to a request of the
// other era has not begun with it, so that it can be made again.
func notBegun(method string, err error) bool {
	switch method {
	case string(ListTools), string(ListResources), string(ListTemplates), string(ListPrompts),
		"resources/read", "prompts/get", "completion/complete":
		return true // they change nothing
	}
	var status *transport.HTTPError
	if errors.As(err, &status) && status.Status >= http.StatusBadRequest && status.Status < http.StatusInternalServerError {
		return true
	}
	const notReady = -32002 // what servers commonly say before initialize
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) {
		return false
	}
	switch rpc.Code {
	case jsonrpc.CodeInvalidRequest, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams, notReady:
		return true
	}
	return false
}
