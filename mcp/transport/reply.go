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

	// standing marks the stream that belongs to no call: no response is due,
	// and it may be opened again at any point.
	standing bool

	decoder  jsonrpc.Decoder
	response *jsonrpc.Message
	handed   bool // result has been given a reader
	wrong    error
	events   int  // that had data
	traced   bool // the HTTP side has been shown with a message
	resp     *http.Response
	draining io.ReadCloser // what may follow the response, still open
}

// Of resuming a reply stream: how long to wait when the server does not say,
// and how often to try in a row without getting anything.
const (
	defaultRetry = time.Second
	maxResumes   = 5
	// steady is how long a standing stream has to last to count as one that
	// merely had nothing to say.
	steady = 10 * time.Second
)

func (r *reply) read(resp *http.Response) (*jsonrpc.Message, error) {
	r.resp = resp
	r.decoder = jsonrpc.Decoder{Max: r.conn.peer.MaxMessage, Result: r.sink, Batch: r.batch}
	if r.conn.peer.Trace != nil {
		r.decoder.Trace = r.trace
	}
	switch mediaType(resp) {
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
	if err == nil || err == io.EOF {
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
		opened, had := time.Now(), r.events
		events := newEventReader(r.resp.Body)
		events.id = lastID
		err := r.readEvents(events)
		if r.response != nil {
			r.draining = r.resp.Body
			return r.response, nil
		}
		_ = r.resp.Body.Close()
		if events.retry >= 0 {
			retry = events.retry
		}
		fruitless++
		if events.id != lastID || r.standing && (r.events > had || time.Since(opened) > steady) {
			fruitless, lastID = 0, events.id
		}
		// A result that has been handed on in part cannot be taken back.
		if !r.resume || lastID == "" && !r.standing || r.handed || !broke(err) {
			return nil, r.failed(err)
		}
		for {
			if fruitless >= maxResumes {
				return nil, r.failed(err)
			}
			if err = r.reopen(lastID, retry); err == nil {
				break
			}
			if !unreachable(err) {
				return nil, r.notResumed(err)
			}
			fruitless++
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

// unreachable reports whether a server may just be starting again.
func unreachable(err error) bool {
	var connect *ConnectError
	var broken *BrokenError
	return errors.As(err, &connect) || errors.As(err, &broken)
}

// reopen asks for the rest of the stream by GET.
func (r *reply) reopen(lastID string, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
	resp, err := r.conn.openStream(r.ctx, lastID)
	if err != nil {
		return err
	}
	r.resp, r.traced = resp, false
	if r.standing {
		r.conn.peer.listening(lastID != "")
	}
	return nil
}

// notResumed makes the error of a call whose stream the server would not take
// up again. Its refusal is of the GET: it must not pass for an answer to the
// call, nor for a lost session in which the call has not begun.
func (r *reply) notResumed(err error) error {
	var auth *AuthError
	switch {
	case r.ctx.Err() != nil || r.caller.Err() != nil:
		return r.failed(err)
	case r.standing, errors.As(err, &auth):
		return err
	}
	return &BrokenError{URL: r.conn.url, Err: errors.New("and cannot be resumed: " + err.Error())}
}

func (r *reply) readEvents(events *eventReader) error {
	for r.response == nil {
		data, err := events.Next()
		if err != nil {
			return err
		}
		if err := r.decode(data); err != nil {
			if !r.foreign(err) {
				return err
			}
			if stray := r.conn.peer.Handler.Stray; stray != nil {
				stray(err)
			}
		}
		r.events++
	}
	return nil
}

// foreign reports whether a broken event has nothing to do with the response.
func (r *reply) foreign(err error) bool {
	var notJSON *jsonrpc.NotJSONError
	var malformed *jsonrpc.MalformedError
	if errors.As(err, &notJSON) {
		return true
	}
	if !errors.As(err, &malformed) || r.handed {
		return false
	}
	return r.standing || malformed.ID != "" && malformed.ID != jsonrpc.Null && malformed.ID != r.id
}

// decode takes one frame: a body, or the data of an event.
func (r *reply) decode(frame io.Reader) error {
	err := r.decoder.Decode(frame, r.message)
	switch {
	case r.wrong != nil:
		return r.wrong
	case err == io.EOF: // an event without data
		return nil
	}
	return err
}

// sink is where a large result goes.
func (r *reply) sink(id jsonrpc.ID) func(io.Reader) error {
	switch {
	case id != r.id && id != "" || r.standing: // nobody waits for it
		return func(io.Reader) error { return nil }
	case r.result == nil:
		return nil
	}
	return func(in io.Reader) error {
		r.handed = true
		return r.result(in)
	}
}

func (r *reply) trace(data []byte) {
	e := Event{Transport: r.conn.Name(), Message: data}
	if !r.traced {
		r.traced = true
		e.HTTP = &HTTPEvent{Method: r.resp.Request.Method, URL: r.conn.url, Status: r.resp.StatusCode, Header: r.resp.Header}
	}
	r.conn.peer.Trace(e)
}

func (r *reply) batch(messages []*jsonrpc.Message) {
	if requests := r.conn.peer.Handler.SplitBatch(messages, r.message); len(requests) > 0 {
		r.conn.server.ServeBatch(r.conn.ctx, requests)
	}
}

func (r *reply) message(m *jsonrpc.Message) {
	unreadable := m.Error != nil && (m.ID == "" || m.ID == jsonrpc.Null)
	switch {
	case r.standing || !m.IsResponse() || m.ID != r.id && !unreadable:
		if m.Streamed && r.handed {
			r.wrong = &jsonrpc.MalformedError{ID: m.ID, Reason: "a large result came ahead of its unexpected id " + string(m.ID)}
			return
		}
		r.conn.dispatch(m)
	case r.response == nil:
		r.response = m
	}
}

// failed makes the error of a reply that has no response.
func (r *reply) failed(err error) error {
	var sink *jsonrpc.SinkError
	var malformed *jsonrpc.MalformedError
	var notJSON *jsonrpc.NotJSONError
	var tooLarge *jsonrpc.TooLargeError
	switch {
	case r.caller.Err() != nil:
		return context.Cause(r.caller)
	case r.ctx.Err() != nil: // the connection is being closed
		return context.Cause(r.ctx)
	case errors.As(err, &sink):
		return sink.Err
	case errors.As(err, &malformed), errors.As(err, &tooLarge):
		return err
	case errors.As(err, &notJSON):
		return &ContentError{URL: r.conn.url, ContentType: r.resp.Header.Get("Content-Type"), Body: notJSON.Head}
	case err == io.EOF:
		err = nil
	}
	return &BrokenError{URL: r.conn.url, Err: err}
}
