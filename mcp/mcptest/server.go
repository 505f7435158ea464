package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// server is one run of a script: what it has seen and who it has met.
type server struct {
	script *Script
	proc   process
	record *recorder

	mu          sync.Mutex
	seen        map[*rule]int
	initialized bool // stdio and the 2024-11-05 transport: one session
	sessions    map[string]bool
	sessionsNo  int
	requests    int
	waiting     map[string]chan *message // our requests to the client
}

func newServer(s *Script, p process) (*server, error) {
	rec, err := newRecorder(s)
	if err != nil {
		return nil, err
	}
	return &server{
		script:   s,
		proc:     p,
		record:   rec,
		seen:     map[*rule]int{},
		sessions: map[string]bool{},
		waiting:  map[string]chan *message{},
	}, nil
}

// process is what a script can do to the process it runs in. In a test's own
// process most of it is refused.
type process interface {
	exit(code int) error
	kill() error
	spawn(pidFile, kind string) error
	stderr() io.Writer
	stdout() io.WriteCloser // nil over HTTP
}

// ExitError ends [Serve] when the script says exit.
type ExitError struct {
	Code int
}

func (e *ExitError) Error() string { return fmt.Sprintf("script says exit %d", e.Code) }

// UnsupportedError is a step that cannot be done where the script runs: a step
// of HTTP on stdio, or one that would take the test's own process with it.
type UnsupportedError struct {
	Step string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the step %q cannot be done here", e.Step)
}

// turn is the handling of one message.
type turn struct {
	ctx    context.Context
	server *server
	sink   sink
	msg    *message
	run    int // of the rule, from 1
	pace   pace
	answer json.RawMessage // to our last request
	// known: the message belongs to an open session.
	known bool
}

func (s *server) newTurn(ctx context.Context, to sink, m *message) *turn {
	return &turn{ctx: ctx, server: s, sink: to, msg: m, pace: s.script.pace}
}

// begin finds what to do with a message. Rules are counted here, in the order
// of arrival; the work itself may be done later.
func (t *turn) begin() (work func() error, blocks bool) {
	if t.msg.isResponse() {
		t.server.deliver(t.msg)
		return func() error { return nil }, false
	}
	r, run := t.server.ruleFor(t.msg.Method, t.msg.name())
	t.run = run
	if r == nil {
		return t.wellBehaved, false
	}
	return func() error {
		if err := t.do(r); err != nil {
			return err
		}
		if r.answers {
			return nil
		}
		return t.wellBehaved()
	}, r.blocks
}

func (t *turn) do(r *rule) error {
	for _, step := range r.steps {
		if err := step(t); err != nil {
			return err
		}
	}
	return nil
}

// doHead runs the rule for a head such as start, if there is one.
func (t *turn) doHead(head, name string) (r *rule, err error) {
	r, t.run = t.server.ruleFor(head, name)
	if r == nil {
		return nil, nil
	}
	return r, t.do(r)
}

// ask sends a request to the client and waits for the answer.
func (t *turn) ask(method string, params template) error {
	s := t.server
	s.mu.Lock()
	s.requests++
	id := strconv.Quote("server-" + strconv.Itoa(s.requests))
	answer := make(chan *message, 1)
	s.waiting[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.waiting, id)
		s.mu.Unlock()
	}()
	if err := t.sink.message(t, t.outgoing(id, method, params), true); err != nil {
		return err
	}
	select {
	case m := <-answer:
		t.answer = m.Result
		if m.Result == nil {
			t.answer = m.Error
		}
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

// outgoing is a request, or with no id a notification.
func (t *turn) outgoing(id, method string, params template) write {
	return func(w io.Writer) error {
		head := `{"jsonrpc":"2.0",`
		if id != "" {
			head += `"id":` + id + `,`
		}
		head += `"method":` + string(quote(method))
		if params != nil {
			head += `,"params":`
		}
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		if err := params.expand(w, t); err != nil {
			return err
		}
		_, err := io.WriteString(w, "}")
		return err
	}
}

// deliver hands an answer of the client to the step that waits for it.
func (s *server) deliver(m *message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, ok := s.waiting[string(m.ID)]; ok {
		answer <- m
		delete(s.waiting, string(m.ID))
	}
}

func (t *turn) origin() string {
	if h, ok := t.sink.(*httpSink); ok {
		return "http://" + h.r.Host
	}
	return ""
}

func (t *turn) header(name string) string {
	if h, ok := t.sink.(*httpSink); ok {
		return h.r.Header.Get(name)
	}
	return ""
}
