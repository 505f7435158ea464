package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcpq/mcp/jsonrpc"
)

// SSE is the Dialer of a server with the HTTP+SSE transport of 2024-11-05: one
// event stream carries all that it says, and every message to it is a POST to
// the URL that the first event names.
//
// The headers of a session's era do not go with its requests: that transport
// has no session ids and no protocol version header.
type SSE struct {
	URL    string      // of the event stream
	Header http.Header // added to every request

	// RoundTripper makes the requests; nil means one of our own, as in HTTP.
	RoundTripper http.RoundTripper

	// EndpointTimeout bounds the wait for the first event once the stream is
	// open; 0 means 10 s.
	EndpointTimeout time.Duration
}

const (
	endpointEvent   = "endpoint"
	endpointTimeout = 10 * time.Second
	maxEndpoint     = 8 << 10 // bytes of the URL in the event
)

// Dial opens the event stream and waits for the endpoint. All that can be
// wrong with them is a *ConnectError, which unwraps to what the HTTP request
// came to.
func (s SSE) Dial(ctx context.Context, p Peer) (Conn, error) {
	// The mux sees every message that comes; what is sent is shown with its
	// HTTP request.
	received, posted := p, p
	received.Trace, posted.Header = nil, nil
	if p.Trace != nil {
		received.Trace = func(e Event) {
			if !e.Sent {
				p.Trace(e)
			}
		}
	}
	c, err := HTTP{URL: s.URL, Header: s.Header, RoundTripper: s.RoundTripper}.conn(ctx, "sse", posted)
	if err != nil {
		return nil, err
	}
	stream := &sseStream{http: c}
	if err := s.open(ctx, stream); err != nil {
		_ = stream.Close()
		return nil, err
	}
	return newStreamConn(c.name, stream, received), nil
}

// open makes the GET and reads up to the endpoint.
func (s SSE) open(ctx context.Context, stream *sseStream) error {
	c := stream.http
	opened, giveUp := context.WithCancelCause(c.ctx) // the stream's life, if it comes to that
	unwatch := context.AfterFunc(ctx, func() { giveUp(context.Cause(ctx)) })
	endpoint, err := s.endpoint(opened, giveUp, stream)
	switch {
	case !unwatch():
		return context.Cause(ctx)
	case opened.Err() != nil: // which reading does not tell
		err = context.Cause(opened)
	}
	var connect *ConnectError
	switch {
	case errors.As(err, &connect):
		return err
	case err != nil:
		return &ConnectError{Target: redacted(s.URL), Err: err}
	}
	c.url = endpoint
	return nil
}

func (s SSE) endpoint(ctx context.Context, giveUp context.CancelCauseFunc, stream *sseStream) (string, error) {
	resp, err := stream.http.openStream(ctx, "")
	if err != nil {
		return "", err
	}
	stream.http.trace(false, nil, http.MethodGet, resp.StatusCode, resp.Header)
	stream.body = resp.Body
	limit := cmp.Or(s.EndpointTimeout, endpointTimeout)
	timer := time.AfterFunc(limit, func() { giveUp(fmt.Errorf("no endpoint event within %s", limit)) })
	defer timer.Stop()
	stream.events = newEventReader(resp.Body)
	text, err := firstEndpoint(stream.events)
	if err != nil {
		return "", err
	}
	return resolveEndpoint(resp.Request.URL, text)
}

// firstEndpoint reads the event that has to come before any message.
func firstEndpoint(events *eventReader) (string, error) {
	for {
		data, err := events.any()
		switch {
		case err == io.EOF:
			return "", errors.New("the event stream ended without an endpoint event")
		case err != nil:
			return "", err
		case events.kind == "" || events.kind == messageEvent:
			return "", errors.New("the event stream does not begin with an endpoint event")
		case events.kind != endpointEvent:
			continue // those that nobody knows are ignored everywhere
		}
		text, err := io.ReadAll(io.LimitReader(data, maxEndpoint+1))
		switch {
		case err != nil:
			return "", fmt.Errorf("the endpoint event broke off: %w", err)
		case len(text) > maxEndpoint:
			return "", fmt.Errorf("the endpoint event is longer than %d bytes", maxEndpoint)
		}
		return strings.TrimSpace(string(text)), nil
	}
}

// resolveEndpoint gives the URL to post to. It has to be of the stream's own
// origin: credentials go with every message.
func resolveEndpoint(stream *url.URL, text string) (string, error) {
	u, err := stream.Parse(text)
	switch {
	case text == "" || err != nil:
		return "", fmt.Errorf("the endpoint %q is no URL", excerpt([]byte(text)))
	case !sameOrigin(stream, u):
		return "", fmt.Errorf("the endpoint is at %s://%s, another origin, and is not used", u.Scheme, u.Host)
	}
	u.User = stream.User
	return u.String(), nil
}

// sseStream is the jsonrpc.Stream of the transport: events are frames, and
// POSTs are writes.
type sseStream struct {
	http   *httpConn // its URL is the endpoint
	events *eventReader
	body   io.ReadCloser
}

// Read returns the data of the next message. A later endpoint event changes
// nothing.
func (s *sseStream) Read() (io.Reader, error) { return s.events.Next() }

// Write posts the message. Its answer says no more than whether it was taken;
// servers may hold it back until they have dealt with the message.
func (s *sseStream) Write(ctx context.Context, message []byte) error {
	if ctx.Err() != nil {
		return &jsonrpc.UnsentError{Err: context.Cause(ctx)}
	}
	exchange, stop := context.WithCancelCause(s.http.ctx)
	unwatch := context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })
	defer unwatch()
	resp, err := s.http.postBody(exchange, message, nil)
	if err != nil {
		defer stop(nil)
		if exchange.Err() != nil {
			return context.Cause(exchange)
		}
		return &jsonrpc.RefusedError{Err: err}
	}
	s.http.trace(false, nil, http.MethodPost, resp.StatusCode, resp.Header)
	s.http.drain(resp.Body, func() { stop(nil) })
	return nil
}

// Close ends the stream, and with it the session.
func (s *sseStream) Close() error {
	err := s.http.Close(context.Background())
	if s.body != nil {
		_ = s.body.Close()
	}
	return err
}
