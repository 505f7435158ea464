package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"

	"mcpq/mcp/jsonrpc"
)

const methodInitialize = "initialize"

// post sends one message and returns the answer if it is a success.
func (c *httpConn) post(ctx context.Context, msg *jsonrpc.Message, header http.Header) (*http.Response, error) {
	return c.postBody(ctx, msg.Append(nil), header)
}

func (c *httpConn) postBody(ctx context.Context, body []byte, header http.Header) (*http.Response, error) {
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
	if s := c.session.Get(); s != "" {
		req.Header.Set(sessionHeader, s)
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
	c.awaitDrain(req.Context())
	c.trace(true, body, req.Method, 0, req.Header)
	var connected atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}))
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, notDone(req, err, connected.Load())
	}
	if resp.StatusCode >= 200 && resp.StatusCode <= 299 {
		return resp, nil
	}
	return nil, c.failed(req, resp)
}

// notDone says what an HTTP request without an answer means. Once there was a
// connection, the server may have begun with it.
func notDone(req *http.Request, err error, connected bool) error {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err
	}
	var redirect *RedirectError
	var denied AuthorizationError
	switch {
	case errors.As(err, &redirect):
		return redirect
	case errors.As(err, &denied):
		return denied
	case req.Context().Err() != nil:
		return context.Cause(req.Context())
	case connected:
		return &BrokenError{URL: req.URL.Redacted(), Err: err}
	}
	return &ConnectError{Target: req.URL.Redacted(), Err: err}
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
		c.session.drop(req.Header.Get(sessionHeader))
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

func (c *httpConn) trace(sent bool, message []byte, method string, status int, header http.Header) {
	if c.peer.Trace != nil {
		c.peer.Trace(Event{Sent: sent, Transport: c.Name(), Message: message,
			HTTP: &HTTPEvent{Method: method, URL: c.url, Status: status, Header: header}})
	}
}
