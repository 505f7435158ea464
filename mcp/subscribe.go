package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"mcpq/mcp/jsonrpc"
)

// Subscription says what a watch is to hear of.
type Subscription struct {
	Tools, Prompts, Resources bool // changes of these lists

	// URIs are resources whose changes matter. What is told may name a part
	// of one of them instead.
	URIs []string

	// TaskIDs are tasks whose changes of status matter.
	TaskIDs []string

	// Logs asks for the server's log messages, which then do not go to
	// Handlers.Log. The stateless era has none outside of requests.
	Logs bool
}

// empty reports whether s asks for nothing.
func (s *Subscription) empty() bool {
	return !s.Tools && !s.Prompts && !s.Resources && !s.Logs && len(s.URIs) == 0 && len(s.TaskIDs) == 0
}

// names lists what s asks for, for a person.
func (s *Subscription) names() []string {
	var names []string
	for _, k := range []struct {
		on   bool
		name string
	}{{s.Tools, "tools"}, {s.Prompts, "prompts"}, {s.Resources, "resources"}, {s.Logs, "logs"}} {
		if k.on {
			names = append(names, k.name)
		}
	}
	for _, id := range s.TaskIDs {
		names = append(names, "task "+id)
	}
	return append(names, s.URIs...)
}

// without is what s asks for and honoured does not have.
func (s *Subscription) without(honoured *Subscription) Subscription {
	missing := func(list, from []string) (left []string) {
		for _, one := range list {
			if !slices.Contains(from, one) {
				left = append(left, one)
			}
		}
		return left
	}
	return Subscription{
		Tools:     s.Tools && !honoured.Tools,
		Prompts:   s.Prompts && !honoured.Prompts,
		Resources: s.Resources && !honoured.Resources,
		Logs:      s.Logs && !honoured.Logs,
		URIs:      missing(s.URIs, honoured.URIs),
		TaskIDs:   missing(s.TaskIDs, honoured.TaskIDs),
	}
}

// ListChanges is a subscription to the changes of all lists of which the server
// declared that it tells them.
func (s *ServerInfo) ListChanges() Subscription {
	return Subscription{
		Tools:     s.Has("tools", "listChanged"),
		Prompts:   s.Has("prompts", "listChanged"),
		Resources: s.Has("resources", "listChanged"),
	}
}

// Notification is what a server tells of its own account.
type Notification struct {
	Method string
	Params json.RawMessage // nil if there are none
}

// Watcher takes what a watch brings, one after the other. Each function may
// make requests; an error of one ends the watch and is returned by it. Opened
// and Dropped may be nil.
type Watcher struct {
	Notified func(Notification) error

	// Opened is called when the server has taken the subscription, and again
	// whenever it had to be set up anew: changes in between may have been
	// missed.
	Opened func(again bool) error

	// Dropped is told what of the subscription the server does not honour.
	Dropped func(what []string) error
}

// SubscriptionError is a server that does not tell what a watch asks for.
type SubscriptionError struct {
	Reason string
	Err    error
}

func (e *SubscriptionError) Error() string {
	s := "cannot watch: " + e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *SubscriptionError) Unwrap() error { return e.Err }

// Watch tells the watcher what the server sends of what is wanted, until ctx
// ends, an error comes up, or the server ends the subscription in good order:
// then the result is nil. A stream that breaks is taken up again.
//
// What the server does not declare is a *CapabilityError; *SubscriptionError
// when it offers no stream for notifications, or honours nothing of what is
// wanted. In the stateful era a client can hold one watch at a time.
func (c *Client) Watch(ctx context.Context, want Subscription, on Watcher) error {
	if want.empty() {
		return &SubscriptionError{Reason: "nothing is asked for"}
	}
	w := newWatch(c, want, on)
	c.watches.add(w)
	defer c.watches.remove(w)
	ctx, cancel := context.WithCancelCause(ctx)
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		w.mail.end(w.run(ctx))
	}()
	err := w.mail.deliver(ctx)
	cancel(errWatchOver)
	<-ran
	return err
}

// errWatchOver is what a server is told when a watch ends of itself.
var errWatchOver = errors.New("the watch is over")

// watch is one Watch going on.
type watch struct {
	client *Client
	want   Subscription
	on     Watcher
	mail   *mailbox

	// fresh is full when the session was opened anew, streams when a stream
	// of notifications was opened; resumed ones do not count.
	fresh, streams chan struct{}

	mu     sync.Mutex
	accept func(*jsonrpc.Message) bool // the era's, of the turn going on
	opened int                         // how often the subscription stood
	told   int                         // how many notifications were accepted
}

func newWatch(c *Client, want Subscription, on Watcher) *watch {
	return &watch{
		client:  c,
		want:    want,
		on:      on,
		mail:    newMailbox(),
		fresh:   make(chan struct{}, 1),
		streams: make(chan struct{}, 1),
	}
}

// begin sets what decides about notifications from now on.
func (w *watch) begin(accept func(*jsonrpc.Message) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.accept = accept
}

// notify takes a notification if it is one of this watch.
func (w *watch) notify(m *jsonrpc.Message) bool {
	w.mu.Lock()
	accept := w.accept
	w.mu.Unlock()
	if accept == nil || !accept(m) {
		return false
	}
	w.mu.Lock()
	w.told++
	w.mu.Unlock()
	n := Notification{Method: m.Method, Params: slices.Clone(m.Params)}
	w.mail.put(len(n.Method)+len(n.Params), func() error { return w.on.Notified(n) })
	return true
}

// stands tells the watcher that the subscription does.
func (w *watch) stands() {
	w.mu.Lock()
	again := w.opened > 0
	w.opened++
	w.mu.Unlock()
	if w.on.Opened != nil {
		w.mail.put(0, func() error { return w.on.Opened(again) })
	}
}

// misses tells the watcher what the server does not honour.
func (w *watch) misses(dropped *Subscription) {
	what := dropped.names()
	if w.on.Dropped != nil {
		w.mail.put(0, func() error { return w.on.Dropped(what) })
		return
	}
	w.client.warn(&SubscriptionError{Reason: "the server does not honour " + strings.Join(what, ", ")})
}

// progress is how often the subscription stood, and what came of it.
func (w *watch) progress() (opened, told int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.opened, w.told
}

// watches are those going on in a client.
type watches struct {
	mu  sync.Mutex
	all map[*watch]struct{}

	// stateful is the one that holds the stream of a session; full when
	// there is one.
	stateful chan struct{}
}

func (a *watches) add(w *watch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = make(map[*watch]struct{})
		a.stateful = make(chan struct{}, 1)
	}
	a.all[w] = struct{}{}
}

func (a *watches) remove(w *watch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, w)
}

func (a *watches) list() []*watch {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]*watch, 0, len(a.all))
	for w := range a.all {
		all = append(all, w)
	}
	return all
}

// notified hands a notification to the watches and reports whether one of them
// took it.
func (a *watches) notified(m *jsonrpc.Message) bool {
	taken := false
	for _, w := range a.list() {
		taken = w.notify(m) || taken
	}
	return taken
}

// renewed tells the watches that there is another session.
func (a *watches) renewed() {
	for _, w := range a.list() {
		wake(w.fresh)
	}
}

// listening tells the watches that the server's stream is open.
func (a *watches) listening(resumed bool) {
	for _, w := range a.list() {
		if !resumed {
			wake(w.streams)
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // nobody has seen the last one yet
	}
}
