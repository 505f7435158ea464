package jsonrpc

import (
	"context"
	"encoding/json"
	"sync"
)

// NoAnswer is what a handler returns as its error to leave a request without an
// answer.
var NoAnswer = &Error{Message: "no answer"}

// Server answers the requests of a peer, each on a goroutine of its own, so
// that a slow answer holds nothing up. Its zero value, with Reply set, is ready
// for use.
type Server struct {
	// Handle makes the answers; nil answers CodeMethodNotFound to all. An
	// error that is NoAnswer leaves the request unanswered.
	Handle func(ctx context.Context, m *Message) (json.RawMessage, *Error)

	// Reply sends an answer, ReplyAll those to a batch.
	Reply    func(ctx context.Context, m *Message)
	ReplyAll func(ctx context.Context, answers []*Message)

	wg      sync.WaitGroup
	mu      sync.Mutex
	serving map[ID]*serving
	slots   chan struct{}
	closed  bool
}

// serving is one request being answered.
type serving struct{ cancel context.CancelFunc }

// maxServing bounds the requests being answered at a time. A peer that makes
// more of them waits.
const maxServing = 1024

// Serve starts to answer the request m. The context given to Handle ends with
// ctx, or when the peer cancels the request; it gets no answer then.
func (s *Server) Serve(ctx context.Context, m *Message) {
	s.serve(ctx, m, func(ctx context.Context, answer *Message) {
		if answer != nil {
			s.Reply(ctx, answer)
		}
	})
}

// serve gives the answer to done, or nil if there is to be none. Once the
// connection has ended done may not be called.
func (s *Server) serve(ctx context.Context, m *Message, done func(ctx context.Context, answer *Message)) {
	s.mu.Lock()
	if s.slots == nil {
		s.slots = make(chan struct{}, maxServing)
		s.serving = make(map[ID]*serving)
	}
	s.mu.Unlock()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		<-s.slots
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	now := &serving{cancel}
	s.serving[m.ID] = now
	s.wg.Go(func() {
		defer cancel()
		reply := s.answer(ctx, m)
		s.mu.Lock()
		if s.serving[m.ID] == now { // a peer may use an id twice
			delete(s.serving, m.ID)
		}
		s.mu.Unlock()
		if ctx.Err() != nil || reply.Error == NoAnswer {
			reply = nil
		}
		done(ctx, reply)
		<-s.slots
	})
}

func (s *Server) answer(ctx context.Context, m *Message) *Message {
	reply := &Message{ID: m.ID}
	if s.Handle == nil {
		reply.Error = &Error{Code: CodeMethodNotFound, Message: "Method not found: " + m.Method}
		return reply
	}
	reply.Result, reply.Error = s.Handle(ctx, m)
	if reply.Error == nil && reply.Result == nil {
		reply.Result = json.RawMessage("{}")
	}
	return reply
}

// Cancelled takes a notifications/cancelled of the peer: the handler of the
// request it names is stopped.
func (s *Server) Cancelled(m *Message) {
	id, _, ok := Cancelled(m.Params)
	if !ok {
		return
	}
	s.mu.Lock()
	now := s.serving[id]
	s.mu.Unlock()
	if now != nil {
		now.cancel()
	}
}

// Wait waits for the handlers to end and starts no new one. The contexts they
// were given should have ended.
func (s *Server) Wait() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.wg.Wait()
}

// CancelledParams makes the parameters of notifications/cancelled.
func CancelledParams(id ID, cause error) json.RawMessage {
	params, err := json.Marshal(struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason,omitempty"`
	}{json.RawMessage(id), cause.Error()})
	if err != nil { // an id is always JSON
		panic(err)
	}
	return params
}
