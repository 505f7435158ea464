package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Request is one operation.
type Request struct {
	Method string
	Params json.RawMessage // a JSON object; nil for none
	Header http.Header     // further HTTP headers

	// Stream, when set, takes a result of more than jsonrpc.InlineResult
	// bytes as compact JSON while it arrives. Smaller results are always
	// whole before anything is done with them. Members named in Keep stay
	// readable through Result.Member all the same.
	Stream io.Writer
	Keep   []string

	// Unchecked sends the request even when the server has not declared what
	// it needs.
	Unchecked bool

	// Timeout overrides Options.Timeout; less than 0 is no limit.
	Timeout time.Duration
}

// Result is the result object of a request.
type Result struct {
	// Raw is the server's result, compact; nil when it was streamed.
	Raw json.RawMessage

	// Streamed tells that the result went to Request.Stream.
	Streamed bool

	members map[string]json.RawMessage
}

// Do makes a request and waits for its result. It is the single door through
// which every request passes: metadata, capabilities, time limits, progress,
// input that the server requires and lost sessions are its business. Errors of
// the server are *RPCError.
func (c *Client) Do(ctx context.Context, r *Request) (*Result, error) {
	params := r.Params
	for round := 0; ; round++ {
		res, err := c.once(ctx, r, params)
		if err != nil {
			return nil, err
		}
		kind := c.session.Load().era.resultType(res.Member("resultType"))
		switch {
		case kind == resultComplete:
			return res, nil
		case kind == resultInputRequired && takesInput(r.Method) && !res.Streamed:
		default:
			return nil, &ProtocolError{Method: r.Method, Reason: fmt.Sprintf("unknown resultType %q", kind)}
		}
		if params, err = c.provideInput(ctx, r, params, res.Raw, round); err != nil {
			return nil, err
		}
	}
}

// once makes one exchange, and one more if the session was lost: a server that
// answers so has not begun with the request.
func (c *Client) once(ctx context.Context, r *Request, params json.RawMessage) (*Result, error) {
	s := c.session.Load()
	if need := s.era.capability(r.Method); need != nil && !r.Unchecked && !s.info.Has(need...) {
		return nil, &CapabilityError{Method: r.Method, Capability: joinPath(need)}
	}
	res, err := c.exchange(ctx, s, r, params)
	var lost *transport.SessionError
	if errors.As(err, &lost) {
		if err := c.reopen(ctx, s); err != nil {
			return nil, err
		}
		res, err = c.exchange(ctx, c.session.Load(), r, params)
	}
	return res, err
}

func (c *Client) exchange(ctx context.Context, s *session, r *Request, params json.RawMessage) (*Result, error) {
	limit := r.Timeout
	if limit == 0 {
		limit = c.options.Timeout
	}
	ctx, extend, stop := withLimit(ctx, limit, "timeout", r.Method)
	defer stop()

	token := c.lastToken.Add(1)
	c.watching.Store(token, &progressWatch{method: r.Method, extend: extend})
	defer c.watching.Delete(token)

	out := &transport.Outgoing{Method: r.Method, Params: params, Header: r.Header}
	meta := rawjson.Object{}.Set("progressToken", json.RawMessage(strconv.FormatInt(token, 10)))
	if err := s.era.complete(out, meta); err != nil {
		return nil, fmt.Errorf("params of %s: %w", r.Method, err)
	}
	res := &Result{}
	if r.Stream != nil {
		out.Result = func(in io.Reader) error { return res.stream(in, r.Stream, r.Keep) }
	}
	m, err := c.conn.Call(ctx, out)
	if err == nil && m.Error != nil {
		err = m.Error
	}
	if err != nil {
		var rpc *jsonrpc.Error
		if errors.As(err, &rpc) {
			return nil, &RPCError{Method: r.Method, Err: rpc}
		}
		return nil, err
	}
	res.Raw, res.Streamed = m.Result, m.Streamed
	return res, nil
}

// Ping asks whether the server is there: by ping, or where that is gone by
// server/discover.
func (c *Client) Ping(ctx context.Context) error {
	method := "ping"
	if c.Info().Era == Stateless {
		method = "server/discover"
	}
	_, err := c.Do(ctx, &Request{Method: method})
	return err
}
