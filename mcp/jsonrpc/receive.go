package jsonrpc

import (
	"context"
	"errors"
	"io"

	"mcpq/internal/rawjson"
)

func (m *Mux) loop() {
	defer m.wg.Done()
	for {
		frame, err := m.stream.Read()
		if err == nil {
			err = m.decode(frame)
		}
		if err != nil {
			m.end(m.closedError(err))
			return
		}
	}
}

func (m *Mux) closedError(err error) *ClosedError {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &ClosedError{OnlyNoise: !m.messages && m.noise != "", Noise: m.noise}
	if err != io.EOF {
		c.Err = err
	}
	return c
}

// decode takes one frame. The error it returns ends the connection.
func (m *Mux) decode(frame io.Reader) error {
	m.streaming = ""
	err := m.decoder.Decode(frame, m.dispatch)
	var notJSON *NotJSONError
	var malformed *MalformedError
	var tooLarge *TooLargeError
	var sink *SinkError
	switch {
	case err == nil, err == io.EOF: // a frame without anything in it
		return nil
	case errors.As(err, &sink):
		return m.fail(m.streaming, sink.Err)
	case errors.As(err, &notJSON):
		m.mu.Lock()
		if m.noise == "" {
			m.noise = notJSON.Head
		}
		m.mu.Unlock()
		m.stray(err)
		return nil
	case errors.As(err, &malformed):
		return m.fail(malformed.ID, err)
	case errors.As(err, &tooLarge):
		return m.fail(tooLarge.ID, err)
	}
	return err
}

// fail ends the call that a broken message was meant for: the one it was being
// handed to, the one with its id, or the only one there is. A message that can
// have been for none is ignored. If it was for one of several, which cannot be
// told, err is returned.
func (m *Mux) fail(id ID, err error) error {
	if m.streaming != "" {
		id = m.streaming
	}
	m.mu.Lock()
	c := m.calls[id]
	if c == nil && (id == "" || id == Null) {
		id, c = m.only()
		if c == nil && len(m.calls) > 0 {
			m.mu.Unlock()
			return err
		}
	}
	delete(m.calls, id)
	gaveUp := m.abandoned[id]
	delete(m.abandoned, id)
	m.mu.Unlock()
	switch {
	case c != nil:
		c.done <- outcome{err: err}
	case !gaveUp:
		m.stray(err)
	}
	return nil
}

// only returns the call in flight when there is exactly one. m.mu is held.
func (m *Mux) only() (ID, *call) {
	if len(m.calls) == 1 {
		for id, c := range m.calls {
			return id, c
		}
	}
	return "", nil
}

// sink finds where a large result goes while it arrives.
func (m *Mux) sink(id ID) func(io.Reader) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[id]
	switch {
	case c != nil:
	case id != "" || len(m.calls) == 0: // nobody waits for it
		return func(io.Reader) error { return nil }
	case len(m.abandoned) == 0:
		id, c = m.only()
	}
	if c == nil || c.result == nil { // also: the id that follows will tell
		return nil
	}
	m.streaming = id
	return func(r io.Reader) error { return c.result(&contextReader{c.ctx, r}) }
}

// contextReader ends a result that nobody waits for any more.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.r.Read(p)
	if c.ctx.Err() != nil { // it ended while the read was waiting
		return 0, context.Cause(c.ctx)
	}
	return n, err
}

// WriteTo spares io.Copy its buffer.
func (c *contextReader) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(&contextWriter{c.ctx, w}, c.r)
}

type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *contextWriter) Write(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.w.Write(p)
}

// WriteText makes it a [rawjson.TextWriter].
func (c *contextWriter) WriteText(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return rawjson.WriteText(c.w, p)
}

func (m *Mux) stray(err error) {
	if m.handler.Stray != nil {
		m.handler.Stray(err)
	}
}

func (m *Mux) dispatchBatch(messages []*Message) {
	if requests := m.handler.SplitBatch(messages, m.dispatch); len(requests) > 0 {
		m.mu.Lock()
		m.messages = true
		m.mu.Unlock()
		m.server.ServeBatch(m.ctx, requests)
	}
}

func (m *Mux) dispatch(msg *Message) {
	m.mu.Lock()
	m.messages = true
	m.mu.Unlock()
	switch {
	case msg.IsResponse():
		m.respond(msg)
	case msg.IsRequest():
		m.server.Serve(m.ctx, msg)
	case msg.Method == "notifications/cancelled":
		m.server.Cancelled(msg)
		fallthrough
	default:
		if m.handler.Notification != nil {
			m.handler.Notification(m.ctx, msg)
		}
	}
}

func (m *Mux) respond(msg *Message) {
	// A large result was handed on, or dropped, before its id was known.
	misdirected := msg.Streamed && m.streaming != msg.ID
	var err error
	if misdirected {
		err = &MalformedError{ID: msg.ID, Reason: "a large result came ahead of its unexpected id " + string(msg.ID)}
		if m.streaming != "" {
			_ = m.fail(m.streaming, err) // an id in hand always finds its place
		}
	}
	m.mu.Lock()
	id := msg.ID
	c := m.calls[id]
	if c == nil && msg.Error != nil && (id == "" || id == Null) {
		id, c = m.only() // the peer could not read the request's id
	}
	delete(m.calls, id)
	gaveUp := m.abandoned[id]
	delete(m.abandoned, id)
	m.mu.Unlock()
	switch {
	case c != nil && misdirected:
		c.done <- outcome{err: err}
	case c != nil:
		c.done <- outcome{m: msg}
	case !gaveUp:
		m.stray(&StrayError{Message: msg})
	}
}
