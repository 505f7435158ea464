package auth

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// maxRounds bounds how often one request is sent again with other
	// credentials: a first login, more scopes, and once more.
	maxRounds = 3
	// maxDrained is what is read of a refusal to keep its connection.
	maxDrained = 64 << 10
)

// Transport authorizes the requests to one MCP server. It is safe for
// concurrent use.
type Transport struct {
	options Options
	server  *url.URL
	base    http.RoundTripper
	net     *network
	nonces  *nonces

	turn    chan struct{} // held by who changes what is below
	loaded  bool
	current atomic.Pointer[Credential]
	place   *place      // as last discovered
	fresh   *Credential // the one that was got here, rather than stored or renewed
}

// network is how anything but the MCP server is reached.
type network struct {
	guarded  *guarded
	near     atomic.Int32  // a reach: where the server was seen
	patience time.Duration // for metadata; 0 means fetchPatience
}

func (n *network) reach() reach { return reach(n.near.Load()) }

// New makes a Transport. It does nothing yet; errors are *ConfigError.
func New(o Options) (*Transport, error) {
	server, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Base == nil {
		o.Base = http.DefaultTransport
	}
	if o.Store == nil {
		o.Store = new(Memory)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Hide == nil {
		o.Hide = func(...string) {}
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	t := &Transport{options: o, server: server, base: o.Base, nonces: new(nonces), turn: make(chan struct{}, 1)}
	t.net = new(network)
	if t.options.Network == nil {
		t.options.Network, _ = o.Base.(*http.Transport)
	}
	t.net.guarded = newGuarded(t.options.Network, t.net.reach)
	if isLoopbackHost(server.Hostname()) {
		t.net.near.Store(int32(reachLoopback))
	} else if addr, err := netip.ParseAddr(server.Hostname()); err == nil {
		t.sawAddr(addr)
	}
	o.Hide(o.Token, o.Client.Secret)
	if o.Enterprise != nil {
		o.Hide(o.Enterprise.ClientSecret)
	}
	return t, nil
}

// RoundTrip sends the request with a token, and again when that was refused and
// another one could be had. Requests to other origins, and those that carry an
// Authorization header of their own, are sent as they are.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !sameOrigin(req.URL, t.server) || req.Header.Get("Authorization") != "" {
		return t.base.RoundTrip(req)
	}
	ctx := req.Context()
	cred, err := t.credential(ctx)
	if err != nil {
		closeBody(req)
		return nil, t.failed(ctx, err)
	}
	refused := &refusal{version: req.Header.Get("Mcp-Protocol-Version")}
	for round := 0; ; round++ {
		resp, err := t.send(req, cred, round > 0)
		if err != nil || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			return resp, err
		}
		if round == maxRounds || round == 0 && !repeatable(req) {
			return resp, nil
		}
		refused.status, refused.again = resp.StatusCode, round > 0
		refused.challenges = ParseChallenges(resp.Header.Values("WWW-Authenticate"))
		next, err := t.answer(ctx, cred, refused)
		if next == nil && err == nil {
			return resp, nil
		}
		drain(resp)
		if err != nil {
			return nil, t.failed(ctx, err)
		}
		cred = next
	}
}

func repeatable(req *http.Request) bool {
	return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
}

// failed names the server in an error, unless it is that the time is over.
func (t *Transport) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return &Error{Server: redactURL(t.server.String()), Err: err}
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, maxDrained) // only to keep the connection
	_ = resp.Body.Close()
}

// send makes one request with the credential, which may be nil.
func (t *Transport) send(req *http.Request, cred *Credential, again bool) (*http.Response, error) {
	if cred != nil || t.options.Token != "" {
		if err := t.checkPlain(); err != nil {
			closeBody(req)
			return nil, t.failed(req.Context(), err)
		}
	}
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{GotConn: t.sawConn(req)})
	out := req.Clone(ctx)
	if again && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		out.Body = body
	}
	switch {
	case t.options.Token != "":
		out.Header.Set("Authorization", "Bearer "+t.options.Token)
	case cred == nil:
	case strings.EqualFold(cred.TokenType, "DPoP"):
		key, err := parseDPoPKey(cred.DPoPKey)
		if err != nil {
			closeBody(out)
			return nil, t.failed(ctx, err)
		}
		out.Header.Set("Authorization", "DPoP "+cred.AccessToken)
		return (&prover{base: t.base, key: key, nonces: t.nonces, token: cred.AccessToken, now: t.options.Now}).RoundTrip(out)
	default:
		out.Header.Set("Authorization", "Bearer "+cred.AccessToken)
	}
	return t.base.RoundTrip(out)
}

// checkPlain refuses credentials to a server that everybody on the way can read.
func (t *Transport) checkPlain() error {
	if t.server.Scheme == "https" || isLoopbackHost(t.server.Hostname()) || t.options.Plain {
		return nil
	}
	return &BlockedError{URL: origin(t.server), Reason: "credentials are not sent without https"}
}

// sawConn remembers how near the server is. What it names may be as near, and
// no nearer. Behind a proxy nothing is seen of it.
func (t *Transport) sawConn(req *http.Request) func(httptrace.GotConnInfo) {
	if tr := t.options.Network; tr != nil && tr.Proxy != nil {
		if u, err := tr.Proxy(req); err != nil || u != nil {
			return nil
		}
	}
	return func(info httptrace.GotConnInfo) {
		if a, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
			t.sawAddr(a.AddrPort().Addr())
		}
	}
}

func (t *Transport) sawAddr(a netip.Addr) {
	if near, ok := nearness(a); ok {
		t.net.near.Store(int32(near))
	}
}

// CloseIdleConnections closes those of the server and of all others.
func (t *Transport) CloseIdleConnections() {
	t.net.guarded.closeIdle()
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// lock takes the turn to change credentials.
func (t *Transport) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
