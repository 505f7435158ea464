package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Client is a session with one server. Its methods are safe for concurrent use.
type Client struct {
	options Options
	conn    transport.Conn

	session atomic.Pointer[session]
	headers atomic.Pointer[http.Header] // of the session's era
	renewal chan struct{}               // full while the session is opened anew

	lastToken  atomic.Int64
	watching   sync.Map // progress token, as tokenKey gives it -> *progressWatch
	taskTokens sync.Map // id of a task -> the token of the request that became it
	sawTask    atomic.Bool
	served     servedTasks
	consents   consents
	watches    watches
	standing   atomic.Pointer[standing] // nil where nothing is held
}

// Connect starts or reaches the server behind d, finds out which version it
// speaks, and opens a session. It returns *HandshakeError, *VersionError,
// *TimeoutError, *FallbackError or what the transport found wrong. Close must be
// called in the end.
func Connect(ctx context.Context, d transport.Dialer, o Options) (*Client, error) {
	o.setDefaults()
	if o.Version != "" && !slices.Contains(Versions(), o.Version) {
		return nil, &VersionError{Wanted: []string{o.Version}, Err: errors.New("this client does not know that version")}
	}
	ctx, limit := newLimit(ctx, o.ConnectTimeout, "connect-timeout", "connection")
	defer limit.stop()
	if o.Resume != nil {
		return dial(ctx, limit, d, o, (*opening).resume)
	}
	if c := rememberedFallback(ctx, limit, o); c != nil {
		return c, nil
	}
	open := (*opening).remembered
	if beforeStateless(d) {
		open = (*opening).withoutProbe
	}
	c, err := dial(ctx, limit, d, o, open)
	if o.Fallback != nil && refusedTransport(err) {
		return fallBack(ctx, limit, o, err)
	}
	if o.Version != "" || !startsProcess(d) || ctx.Err() != nil {
		return c, err
	}
	switch diedUnder(err) {
	case methodDiscover:
		// Some servers of the stateful era end at a first message that is not
		// initialize: they get a second start without the probe.
		return dial(ctx, limit, d, o, (*opening).unprobed)
	case methodInitialize:
		if o.memory.wasWrong() { // it may be of the other era now
			return dial(ctx, limit, d, o, (*opening).ask)
		}
	}
	return c, err
}

// diedUnder gives the message of the handshake that was not answered before the
// connection ended; "" if that is not what happened.
func diedUnder(err error) string {
	var failed *HandshakeError
	var closed *jsonrpc.ClosedError
	if errors.As(err, &failed) && errors.As(err, &closed) && !closed.OnlyNoise {
		return failed.Method
	}
	return ""
}

func startsProcess(d transport.Dialer) bool {
	switch d.(type) {
	case transport.Command, *transport.Command:
		return true
	}
	return false
}

// dial connects and opens a session in the way given.
func dial(ctx context.Context, limit *limit, d transport.Dialer, o Options, open openFunc) (*Client, error) {
	c := &Client{options: o, renewal: make(chan struct{}, 1)}
	peer := transport.Peer{
		Handler: jsonrpc.Handler{
			Notification: c.notified,
			Request:      c.serve,
			Stray:        o.Handlers.Warn,
			Batches:      c.batches,
		},
		Header:     c.header,
		Listening:  c.listening,
		Trace:      o.Trace,
		MaxMessage: o.MaxMessage,
	}
	began := time.Now()
	conn, err := d.Dial(ctx, peer)
	if err != nil {
		return nil, err
	}
	if o.Exchanged != nil {
		conn = &observed{conn, o.Exchanged}
	}
	c.conn = conn
	dialled := time.Since(began)
	if err := c.start(ctx, limit, open); err != nil {
		if ctx.Err() != nil { // rather than what it made fail
			err = context.Cause(ctx)
		}
		// A server that failed to greet gets the same orderly end.
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	c.Info().Dial = dialled
	c.stand(ctx)
	return c, nil
}

// start opens a session and makes it the client's.
func (c *Client) start(ctx context.Context, limit *limit, open openFunc) error {
	began := time.Now()
	s, err := open(&opening{
		conn:    c.conn,
		options: &c.options,
		step:    limit.step,
		use: func(e era) {
			h := e.header()
			c.headers.Store(&h)
		},
	}, ctx)
	if err != nil {
		return err
	}
	s.info.Transport = c.conn.Name()
	s.info.Handshake = time.Since(began)
	if c.options.LogLevel != "" {
		limit.step(methodSetLevel)
		if err := c.setLogLevel(ctx, s); err != nil {
			return err
		}
	}
	c.session.Store(s)
	return nil
}

const methodSetLevel = "logging/setLevel"

// setLogLevel asks for log messages where that is a setting of the session. In
// the other era every request asks for its own.
func (c *Client) setLogLevel(ctx context.Context, s *session) error {
	if !s.era.features().sessionLogLevel {
		return nil
	}
	params, err := json.Marshal(map[string]string{"level": c.options.LogLevel})
	if err != nil {
		return err
	}
	r := &Request{Method: methodSetLevel, Params: params}
	if missing := s.lacks(r); missing != nil {
		c.warn(missing)
		return nil
	}
	_, err = c.exchange(ctx, s, r, params)
	return serverError(methodSetLevel, err)
}

// Info is what the server said of itself when the session was opened.
func (c *Client) Info() *ServerInfo { return c.session.Load().info }

// Close ends the session, and the server if it was started for it. The end of
// ctx makes it short.
func (c *Client) Close(ctx context.Context) error {
	if s := c.standing.Load(); s != nil {
		s.end()
	}
	err := c.conn.Close(ctx)
	c.served.close()
	return err
}

// header is asked for by the transport, also while the session is opened.
func (c *Client) header() http.Header {
	if h := c.headers.Load(); h != nil {
		return *h
	}
	return nil
}

// batches reports whether the requests of a batch are answered by one.
func (c *Client) batches() bool {
	s := c.session.Load()
	return s != nil && s.era.features().batches
}

func (c *Client) warn(err error) {
	if c.options.Handlers.Warn != nil {
		c.options.Handlers.Warn(err)
	}
}
