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

	// Reply sends an answer.
	Reply func(ctx context.Context, m *Message)

	wg      sync.WaitGroup
	mu      sync.Mutex
	serving map[ID]context.CancelFunc
	closed  bool
}

// Serve starts to answer the request m. The context given to Handle ends with
// ctx, or when the peer cancels the request; it gets no answer then.
func (s *Server) Serve(ctx context.Context, m *Message) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel()
		return
	}
	if s.serving == nil {
		s.serving = make(map[ID]context.CancelFunc)
	}
	s.serving[m.ID] = cancel
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer cancel()
		reply := s.answer(ctx, m)
		s.mu.Lock()
		delete(s.serving, m.ID)
		s.mu.Unlock()
		if ctx.Err() == nil && reply.Error != NoAnswer {
			s.Reply(ctx, reply)
		}
	}()
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
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	s.mu.Lock()
	cancel := s.serving[ID(p.RequestID)]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
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
