package mcp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

const (
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"

	// streamPatience is how long a server may take to open its stream of
	// notifications before it is subscribed to all the same: some send the
	// head of that reply with the first event only.
	streamPatience = 2 * time.Second

	// unsubscribePatience bounds what is done for good manners.
	unsubscribePatience = time.Second
)

// subscribe holds the stream of the session open, subscribes to each resource
// and waits. The stream comes first, so that nothing falls in between.
func (e *stateful) subscribe(ctx context.Context, s *session, w *watch) (err error) {
	c := w.client
	select {
	case c.watches.stateful <- struct{}{}:
		defer func() { <-c.watches.stateful }()
	default:
		return &SubscriptionError{Reason: "another watch holds the stream of this session"}
	}
	for _, stale := range []chan struct{}{w.fresh, w.streams} {
		select {
		case <-stale:
		default:
		}
	}
	if c.session.Load() != s {
		return errRenewed
	}
	w.begin(func(m *jsonrpc.Message) bool { return e.wanted(&w.want, m) })

	listenCtx, stop := context.WithCancelCause(ctx)
	listened := make(chan error, 1)
	go func() { listened <- c.conn.Listen(listenCtx) }()
	ended := false
	defer func() {
		stop(errWatchOver)
		if !ended {
			<-listened //nolint:errcheck // it says no more than that it was stopped
		}
	}()
	patience := time.NewTimer(streamPatience)
	defer patience.Stop()
	select {
	case <-w.streams:
	case <-patience.C:
	case err := <-listened:
		ended = true
		return noStream(ctx, err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	subscribed, err := w.subscribeEach(ctx, s)
	defer func() {
		var refused *RPCError
		if ctx.Err() != nil || errors.As(err, &refused) {
			w.unsubscribeEach(ctx, s, subscribed)
		}
	}()
	if err != nil {
		return err
	}
	w.stands()
	for {
		select {
		case <-w.streams: // it broke, and what came meanwhile is lost
			w.stands()
		case <-w.fresh:
			return errRenewed
		case err := <-listened:
			ended = true
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// noStream judges a stream that could not be opened.
func noStream(ctx context.Context, err error) error {
	var lost *transport.SessionError
	var status *transport.HTTPError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, transport.ErrNoStream):
		return &SubscriptionError{Reason: err.Error()}
	case errors.As(err, &lost):
		return err
	case errors.As(err, &status) && (status.Status == http.StatusNotFound || status.Status == http.StatusNotImplemented):
		return &SubscriptionError{Reason: transport.ErrNoStream.Error(), Err: err}
	}
	return err
}

// subscribeEach subscribes to the resources. It returns those it got to.
func (w *watch) subscribeEach(ctx context.Context, s *session) (done []string, err error) {
	for _, uri := range w.want.URIs {
		if _, err := w.client.Do(ctx, resourceRequest(methodSubscribe, uri)); err != nil {
			return done, err
		}
		if w.client.session.Load() != s { // and the others are forgotten
			return nil, errRenewed
		}
		done = append(done, uri)
	}
	return done, nil
}

// unsubscribeEach takes the subscriptions back. It is done in vain where the
// server is gone.
func (w *watch) unsubscribeEach(ctx context.Context, s *session, uris []string) {
	if w.client.session.Load() != s {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unsubscribePatience)
	defer cancel()
	for _, uri := range uris {
		r := resourceRequest(methodUnsubscribe, uri)
		if _, err := w.client.exchange(ctx, s, r, r.Params); err != nil {
			w.client.warn(serverError(methodUnsubscribe, err))
			return
		}
	}
}

func resourceRequest(method, uri string) *Request {
	return &Request{Method: method, Params: rawjson.Object{}.Set("uri", rawjson.Quote(uri)).Raw()}
}

// wanted reports whether a notification belongs to a subscription. Updates are
// not told by their URI: it may be that of a part.
func (e *stateful) wanted(s *Subscription, m *jsonrpc.Message) bool {
	switch kind(m.Method) {
	case "tools":
		return s.Tools
	case "prompts":
		return s.Prompts
	case "resources":
		return s.Resources
	case "updated":
		return len(s.URIs) > 0
	case "logs":
		return s.Logs
	case "task":
		return slices.Contains(s.TaskIDs, taskOf(m))
	}
	return false
}
