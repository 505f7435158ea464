package transport

import (
	"context"
	"errors"
	"net/http"
	"net/url"
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

	// Session, when set, is the session to go on with, if it holds one, and
	// learns of the one that there is. Close then leaves it open at the server.
	Session *SessionID
}

const (
	sessionHeader = "Mcp-Session-Id"
	maxRedirects  = 5
	// drainPatience is how long a reply stream may stay open behind its
	// response before its connection is given up.
	drainPatience = 250 * time.Millisecond
	// reusePatience is how long a request waits for the connection of the
	// last reply to be free: a fraction of what a new one costs.
	reusePatience = 10 * time.Millisecond
	// noticePatience bounds the notice of a cancellation.
	noticePatience = time.Second
	// stuckPatience bounds how long functions of the user that do not heed
	// the end of their input or context are waited for.
	stuckPatience = time.Second
	// closePatience bounds the DELETE that ends a session.
	closePatience = 2 * time.Second
	// errorBody bounds what is read of a failed reply.
	errorBody = 1 << 20
)

// httpConn is a session with a Streamable HTTP server. Every call is a POST of
// its own.
type httpConn struct {
	name   string
	url    string
	header http.Header
	client *http.Client
	peer   Peer

	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	server jsonrpc.Server
	work   background

	lastID   atomic.Int64
	session  *SessionID
	keep     bool                          // the session outlives the connection
	draining atomic.Pointer[chan struct{}] // closed when the last reply has been drained

	standingMu sync.Mutex
	standing   *standing // nil while nobody listens
}

// Dial checks the URL and prepares the session.
func (h HTTP) Dial(ctx context.Context, p Peer) (Conn, error) {
	c, err := h.conn(ctx, "http", p)
	if err != nil {
		return nil, err
	}
	c.server.Handle = p.Handler.Request
	c.server.Reply = func(ctx context.Context, reply *jsonrpc.Message) {
		_ = c.postMessage(ctx, reply, nil) // if it is lost the server's own call fails, and says so
	}
	c.server.ReplyAll = func(ctx context.Context, answers []*jsonrpc.Message) {
		_ = c.postUnanswered(ctx, jsonrpc.AppendBatch(nil, answers), nil)
	}
	return c, nil
}

// conn is what all that speaks HTTP has in common.
func (h HTTP) conn(ctx context.Context, name string, p Peer) (*httpConn, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	u, err := url.Parse(h.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &ConnectError{Target: redacted(h.URL), Err: errors.New("not an http or https URL")}
	}
	rt := h.RoundTripper
	if rt == nil {
		rt = NewRoundTripper()
	}
	c := &httpConn{name: name, url: h.URL, header: h.Header, peer: p, session: h.Session, keep: h.Session != nil}
	if c.session == nil {
		c.session = new(SessionID)
	}
	c.client = &http.Client{Transport: rt, CheckRedirect: checkRedirect}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	return c, nil
}

// NewRoundTripper returns the round tripper that HTTP uses when it is given
// none.
func NewRoundTripper() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ReadBufferSize = 64 << 10
	t.MaxIdleConnsPerHost = t.MaxIdleConns // it is one host, and there may be many calls at once
	return t
}

func (c *httpConn) Name() string { return c.name }

// answer is what an exchange came to.
type answer struct {
	m   *jsonrpc.Message
	err error
}

// Call posts a request and reads its reply, whichever of the two kinds it is.
func (c *httpConn) Call(ctx context.Context, out *Outgoing) (*jsonrpc.Message, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	// The exchange outlives ctx by the time the server is told of its end.
	exchange, stop := context.WithCancelCause(c.ctx)
	r := &reply{
		conn: c, id: jsonrpc.IntID(c.lastID.Add(1)), ctx: exchange, caller: ctx,
		result: out.Result, resume: out.Resume,
	}
	if out.Began != nil {
		out.Began(r.id)
	}
	done := make(chan answer, 1)
	began := c.work.spawn(func() {
		m, err := c.exchange(r, out)
		if r.draining != nil {
			c.drain(r.draining, func() { stop(nil) })
		} else {
			stop(nil)
		}
		done <- answer{m, err}
	})
	if !began {
		stop(nil)
		return nil, context.Cause(c.ctx)
	}
	select {
	case a := <-done:
		return a.m, a.err
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	if out.Cancel == CancelNotice && len(done) == 0 {
		c.notifyCancelled(r.id, cause)
	}
	stop(cause)
	stuck := time.NewTimer(stuckPatience)
	defer stuck.Stop()
	select {
	case a := <-done:
		if a.err == nil { // the answer won the race
			return a.m, nil
		}
	case <-stuck.C:
	}
	return nil, cause
}

// exchange makes the POST of a call and reads the reply.
func (c *httpConn) exchange(r *reply, out *Outgoing) (*jsonrpc.Message, error) {
	msg := &jsonrpc.Message{ID: r.id, Method: out.Method, Params: out.Params}
	if out.Method != methodInitialize {
		resp, err := c.post(r.ctx, msg, out.Header)
		if err != nil {
			return nil, err
		}
		return r.read(resp)
	}
	c.session.Set("")
	resp, err := c.post(r.ctx, msg, out.Header)
	if err != nil {
		return nil, err
	}
	// Known from here on: the server may have requests before its answer, and
	// a session whose answer is lost has to be ended as well.
	if s := resp.Header.Get(sessionHeader); s != "" {
		c.session.Set(s)
	}
	m, err := r.read(resp)
	if err == nil && m.Error != nil {
		c.session.Set("")
	}
	return m, err
}

// Notify posts a notification.
func (c *httpConn) Notify(ctx context.Context, out *Outgoing) error {
	return c.postMessage(ctx, &jsonrpc.Message{Method: out.Method, Params: out.Params}, out.Header)
}

// postMessage sends what gets no reply: a notification or a response.
func (c *httpConn) postMessage(ctx context.Context, m *jsonrpc.Message, header http.Header) error {
	return c.postUnanswered(ctx, m.Append(nil), header)
}

func (c *httpConn) postUnanswered(ctx context.Context, body []byte, header http.Header) error {
	exchange, stop := context.WithCancelCause(c.ctx)
	unwatch := context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })
	defer unwatch()
	resp, err := c.postBody(exchange, body, header)
	if err != nil {
		stop(nil)
		return err
	}
	c.trace(false, nil, http.MethodPost, resp.StatusCode, resp.Header)
	c.drain(resp.Body, func() { stop(nil) }) // there should be nothing
	return nil
}

func (c *httpConn) notifyCancelled(id jsonrpc.ID, cause error) {
	ctx, cancel := context.WithTimeout(c.ctx, noticePatience)
	defer cancel()
	m := &jsonrpc.Message{Method: "notifications/cancelled", Params: jsonrpc.CancelledParams(id, cause)}
	_ = c.postMessage(ctx, m, nil) // the server may be gone
}

// Close ends the session at the server and all that is still open.
func (c *httpConn) Close(ctx context.Context) error {
	if s := c.session.Get(); s != "" && !c.keep {
		c.session.drop(s)
		c.endSession(ctx, s)
	}
	c.cancel(&jsonrpc.ClosedError{Err: errors.New("closed by the client")})
	done := make(chan struct{})
	go func() {
		c.server.Wait()
		c.work.wait()
		close(done)
	}()
	stuck := time.NewTimer(stuckPatience)
	defer stuck.Stop()
	select {
	case <-done:
	case <-stuck.C:
	}
	c.client.CloseIdleConnections()
	return nil
}

// endSession may fail: a server may refuse (405) or be gone, and nothing is
// left to do then.
func (c *httpConn) endSession(ctx context.Context, session string) {
	ctx, cancel := context.WithTimeout(ctx, closePatience)
	defer cancel()
	req, err := c.request(ctx, http.MethodDelete, nil, http.Header{sessionHeader: {session}})
	if err != nil {
		return
	}
	resp, err := c.do(req, nil)
	if err != nil {
		return
	}
	c.trace(false, nil, http.MethodDelete, resp.StatusCode, resp.Header)
	_ = resp.Body.Close()
}
