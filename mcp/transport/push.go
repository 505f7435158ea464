package transport

import (
	"context"
	"errors"
	"net/http"

	"mcpq/mcp/jsonrpc"
)

// ErrNoStream is returned by Listen when the server offers no stream for
// messages outside of calls.
var ErrNoStream = errors.New("the server offers no event stream")

// openStream opens the standing event stream, or with lastID the rest of one
// that broke.
func (c *httpConn) openStream(ctx context.Context, lastID string) (*http.Response, error) {
	req, err := c.request(ctx, http.MethodGet, nil, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/event-stream")
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	resp, err := c.do(req, nil)
	if err != nil {
		return nil, err
	}
	if mediaType(resp) != "text/event-stream" {
		_ = resp.Body.Close()
		return nil, &ContentError{URL: c.url, ContentType: resp.Header.Get("Content-Type")}
	}
	return resp, nil
}

// standing is the one GET stream of a session, however many listen.
type standing struct {
	listeners int
	open      bool // the server has begun with it
	stop      context.CancelCauseFunc
	done      chan struct{}
	err       error // set when done
}

// errNobodyListens ends the standing stream.
var errNobodyListens = errors.New("nobody listens any more")

// Listen holds the standing GET stream of a stateful session open. It returns
// ErrNoStream when the server has none (405). Whoever listens at the same time
// shares the stream: servers allow but one.
func (c *httpConn) Listen(ctx context.Context) error {
	c.standingMu.Lock()
	s := c.standing
	if s == nil {
		stream, stop := context.WithCancelCause(c.ctx)
		s = &standing{stop: stop, done: make(chan struct{})}
		if !c.work.spawn(func() { c.stand(stream, s) }) {
			c.standingMu.Unlock()
			stop(nil)
			return context.Cause(c.ctx)
		}
		c.standing = s
	}
	s.listeners++
	open := s.open
	c.standingMu.Unlock()
	if open {
		c.peer.listening(false)
	}
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
	}
	c.standingMu.Lock()
	s.listeners--
	last := s.listeners == 0
	if last && c.standing == s {
		c.standing = nil
	}
	c.standingMu.Unlock()
	if last {
		s.stop(errNobodyListens)
		<-s.done
	}
	return context.Cause(ctx)
}

// stand opens the stream and reads it until it ends.
func (c *httpConn) stand(ctx context.Context, s *standing) {
	err := c.readStanding(ctx, s)
	c.standingMu.Lock()
	if c.standing == s {
		c.standing = nil
	}
	c.standingMu.Unlock()
	s.err = err
	close(s.done)
	s.stop(nil)
}

func (c *httpConn) readStanding(ctx context.Context, s *standing) error {
	resp, err := c.openStream(ctx, "")
	var httpErr *HTTPError
	if errors.As(err, &httpErr) && httpErr.Status == http.StatusMethodNotAllowed {
		return ErrNoStream
	}
	if err != nil {
		return err
	}
	c.standingMu.Lock()
	s.open = true
	c.standingMu.Unlock()
	c.peer.listening(false)
	r := &reply{conn: c, ctx: ctx, caller: ctx, resume: true, standing: true}
	_, err = r.read(resp)
	return err
}

// dispatch takes a message that is not the response waited for.
func (c *httpConn) dispatch(m *jsonrpc.Message) {
	h := c.peer.Handler
	switch {
	case m.IsRequest():
		c.server.Serve(c.ctx, m)
	case m.IsNotification():
		if m.Method == "notifications/cancelled" {
			c.server.Cancelled(m)
		}
		if h.Notification != nil {
			h.Notification(c.ctx, m)
		}
	case h.Stray != nil:
		h.Stray(&jsonrpc.StrayError{Message: m})
	}
}
