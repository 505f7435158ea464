package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"mcpq/internal/rawjson"
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
	// it needs, and takes any result that is JSON.
	Unchecked bool

	// Timeout overrides Options.Timeout; less than 0 is no limit.
	Timeout time.Duration

	task  bool   // the params ask for a task
	fresh bool   // the answer is not to come from the cache
	root  string // of a page after the first: see kept.root
}

// Result is the result object of a request.
type Result struct {
	// Raw is the server's result, compact; nil when it was streamed.
	Raw json.RawMessage

	// Streamed tells that the result went to Request.Stream.
	Streamed bool

	// Task is the task that goes on in place of a result; nil for none. See
	// Client.WaitTask.
	Task *Task

	cached  bool   // it comes from the cache
	root    string // see kept.root; "" for what is not kept
	members map[string]json.RawMessage
	token   string // of the progress, as tokenKey gives it
}

// Do makes a request and waits for its result. It is the single door through
// which every request passes: metadata, capabilities, time limits, progress,
// input that the server requires and lost sessions are its business. Errors of
// the server are *RPCError.
func (c *Client) Do(ctx context.Context, r *Request) (*Result, error) {
	keeping := c.keeping(r)
	if res := keeping.find(); res != nil {
		return res, nil
	}
	params := r.Params
	for round := 0; ; round++ {
		s, res, err := c.once(ctx, r, params)
		if err != nil {
			return nil, err
		}
		kind := s.era.resultType(res.Member("resultType"))
		isTask, err := c.created(r, kind, res)
		switch {
		case isTask || err != nil:
			return res, err
		case kind == resultTask && r.Method == methodTaskGet:
			return res, res.check(r) // so it is in some examples of the extension
		case kind == resultComplete:
			err := res.check(r)
			if err == nil && round == 0 {
				keeping.keep(s, res)
			}
			return res, err
		case kind != resultInputRequired || !takesInput(r.Method):
			return nil, unknownResultType(r.Method, kind)
		case res.Streamed:
			return nil, &ProtocolError{Method: r.Method, Reason: "it requires input at unbearable length"}
		}
		var visiting bool
		if params, visiting, err = c.provideInput(ctx, s, r, res.Raw, round); err != nil {
			return nil, err
		}
		if visiting { // the server may hold the next round open until the person is back
			patient := *r
			patient.Timeout = -1
			r = &patient
		}
	}
}

// once makes one exchange, and another one where what failed could be mended.
func (c *Client) once(ctx context.Context, r *Request, params json.RawMessage) (*session, *Result, error) {
	var done recovery
	defer c.forget(&done.consent)
	for {
		s, err := c.current(ctx)
		if err != nil {
			return nil, nil, err
		}
		if missing := s.lacks(r); missing != nil && !r.Unchecked && !c.makesTasks(s, r) {
			if s.recalled { // it may have come since
				if err := c.reopen(ctx, s); err != nil {
					return nil, nil, err
				}
				continue
			}
			return nil, nil, missing
		}
		res, err := c.exchange(ctx, s, r, params)
		if err == nil {
			return s, res, nil
		}
		again, failed := c.recover(ctx, s, r, err, &done)
		if failed != nil {
			return nil, nil, failed
		}
		if !again {
			return nil, nil, serverError(r.Method, err)
		}
	}
}

func (c *Client) exchange(ctx context.Context, s *session, r *Request, params json.RawMessage) (*Result, error) {
	ctx, limit := newLimit(ctx, c.patience(r), "timeout", r.Method)
	defer limit.stop()

	out := &transport.Outgoing{Method: r.Method, Params: params, Header: r.Header}
	var meta rawjson.Object
	token := progressToken(params)
	if token == nil {
		token = json.RawMessage(strconv.FormatInt(c.lastToken.Add(1), 10))
		meta = meta.Set("progressToken", token)
	}
	key := tokenKey(token)
	c.watching.Store(key, &progressWatch{method: r.Method, limit: limit})
	res := &Result{token: key}
	defer func() {
		if !r.task || res.Member("task") == nil { // a task goes on with the token
			c.watching.Delete(key)
		}
	}()

	if err := s.era.complete(out, meta); err != nil {
		return nil, badParams(r.Method, err)
	}
	if r.task {
		// Such a request is only cancelled by its task (2025-11-25,
		// basic/utilities/cancellation).
		out.Cancel = transport.CancelSilent
	}
	if r.Stream != nil {
		out.Result = func(in io.Reader) error { return res.stream(in, r.Stream, r.Keep) }
	}
	m, err := c.conn.Call(ctx, out)
	if err == nil && ctx.Err() != nil {
		// What comes after a cancellation is often made of it.
		err = context.Cause(ctx)
	}
	if err == nil && m.Error != nil {
		err = m.Error
	}
	if err != nil {
		return nil, err
	}
	res.Raw, res.Streamed = m.Result, m.Streamed
	return res, nil
}

// patience is the time limit of a request.
func (c *Client) patience(r *Request) time.Duration {
	if r.Timeout != 0 {
		return r.Timeout
	}
	return c.options.Timeout
}

// Ping asks whether the server is there: by ping, or where that is gone by
// server/discover.
func (c *Client) Ping(ctx context.Context) error {
	method := "ping"
	if c.Info().Era == Stateless {
		method = methodDiscover
	}
	_, err := c.Do(ctx, &Request{Method: method})
	return err
}
