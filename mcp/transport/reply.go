package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"mcpq/mcp/jsonrpc"
)

// reply reads the answer to one POST: a JSON object or an event stream that
// ends in the response.
type reply struct {
	conn   *httpConn
	id     jsonrpc.ID
	ctx    context.Context // of the exchange
	caller context.Context
	result func(io.Reader) error
	resume bool

	response *jsonrpc.Message
	traced   bool // the HTTP side has been shown with a message
	resp     *http.Response
	draining io.ReadCloser // what may follow the response, still open
}

// Of resuming a reply stream: how long to wait when the server does not say,
// and how often to try in a row without getting anything.
const (
	defaultRetry = time.Second
	maxResumes   = 5
)

func (r *reply) read(resp *http.Response) (*jsonrpc.Message, error) {
	r.resp = resp
	kind := mediaType(resp)
	switch kind {
	case "application/json":
		return r.readJSON()
	case "text/event-stream":
		return r.readStream()
	}
	defer func() { _ = resp.Body.Close() }()
	head, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	r.conn.trace(false, nil, resp.Request.Method, resp.StatusCode, resp.Header)
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, &BrokenError{URL: r.conn.url, Err: errors.New("it is empty (" + resp.Status + ")")}
	}
	return nil, &ContentError{URL: r.conn.url, ContentType: resp.Header.Get("Content-Type"), Body: excerpt(head)}
}

func (r *reply) readJSON() (*jsonrpc.Message, error) {
	defer func() { _ = r.resp.Body.Close() }()
	err := r.decode(r.resp.Body)
	if r.response != nil {
		return r.response, nil
	}
	if err == nil {
		err = errors.New("it holds no response to the request")
	}
	return nil, r.failed(err)
}

// readStream reads events up to the response. A stream that broke, or that the
// server closed to be polled, is taken up again where that is allowed.
func (r *reply) readStream() (*jsonrpc.Message, error) {
	var lastID string
	retry := defaultRetry
	for fruitless := 0; ; {
		events := newEventReader(r.resp.Body)
		events.id = lastID
		err := r.events(events)
		if r.response != nil {
			r.draining = r.resp.Body
			return r.response, nil
		}
		_ = r.resp.Body.Close()
		if events.retry > 0 {
			retry = events.retry
		}
		if fruitless++; events.id != lastID {
			fruitless, lastID = 0, events.id
		}
		if !r.resume || lastID == "" || fruitless > maxResumes || !broke(err) {
			return nil, r.failed(err)
		}
		if err := r.reopen(lastID, retry); err != nil {
			return nil, r.failed(err)
		}
	}
}

// broke reports whether err is the end of a stream, rather than of patience or
// of the protocol.
func broke(err error) bool {
	var malformed *jsonrpc.MalformedError
	var tooLarge *jsonrpc.TooLargeError
	var sink *jsonrpc.SinkError
	return !errors.As(err, &malformed) && !errors.As(err, &tooLarge) && !errors.As(err, &sink)
}

// reopen asks for the rest of the stream by GET.
func (r *reply) reopen(lastID string, wait time.Duration) error {
	select {
	case <-time.After(wait):
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
	resp, err := r.conn.openStream(r.ctx, lastID)
	if err != nil {
		return err
	}
	r.resp, r.traced = resp, false
	return nil
}

func (r *reply) events(events *eventReader) error {
	for r.response == nil {
		data, err := events.Next()
		if err != nil {
			return err
		}
		if err := r.decode(data); err != nil {
			return err
		}
	}
	return nil
}

// decode takes one frame: a body, or the data of an event.
func (r *reply) decode(frame io.Reader) error {
	dec := jsonrpc.Decoder{Max: r.conn.peer.MaxMessage}
	if r.conn.peer.Trace != nil {
		data, err := io.ReadAll(frame)
		if err != nil {
			return err
		}
		if len(data) > 0 {
			r.trace(data)
		}
		frame = bytes.NewReader(data)
	} else if r.result != nil {
		dec.Result = func(id jsonrpc.ID) func(io.Reader) error {
			if id != r.id && id != "" {
				return nil
			}
			return r.result
		}
	}
	err := dec.Decode(frame, r.message)
	if err == io.EOF { // an event without data
		return nil
	}
	return err
}

func (r *reply) trace(data []byte) {
	e := Event{Transport: r.conn.Name(), Message: data}
	if !r.traced {
		r.traced = true
		e.HTTP = &HTTPEvent{Method: r.resp.Request.Method, URL: r.conn.url, Status: r.resp.StatusCode, Header: r.resp.Header}
	}
	r.conn.peer.Trace(e)
}

func (r *reply) message(m *jsonrpc.Message) {
	unreadable := m.Error != nil && (m.ID == "" || m.ID == jsonrpc.Null)
	if m.IsResponse() && (m.ID == r.id || unreadable) {
		r.response = m
		return
	}
	r.conn.dispatch(m)
}

// failed makes the error of a reply that has no response.
func (r *reply) failed(err error) error {
	var sink *jsonrpc.SinkError
	var malformed *jsonrpc.MalformedError
	var notJSON *jsonrpc.NotJSONError
	var tooLarge *jsonrpc.TooLargeError
	var httpErr *HTTPError
	switch {
	case r.caller.Err() != nil:
		return context.Cause(r.caller)
	case errors.As(err, &sink):
		return sink.Err
	case errors.As(err, &malformed), errors.As(err, &tooLarge), errors.As(err, &httpErr):
		return err
	case errors.As(err, &notJSON):
		return &ContentError{URL: r.conn.url, ContentType: r.resp.Header.Get("Content-Type"), Body: notJSON.Head}
	case errors.Is(err, io.EOF):
		err = nil
	}
	return &BrokenError{URL: r.conn.url, Err: err}
}

// drain reads what follows a response, so that the connection can be used
// again; it does not wait long for a server that keeps the stream open.
func (c *httpConn) drain(body io.ReadCloser, done func()) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		timer := time.AfterFunc(drainPatience, done)
		_, _ = io.CopyN(io.Discard, body, errorBody)
		_ = body.Close()
		timer.Stop()
		done()
	}()
}
