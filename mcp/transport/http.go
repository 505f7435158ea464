package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcpq/mcp/jsonrpc"
)

// HTTP is the Dialer of a Streamable HTTP server, of either era. Nothing is
// sent by Dial itself.
type HTTP struct {
	URL    string
	Header http.Header // added to every request

	// RoundTripper makes the requests; nil means one of our own, with the
	// proxy settings of the environment.
	RoundTripper http.RoundTripper
}

const (
	sessionHeader = "Mcp-Session-Id"
	maxRedirects  = 5
	// drainPatience is how long a reply stream may stay open behind its
	// response before its connection is given up.
	drainPatience = 250 * time.Millisecond
	// closePatience bounds the DELETE that ends a session.
	closePatience = 2 * time.Second
	// errorBody bounds what is read of a failed reply.
	errorBody = 1 << 20
)

// httpConn is a session with a Streamable HTTP server. Every call is a POST of
// its own.
type httpConn struct {
	url    string
	header http.Header
	client *http.Client
	peer   Peer

	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	server jsonrpc.Server
	wg     sync.WaitGroup // goroutines that drain replies

	lastID  atomic.Int64
	session atomic.Pointer[string]
}

// Dial checks the URL and prepares the session.
func (h HTTP) Dial(_ context.Context, p Peer) (Conn, error) {
	u, err := url.Parse(h.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &ConnectError{Target: h.URL, Err: errors.New("not an http or https URL")}
	}
	rt := h.RoundTripper
	if rt == nil {
		rt = NewRoundTripper()
	}
	c := &httpConn{url: h.URL, header: h.Header, peer: p}
	c.client = &http.Client{Transport: rt, CheckRedirect: checkRedirect}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.server.Handle = p.Handler.Request
	c.server.Reply = func(ctx context.Context, reply *jsonrpc.Message) {
		_ = c.postMessage(ctx, reply, nil) // if it is lost the server's own call fails, and says so
	}
	return c, nil
}

// NewRoundTripper returns the round tripper that HTTP uses when it is given
// none.
func NewRoundTripper() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ReadBufferSize = 64 << 10
	return t
}

// checkRedirect follows only what repeats the POST at the same origin.
func checkRedirect(req *http.Request, via []*http.Request) error {
	from, to := via[len(via)-1], req
	refuse := func(reason string) error {
		return &RedirectError{From: from.URL.Redacted(), To: to.URL.Redacted(), Reason: reason}
	}
	switch {
	case from.URL.Scheme != to.URL.Scheme || from.URL.Host != to.URL.Host:
		return refuse("it is another origin; name that URL if you trust it")
	case from.Method != to.Method:
		return refuse("its status would turn the " + from.Method + " into a " + to.Method)
	case len(via) > maxRedirects:
		return refuse(fmt.Sprintf("more than %d in a row", maxRedirects))
	}
	return nil
}

func (c *httpConn) Name() string { return "http" }

// Call posts a request and reads its reply, whichever of the two kinds it is.
func (c *httpConn) Call(ctx context.Context, out *Outgoing) (*jsonrpc.Message, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	id := jsonrpc.IntID(c.lastID.Add(1))
	// The exchange outlives ctx by the time the server is told of its end.
	exchange, stop := context.WithCancelCause(c.ctx)
	told := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		defer close(told)
		if out.Cancel == CancelNotice {
			c.notifyCancelled(id, context.Cause(ctx))
		}
		stop(context.Cause(ctx))
	})
	r := &reply{conn: c, id: id, ctx: exchange, caller: ctx, result: out.Result, resume: out.Resume}
	m, err := c.exchange(r, out)
	if !unwatch() && err != nil {
		<-told
		err = context.Cause(ctx)
	}
	if r.draining == nil {
		stop(nil)
		return m, err
	}
	c.drain(r.draining, func() { stop(nil) })
	return m, err
}

// exchange makes the POST of a call and reads the reply.
func (c *httpConn) exchange(r *reply, out *Outgoing) (*jsonrpc.Message, error) {
	msg := &jsonrpc.Message{ID: r.id, Method: out.Method, Params: out.Params}
	resp, err := c.post(r.ctx, msg, out.Header)
	if err != nil {
		return nil, err
	}
	m, err := r.read(resp)
	if err == nil && out.Method == "initialize" && m.Error == nil {
		if s := resp.Header.Get(sessionHeader); s != "" {
			c.session.Store(&s)
		}
	}
	return m, err
}

// post sends one message and returns the answer if it is a success.
func (c *httpConn) post(ctx context.Context, msg *jsonrpc.Message, header http.Header) (*http.Response, error) {
	body := msg.Append(nil)
	req, err := c.request(ctx, http.MethodPost, bytes.NewReader(body), header)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	return c.do(req, body)
}

func (c *httpConn) request(ctx context.Context, method string, body io.Reader, header http.Header) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url, body)
	if err != nil {
		return nil, &ConnectError{Target: c.url, Err: err}
	}
	if c.peer.Header != nil {
		copyHeader(req.Header, c.peer.Header())
	}
	copyHeader(req.Header, header)
	if s := c.session.Load(); s != nil {
		req.Header.Set(sessionHeader, *s)
	}
	copyHeader(req.Header, c.header)
	if host := c.header.Get("Host"); host != "" {
		req.Host = host
	}
	return req, nil
}

func copyHeader(dst, src http.Header) {
	for k, v := range src {
		dst[http.CanonicalHeaderKey(k)] = v
	}
}

// do makes the HTTP request and turns failing answers into errors.
func (c *httpConn) do(req *http.Request, body []byte) (*http.Response, error) {
	c.trace(true, body, req.Method, 0, req.Header)
	resp, err := c.client.Do(req)
	if err != nil {
		var urlErr *url.Error
		if errors.As(err, &urlErr) {
			err = urlErr.Err
		}
		var redirect *RedirectError
		if errors.As(err, &redirect) {
			return nil, redirect
		}
		if req.Context().Err() != nil {
			return nil, context.Cause(req.Context())
		}
		return nil, &ConnectError{Target: req.URL.Redacted(), Err: err}
	}
	if resp.StatusCode >= 200 && resp.StatusCode <= 299 {
		return resp, nil
	}
	return nil, c.failed(req, resp)
}

// failed reads the answer of a failed request, which may hold a JSON-RPC error.
func (c *httpConn) failed(req *http.Request, resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, errorBody)) // what came is told
	e := &HTTPError{Method: req.Method, URL: req.URL.Redacted(), Status: resp.StatusCode, Header: resp.Header}
	var message []byte
	if mediaType(resp) == "application/json" {
		dec := jsonrpc.Decoder{}
		_ = dec.Decode(bytes.NewReader(body), func(m *jsonrpc.Message) { // other JSON is shown as text
			if m.Error != nil && e.RPC == nil {
				e.RPC, message = m.Error, body
			}
		})
	}
	c.trace(false, message, req.Method, resp.StatusCode, resp.Header)
	if e.RPC == nil {
		e.Body = excerpt(body)
	}
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &AuthError{HTTPError: e, Challenge: resp.Header.Values("WWW-Authenticate")}
	case resp.StatusCode == http.StatusNotFound && req.Header.Get(sessionHeader) != "":
		if s := c.session.Load(); s != nil && *s == req.Header.Get(sessionHeader) {
			c.session.CompareAndSwap(s, nil)
		}
		return &SessionError{HTTPError: e}
	}
	return e
}

// excerpt is the beginning of a body on one line.
func excerpt(body []byte) string {
	const shown = 200
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), 4*shown)]), "\uFFFD")), " ")
	if r := []rune(s); len(r) > shown {
		return string(r[:shown]) + "…"
	}
	return s
}

func mediaType(resp *http.Response) string {
	t, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		t, _, _ = strings.Cut(resp.Header.Get("Content-Type"), ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	return t
}

// Notify posts a notification.
func (c *httpConn) Notify(ctx context.Context, out *Outgoing) error {
	return c.postMessage(ctx, &jsonrpc.Message{Method: out.Method, Params: out.Params}, out.Header)
}

// postMessage sends what gets no reply: a notification or a response.
func (c *httpConn) postMessage(ctx context.Context, m *jsonrpc.Message, header http.Header) error {
	resp, err := c.post(ctx, m, header)
	if err != nil {
		return err
	}
	c.trace(false, nil, http.MethodPost, resp.StatusCode, resp.Header)
	_, _ = io.CopyN(io.Discard, resp.Body, errorBody) // there should be none
	return resp.Body.Close()
}

func (c *httpConn) notifyCancelled(id jsonrpc.ID, cause error) {
	ctx, cancel := context.WithTimeout(c.ctx, time.Second)
	defer cancel()
	m := &jsonrpc.Message{Method: "notifications/cancelled", Params: jsonrpc.CancelledParams(id, cause)}
	_ = c.postMessage(ctx, m, nil) // the server may be gone
}

// Close ends the session at the server and all that is still open.
func (c *httpConn) Close(ctx context.Context) error {
	if c.session.Load() != nil {
		ctx, cancel := context.WithTimeout(ctx, closePatience)
		defer cancel()
		if req, err := c.request(ctx, http.MethodDelete, nil, nil); err == nil {
			// A server may refuse (405) or be gone: nothing is left to do then.
			if resp, err := c.do(req, nil); err == nil {
				c.trace(false, nil, http.MethodDelete, resp.StatusCode, resp.Header)
				_ = resp.Body.Close()
			}
		}
	}
	c.cancel(&jsonrpc.ClosedError{Err: errors.New("closed by the client")})
	c.server.Wait()
	c.wg.Wait()
	c.client.CloseIdleConnections()
	return nil
}

func (c *httpConn) trace(sent bool, message []byte, method string, status int, header http.Header) {
	if c.peer.Trace != nil {
		c.peer.Trace(Event{Sent: sent, Transport: c.Name(), Message: message,
			HTTP: &HTTPEvent{Method: method, URL: c.url, Status: status, Header: header}})
	}
}
