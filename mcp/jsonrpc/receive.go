package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	if m.handler.Trace != nil {
		data, err := io.ReadAll(frame)
		if err != nil {
			return err
		}
		m.handler.Trace(false, data)
		frame = bytes.NewReader(data)
	}
	err := m.decoder.Decode(frame, m.dispatch)
	var notJSON *NotJSONError
	var malformed *MalformedError
	var sink *SinkError
	switch {
	case err == nil, err == io.EOF: // a frame without anything in it
		return nil
	case errors.As(err, &notJSON):
		m.mu.Lock()
		if m.noise == "" {
			m.noise = notJSON.Head
		}
		m.mu.Unlock()
		m.stray(err)
		return nil
	case errors.As(err, &malformed):
		if m.fail(malformed.ID, err) {
			return nil
		}
		return err
	case errors.As(err, &sink):
		if m.fail(sink.ID, sink.Err) {
			return nil
		}
		return err
	}
	return err
}

// fail ends the call that a broken message was meant for: the one with its id,
// or the only one there is. It reports whether there was one.
func (m *Mux) fail(id ID, err error) bool {
	m.mu.Lock()
	c := m.calls[id]
	if c == nil && (id == "" || id == Null) {
		id, c = m.only()
	}
	if c != nil {
		delete(m.calls, id)
	} else if m.abandoned[id] {
		delete(m.abandoned, id)
		m.mu.Unlock()
		return true
	}
	m.mu.Unlock()
	if c == nil {
		return false
	}
	c.done <- outcome{err: err}
	return true
}

// only returns the call in flight when there is exactly one that the next
// response can be for. m.mu is held.
func (m *Mux) only() (ID, *call) {
	if len(m.calls) != 1 || len(m.abandoned) != 0 {
		return "", nil
	}
	for id, c := range m.calls {
		return id, c
	}
	return "", nil
}

// sink finds where a large result goes while it arrives.
func (m *Mux) sink(id ID) func(io.Reader) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[id]
	if c == nil && id == "" {
		_, c = m.only()
	}
	if c == nil || c.result == nil {
		return nil
	}
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
	return c.r.Read(p)
}

func (m *Mux) stray(err error) {
	if m.handler.Stray != nil {
		m.handler.Stray(err)
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
	case c != nil:
		c.done <- outcome{m: msg}
	case msg.Streamed: // to the only call there was, and it was not for it
		m.fail("", &MalformedError{ID: id, Reason: "a result came under the unknown id " + string(id)})
	case !gaveUp:
		m.stray(&StrayError{Message: msg})
	}
}
