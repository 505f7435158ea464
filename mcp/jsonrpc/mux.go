package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Handler takes what the peer sends on its own account. Its functions may be
// nil.
type Handler struct {
	// Notification takes notifications, in the order they came and before any
	// later response is delivered. It must not wait for the peer.
	Notification func(ctx context.Context, m *Message)

	// Request answers a request of the peer. Each runs on a goroutine of its
	// own; ctx ends when the peer cancels the request or the connection ends.
	// Without it, requests are answered with CodeMethodNotFound.
	Request func(ctx context.Context, m *Message) (json.RawMessage, *Error)

	// Batches tells whether the requests of a batch are to be answered by a
	// batch; nil means never.
	Batches func() bool

	// Stray takes what had to be ignored: frames that are not JSON-RPC
	// (*NotJSONError) and responses to unknown ids (*StrayError).
	Stray func(err error)

	// Trace is shown every message, as one line of JSON, before it is sent
	// and after it was received; see [Decoder.Trace]. Setting it keeps
	// results from being streamed.
	Trace func(sent bool, message []byte)
}

// StrayError is a response that answers no call of ours.
type StrayError struct{ Message *Message }

func (e *StrayError) Error() string {
	return fmt.Sprintf("response with unknown id %s ignored", e.Message.ID)
}

// ClosedError is the end of a connection with calls left unanswered, or a call
// on a connection that had ended.
type ClosedError struct {
	Err error // nil: the peer closed it without a word

	// OnlyNoise tells that the peer wrote something, and none of it was
	// JSON-RPC; Noise is the beginning of it.
	OnlyNoise bool
	Noise     string
}

func (e *ClosedError) Error() string {
	switch {
	case e.OnlyNoise:
		return fmt.Sprintf("it wrote no JSON-RPC message, only %q", e.Noise)
	case e.Err != nil:
		return "connection lost: " + e.Err.Error()
	}
	return "connection closed by the server"
}

func (e *ClosedError) Unwrap() error { return e.Err }

// Request is a call to be made.
type Request struct {
	Method string
	Params json.RawMessage

	// NoCancel keeps the peer from being told when the call is given up.
	NoCancel bool

	// Began, when set, is told the request's id before it is sent.
	Began func(ID)

	// Result, when set, takes a result of more than InlineResult bytes as it
	// arrives: compact bytes up to io.EOF. It runs on another goroutine and,
	// when the call's context ends, may still be in its last read as Call
	// returns.
	Result func(io.Reader) error
}

const (
	// cancelPatience bounds how long the notice of a cancellation may block,
	// and how long the end of reading may trail a failed write.
	cancelPatience = time.Second
	// closePatience bounds how long Close waits for functions of the user
	// that do not heed their contexts.
	closePatience = time.Second
)

// Mux matches calls and replies over one stream, in both directions. All
// methods are safe for concurrent use.
type Mux struct {
	stream  Stream
	handler Handler
	decoder Decoder

	server Server

	ctx  context.Context // ends with the connection
	stop context.CancelCauseFunc
	wg   sync.WaitGroup // the reading loop

	mu        sync.Mutex
	lastID    int64
	calls     map[ID]*call
	abandoned map[ID]bool // given up, answer may still come
	closed    error
	messages  bool // at least one message came
	noise     string

	// streaming is the call that the result in the current frame goes to. It
	// is the reading loop's own.
	streaming ID
}

type call struct {
	ctx    context.Context
	result func(io.Reader) error
	done   chan outcome // buffered: the loop never waits for a caller
}

type outcome struct {
	m   *Message
	err error
}

// NewMux starts to read stream. Close must be called in the end.
func NewMux(stream Stream, h Handler, maxMessage int64) *Mux {
	m := &Mux{
		stream:    stream,
		handler:   h,
		calls:     make(map[ID]*call),
		abandoned: make(map[ID]bool),
	}
	m.server.Handle = h.Request
	m.server.Reply = func(ctx context.Context, reply *Message) { _ = m.send(ctx, reply) }
	m.server.ReplyAll = func(ctx context.Context, answers []*Message) { _ = m.write(ctx, AppendBatch(nil, answers)) }
	m.decoder = Decoder{Max: maxMessage, Result: m.sink, Batch: m.dispatchBatch}
	if h.Trace != nil {
		m.decoder.Trace = func(message []byte) { h.Trace(false, message) }
	}
	m.ctx, m.stop = context.WithCancelCause(context.Background())
	m.wg.Add(1)
	go m.loop()
	return m
}

// Call sends a request and waits for its response. When ctx ends first, the
// peer is told (unless r.NoCancel) and the cause of ctx is returned. An error
// response is a message, not an error.
func (m *Mux) Call(ctx context.Context, r *Request) (*Message, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c := &call{ctx: ctx, result: r.Result, done: make(chan outcome, 1)}
	m.mu.Lock()
	if m.closed != nil {
		m.mu.Unlock()
		return nil, m.closed
	}
	m.lastID++
	id := IntID(m.lastID)
	m.calls[id] = c // before the write: the answer may come before it returns
	m.mu.Unlock()
	if r.Began != nil {
		r.Began(id)
	}

	if err := m.send(ctx, &Message{ID: id, Method: r.Method, Params: r.Params}); err != nil {
		return m.sendFailed(ctx, id, c, r.NoCancel, err)
	}
	select {
	case out := <-c.done:
		return out.in(ctx)
	case <-ctx.Done():
	}
	if !m.abandon(id) { // the answer won the race
		return (<-c.done).in(ctx)
	}
	if !r.NoCancel && !endedByPeer(ctx) {
		m.sendCancelled(id, context.Cause(ctx))
	}
	return nil, context.Cause(ctx)
}

// in is what a call whose context is ctx makes of the outcome: a failure that
// comes with the end of the context is most likely of its making.
func (o outcome) in(ctx context.Context) (*Message, error) {
	if o.err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return o.m, o.err
}

// sendFailed decides what a failed write means: a peer that has gone away is
// better described by what reading finds, and it may have answered first.
func (m *Mux) sendFailed(ctx context.Context, id ID, c *call, noCancel bool, err error) (*Message, error) {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return m.sendRefused(ctx, id, c, refused)
	}
	patience := time.NewTimer(cancelPatience)
	defer patience.Stop()
	select {
	case out := <-c.done:
		return out.in(ctx)
	case <-ctx.Done():
	case <-patience.C:
	}
	if !m.abandon(id) {
		return (<-c.done).in(ctx)
	}
	if ctx.Err() == nil {
		return nil, &ClosedError{Err: err}
	}
	var unsent *UnsentError
	if !noCancel && !errors.As(err, &unsent) {
		m.sendCancelled(id, context.Cause(ctx))
	}
	return nil, context.Cause(ctx)
}

// sendRefused ends a call that gets no answer, unless it has one.
func (m *Mux) sendRefused(ctx context.Context, id ID, c *call, refused *RefusedError) (*Message, error) {
	m.mu.Lock()
	_, waiting := m.calls[id]
	delete(m.calls, id)
	m.mu.Unlock()
	if !waiting { // the peer has contradicted itself, or is gone
		return (<-c.done).in(ctx)
	}
	return nil, refused.Err
}

// abandon gives a call up; it reports false when it was answered already.
func (m *Mux) abandon(id ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.calls[id]; !ok {
		return false
	}
	delete(m.calls, id)
	m.abandoned[id] = true
	return true
}

func (m *Mux) sendCancelled(id ID, cause error) {
	ctx, cancel := context.WithTimeout(m.ctx, cancelPatience)
	defer cancel()
	_ = m.Notify(ctx, "notifications/cancelled", CancelledParams(id, cause)) // the peer may be gone
}

// Notify sends a notification.
func (m *Mux) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return m.send(ctx, &Message{Method: method, Params: params})
}

func (m *Mux) send(ctx context.Context, msg *Message) error {
	return m.write(ctx, msg.Append(make([]byte, 0, 128+len(msg.Params)+len(msg.Result))))
}

func (m *Mux) write(ctx context.Context, data []byte) error {
	if m.handler.Trace != nil {
		m.handler.Trace(true, data)
	}
	return m.stream.Write(ctx, data)
}

// Done is closed when the connection has ended; Err then says why.
func (m *Mux) Done() <-chan struct{} { return m.ctx.Done() }

// Err returns why the connection ended, or nil while it stands.
func (m *Mux) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// Close ends the connection and waits until nothing of it runs any more, but
// for functions of the user that are stuck. Calls in flight fail with
// *ClosedError.
func (m *Mux) Close() error {
	m.end(&ClosedError{Err: errors.New("closed by the client")})
	err := m.stream.Close()
	done := make(chan struct{})
	go func() {
		m.wg.Wait()
		m.server.Wait()
		close(done)
	}()
	patience := time.NewTimer(closePatience)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
	}
	return err
}

// end fails all calls and stops the handlers. Only the first reason counts.
func (m *Mux) end(reason error) {
	m.mu.Lock()
	if m.closed != nil {
		m.mu.Unlock()
		return
	}
	m.closed = reason
	calls := m.calls
	m.calls = make(map[ID]*call)
	m.mu.Unlock()
	m.stop(reason)
	for _, c := range calls {
		c.done <- outcome{err: reason}
	}
}
