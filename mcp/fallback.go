package mcp

import (
	"context"
	"errors"
	"net/http"

	"mcpq/mcp/transport"
)

// FallbackError is a server with which no session could be opened, neither over
// the transport asked for nor over HTTP+SSE.
type FallbackError struct {
	First  error // over the transport asked for
	Second error // over HTTP+SSE
}

func (e *FallbackError) Error() string {
	return e.First.Error() + "; and over HTTP+SSE: " + e.Second.Error()
}

// Unwrap gives both.
func (e *FallbackError) Unwrap() []error { return []error{e.First, e.Second} }

// fallBack dials Options.Fallback because of err.
func fallBack(ctx context.Context, limit *limit, o Options, err error) (*Client, error) {
	c, second := dial(ctx, limit, o.Fallback, o, (*opening).withoutProbe)
	switch {
	case second == nil:
		if o.Version == "" {
			o.memory.believe(c.Info(), true)
		}
		return c, nil
	case ctx.Err() != nil:
		return nil, second
	}
	return nil, &FallbackError{First: err, Second: second}
}

// rememberedFallback dials Options.Fallback because that is where the server was
// found before; nil if it was not, or is there no more.
func rememberedFallback(ctx context.Context, limit *limit, o Options) *Client {
	if o.Fallback == nil || o.Version != "" || !o.memory.believed().Fallback {
		return nil
	}
	c, err := dial(ctx, limit, o.Fallback, o, (*opening).withoutProbe)
	if err != nil {
		o.memory.disbelieve()
		return nil
	}
	return c
}

// withoutProbe opens a session of the stateful era: with the version pinned,
// else with the newest.
func (o *opening) withoutProbe(ctx context.Context) (*session, error) {
	if o.options.Version != "" {
		return o.ask(ctx)
	}
	return o.greet(ctx)
}

// refusedTransport reports whether a server refused initialize in the way of
// one that has only the HTTP+SSE transport at that URL. By 2025-11-25 and
// 2026-07-28 that is a 400, 404 or 405, before that any 4xx; those that speak
// of credentials, proxies or haste are left out. A 400 with a JSON-RPC error is
// an answer, and so is any status with an error of the stateless era.
func refusedTransport(err error) bool {
	var failed *HandshakeError
	var auth *transport.AuthError
	var version *VersionError
	var answer *transport.HTTPError
	if !errors.As(err, &failed) || failed.Method != methodInitialize ||
		errors.As(err, &auth) || errors.As(err, &version) || !errors.As(failed.Err, &answer) {
		return false
	}
	switch answer.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return answer.RPC == nil || !isModern(answer.RPC)
	case http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return answer.Status >= 400 && answer.Status <= 499 && answer.RPC == nil
}

// beforeStateless reports whether d speaks a transport that was gone before the
// stateless era: there is nothing to probe for.
func beforeStateless(d transport.Dialer) bool {
	switch d.(type) {
	case transport.SSE, *transport.SSE:
		return true
	}
	return false
}
