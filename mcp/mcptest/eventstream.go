package mcptest

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// eventStream is the 2024-11-05 transport: answers to all POSTs go to the one
// stream a GET has opened.
type eventStream struct {
	mu   sync.Mutex
	open *openStream
}

// openStream is the GET in progress.
type openStream struct {
	ctx     context.Context // ends with the GET
	mu      sync.Mutex      // one event at a time
	sink    *httpSink
	running sync.WaitGroup
}

func newEventStream() *eventStream { return &eventStream{} }

func (e *eventStream) request(t *turn, to *httpSink, path string, body []byte) error {
	switch {
	case path == endpointPath && to.r.Method == http.MethodGet:
		return e.get(t, to)
	case path != endpointPath && to.r.Method == http.MethodPost:
		return e.post(t, to, body)
	case path == endpointPath:
		to.status = http.StatusMethodNotAllowed
	default:
		to.status = http.StatusNotFound
	}
	return nil
}

// get opens the stream and keeps it until the client goes.
func (e *eventStream) get(t *turn, to *httpSink) error {
	ctx, cancel := context.WithCancel(t.ctx)
	s := &openStream{ctx: ctx, sink: to}
	// The stream must be known before the client learns where to post.
	e.mu.Lock()
	e.open = s
	e.mu.Unlock()
	to.sse = true
	err := s.event(t, "endpoint", func(w io.Writer) error {
		_, err := io.WriteString(w, t.server.script.endpoint)
		return err
	})
	if err == nil {
		<-ctx.Done()
	}
	cancel()
	e.mu.Lock()
	if e.open == s {
		e.open = nil
	}
	e.mu.Unlock()
	s.running.Wait()
	return err
}

func (e *eventStream) post(t *turn, to *httpSink, body []byte) error {
	messages, _, err := parseMessages(body)
	e.mu.Lock()
	s := e.open
	if s != nil {
		s.running.Add(len(messages))
	}
	e.mu.Unlock()
	switch {
	case err != nil:
		to.status = http.StatusBadRequest
		return nil
	case s == nil:
		to.status = http.StatusNotFound
		return nil
	}
	for _, m := range messages {
		one := t.server.newTurn(s.ctx, s, m)
		one.known = t.server.isInitialized()
		work, blocks := one.begin()
		run := func() {
			defer s.running.Done()
			// The stream has no other way to tell a fault than to be silent.
			_ = work()
		}
		if blocks {
			go run()
		} else {
			run()
		}
	}
	return nil
}

func (s *openStream) event(t *turn, name string, body write) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sink.write(t, "text/event-stream", func(w io.Writer) error {
		return writeEvent(w, name, s.sink.lineEnd(), body)
	})
}

func (s *openStream) message(t *turn, body write, _ bool) error {
	return s.event(t, "message", body)
}

func (s *openStream) raw(t *turn, body write) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sink.write(t, "text/event-stream", body)
}

func (s *openStream) hang(t *turn) error {
	<-t.ctx.Done()
	return t.ctx.Err()
}
