package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
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

	mu      sync.Mutex // guards a session that is opened anew
	session atomic.Pointer[session]

	lastToken atomic.Int64
	watching  sync.Map // progress token (int64) -> *progressWatch
}

// Connect starts or reaches the server behind d, finds out which version it
// speaks, and opens a session. It returns *HandshakeError, *VersionError,
// *TimeoutError or what the transport found wrong. Close must be called in the
// end.
func Connect(ctx context.Context, d transport.Dialer, o Options) (*Client, error) {
	o.setDefaults()
	limited, _, stop := withLimit(ctx, o.ConnectTimeout, "connect-timeout", "connection and handshake")
	defer stop()
	c, err := dial(limited, d, o, (*opening).open)
	var closed *jsonrpc.ClosedError
	if _, restartable := d.(transport.Command); restartable && o.Version == "" && limited.Err() == nil &&
		errors.As(err, &closed) && !closed.OnlyNoise {
		// Some servers of the stateful era end at a first message that is not
		// initialize: they get a second start without the probe.
		c, err = dial(limited, d, o, (*opening).greet)
	}
	return c, err
}

// dial connects and opens a session in the way given.
func dial(ctx context.Context, d transport.Dialer, o Options, open func(*opening, context.Context) (*session, error)) (*Client, error) {
	c := &Client{options: o}
	peer := transport.Peer{
		Handler: jsonrpc.Handler{
			Notification: c.notified,
			Request:      c.asked,
			Stray:        o.Handlers.Warn,
		},
		Header:     c.header,
		Trace:      o.Trace,
		MaxMessage: o.MaxMessage,
	}
	began := time.Now()
	conn, err := d.Dial(ctx, peer)
	if err != nil {
		return nil, err
	}
	c.conn = conn
	dialled := time.Now()
	s, err := open(c.opening(), ctx)
	if err != nil {
		// A server that failed to greet gets the same orderly end.
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	s.info.Transport = conn.Name()
	s.info.Dial, s.info.Handshake = dialled.Sub(began), time.Since(dialled)
	c.session.Store(s)
	if o.LogLevel != "" && s.era.name() == Stateful {
		if err := c.setLogLevel(ctx); err != nil {
			_ = c.Close(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	return c, nil
}

func (c *Client) opening() *opening {
	return &opening{conn: c.conn, options: &c.options, use: func(e era) {
		c.session.Store(&session{era: e})
	}}
}

func (c *Client) setLogLevel(ctx context.Context) error {
	params, err := json.Marshal(map[string]string{"level": c.options.LogLevel})
	if err != nil {
		return err
	}
	_, err = c.Do(ctx, &Request{Method: "logging/setLevel", Params: params})
	var missing *CapabilityError
	if errors.As(err, &missing) {
		c.warn(err)
		return nil
	}
	return err
}

// Info is what the server said of itself when the session was opened.
func (c *Client) Info() *ServerInfo { return c.session.Load().info }

// Close ends the session, and the server if it was started for it. The end of
// ctx makes it short.
func (c *Client) Close(ctx context.Context) error { return c.conn.Close(ctx) }

// header is asked for by the transport, also while the session is opened.
func (c *Client) header() http.Header {
	if s := c.session.Load(); s != nil {
		return s.era.header()
	}
	return nil
}

// reopen opens a session anew that the server has lost. The session given is
// the one that failed; another call may have replaced it already.
func (c *Client) reopen(ctx context.Context, lost *session) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session.Load() != lost {
		return nil
	}
	c.session.Store(nil)
	s, err := c.opening().stateful(ctx, lost.era.version(), false)
	if err != nil {
		c.session.Store(lost)
		return err
	}
	s.info.Transport = c.conn.Name()
	c.session.Store(s)
	return nil
}

func (c *Client) warn(err error) {
	if c.options.Handlers.Warn != nil {
		c.options.Handlers.Warn(err)
	}
}

// asked answers a request that the server made.
func (c *Client) asked(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	result, err := c.options.Handlers.answer(ctx, m.Method, m.Params)
	if err == nil {
		return result, nil
	}
	var rpc *jsonrpc.Error
	var refused *RefusedError
	switch {
	case errors.As(err, &rpc):
		return nil, rpc
	case errors.As(err, &refused) && m.Method == "sampling/createMessage":
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "User rejected sampling request"}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}
