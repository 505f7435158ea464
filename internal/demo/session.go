package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
)

// session is what one client of the stateful era has agreed and subscribed to.
type session struct {
	server   *Server
	rules    rules
	client   clientCapabilities
	inflight *inflight
	tell     func(uri string) // reports an updated resource; must not block
	push     func(frame any)  // sends what belongs to no request
	tasks    taskStore
	alive    context.Context // ends with the session; tasks outlive their requests
	end      context.CancelFunc

	mu         sync.Mutex
	ready      bool // notifications/initialized has come
	level      int  // least log level sent
	asked      map[string]chan<- *message
	lastAsk    int
	subscribed map[string]bool
	unwatch    func()
}

// initializeResult answers initialize.
type initializeResult struct {
	envelope
	Version      string         `json:"protocolVersion"`
	Capabilities map[string]any `json:"capabilities"`
	ServerInfo   map[string]any `json:"serverInfo"`
	Instructions string         `json:"instructions"`
}

// initialize opens a session. A version that is unknown, or that has no
// sessions, is countered with the newest one that has.
func (s *Server) initialize(m *message) (*session, result, error) {
	var p struct {
		ProtocolVersion *string
		Capabilities    *clientCapabilities
		ClientInfo      *struct{ Name, Version *string }
	}
	if err := decodeParams(m.Params, &p); err != nil {
		return nil, nil, err
	}
	switch {
	case p.ProtocolVersion == nil:
		return nil, nil, rpcErrorf(codeInvalidParams, "params.protocolVersion is missing")
	case p.Capabilities == nil:
		return nil, nil, rpcErrorf(codeInvalidParams, "params.capabilities is missing")
	case p.ClientInfo == nil || p.ClientInfo.Name == nil || p.ClientInfo.Version == nil:
		return nil, nil, rpcErrorf(codeInvalidParams, "params.clientInfo with name and version is missing")
	}
	r, ok := rulesFor(*p.ProtocolVersion)
	if !ok || r.stateless {
		r, _ = rulesFor(version2025November)
	}
	info, _ := parseLevel("info")
	sess := &session{server: s, rules: r, client: *p.Capabilities, level: info,
		asked: make(map[string]chan<- *message), subscribed: make(map[string]bool)}
	sess.alive, sess.end = context.WithCancel(s.alive)
	if r.tasks {
		box := newMailbox()
		sess.tasks.watch(box.put)
		sess.tasks.work.Go(func() { sess.tellTasks(box) })
	}
	return sess, &initializeResult{Version: r.version, Capabilities: s.capabilities(r),
		ServerInfo: s.implementation(r), Instructions: instructions}, nil
}

// answer answers one request of the session's client.
func (s *session) answer(ctx context.Context, m *message, c *call) (response, bool) {
	c.server, c.rules, c.client, c.session = s.server, s.rules, s.client, s
	c.id, c.params = m.ID, m.Params
	s.mu.Lock()
	ready := s.ready
	c.level = s.level
	s.mu.Unlock()

	h := s.handler(m.method())
	switch {
	case m.method() == "initialize":
		return response{id: m.ID, err: rpcErrorf(codeInvalidRequest, "the session is already initialized")}, true
	case h == nil:
		return response{id: m.ID, err: rpcErrorf(codeMethodNotFound, "unknown method %q", m.method())}, true
	case !ready && m.method() != "ping":
		return response{id: m.ID, err: rpcErrorf(codeInvalidRequest, "%s came before notifications/initialized", m.method())}, true
	}
	var p struct {
		Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
	if err := decodeParams(m.Params, &p); err != nil {
		return response{id: m.ID, err: asRPCError(err)}, true
	}
	if p.Meta.ProgressToken != nil {
		if _, ok := idKey(p.Meta.ProgressToken); !ok {
			return response{id: m.ID, err: rpcErrorf(codeInvalidParams, "progressToken must be a string or an integer")}, true
		}
		c.token = p.Meta.ProgressToken
	}
	return answer(ctx, c, h)
}

func (s *session) handler(method string) handler {
	switch method {
	case "initialize", "ping":
		return func(context.Context, *call) (result, error) { return &empty{}, nil }
	case "logging/setLevel":
		return setLevel
	case "resources/subscribe":
		return subscribe
	case "resources/unsubscribe":
		return unsubscribe
	}
	if s.rules.tasks {
		if h := coreTaskHandler(method); h != nil {
			return h
		}
	}
	return s.server.common(method)
}

// accept takes a notification or a response from the client.
func (s *session) accept(m *message) {
	if m.isNotification() {
		switch m.method() {
		case "notifications/initialized":
			s.mu.Lock()
			s.ready = true
			s.mu.Unlock()
		case "notifications/cancelled":
			s.inflight.cancel(m.Params)
		}
		return // others have no effect, and a notification is never answered
	}
	key, _ := idKey(m.ID)
	s.mu.Lock()
	ch := s.asked[key]
	delete(s.asked, key)
	s.mu.Unlock()
	if ch != nil {
		ch <- m
	}
}

// ask sends the client a request and waits for its answer. Ids count from 1, as
// those of most clients do: a client must tell its own ids from ours by
// direction.
func (s *session) ask(ctx context.Context, send func(any), method string, params any) (json.RawMessage, error) {
	ch := make(chan *message, 1)
	s.mu.Lock()
	s.lastAsk++
	id := s.lastAsk
	s.asked[strconv.Itoa(id)] = ch
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, strconv.Itoa(id))
		s.mu.Unlock()
	}()
	send(question{JSONRPC: "2.0", ID: id, Method: method, Params: params})
	select {
	case m := <-ch:
		if m.Error != nil {
			return nil, m.Error
		}
		return m.Result, nil
	case <-ctx.Done():
		send(newNotification("notifications/cancelled", map[string]any{"requestId": id, "reason": "the call it belongs to has ended"}))
		return nil, fmt.Errorf("asking the client: %w", ctx.Err())
	}
}

// close ends the session's subscriptions.
func (s *session) close() {
	s.mu.Lock()
	unwatch := s.unwatch
	s.unwatch = nil
	s.mu.Unlock()
	if unwatch != nil {
		unwatch()
	}
	s.end()
	s.tasks.close()
}

func setLevel(_ context.Context, c *call) (result, error) {
	var p struct{ Level string }
	if err := decodeParams(c.params, &p); err != nil {
		return nil, err
	}
	level, err := parseLevel(p.Level)
	if err != nil {
		return nil, err
	}
	c.session.mu.Lock()
	c.session.level = level
	c.session.mu.Unlock()
	return &empty{}, nil
}

func subscribe(_ context.Context, c *call) (result, error) {
	uri, err := uriParam(c)
	if err != nil {
		return nil, err
	}
	if _, _, ok := c.server.read(uri); !ok {
		return nil, missing(c.rules, uri)
	}
	s := c.session
	s.mu.Lock()
	first := s.unwatch == nil
	s.subscribed[uri] = true
	s.mu.Unlock()
	if !first {
		return &empty{}, nil
	}
	unwatch := c.server.changes.watch(s.updated)
	s.mu.Lock()
	if s.unwatch == nil {
		s.unwatch, unwatch = unwatch, nil
	}
	s.mu.Unlock()
	if unwatch != nil {
		unwatch() // another request was faster
	}
	return &empty{}, nil
}

func unsubscribe(_ context.Context, c *call) (result, error) {
	uri, err := uriParam(c)
	if err != nil {
		return nil, err
	}
	c.session.mu.Lock()
	delete(c.session.subscribed, uri)
	c.session.mu.Unlock()
	return &empty{}, nil
}

func (s *session) updated(uri string) {
	s.mu.Lock()
	wanted := s.subscribed[uri]
	s.mu.Unlock()
	if wanted {
		s.tell(uri)
	}
}

func updatedNotification(uri string) notification {
	return newNotification("notifications/resources/updated", map[string]string{"uri": uri})
}
