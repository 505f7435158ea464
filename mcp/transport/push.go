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

// Listen holds the standing GET stream of a stateful session open. It returns
// ErrNoStream when the server has none (405).
func (c *httpConn) Listen(ctx context.Context) error {
	stream, stop := context.WithCancelCause(c.ctx)
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })()
	resp, err := c.openStream(stream, "")
	var httpErr *HTTPError
	if errors.As(err, &httpErr) && httpErr.Status == http.StatusMethodNotAllowed {
		return ErrNoStream
	}
	if err != nil {
		return err
	}
	c.peer.listening(false)
	r := &reply{conn: c, ctx: stream, caller: ctx, resume: true, standing: true}
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
