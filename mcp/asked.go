package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpq/mcp/jsonrpc"
)

// UnansweredError is a request for roots, sampling or elicitation that was
// answered with an error: nobody here can answer it, or it breaks the rules. It
// is only warned of.
type UnansweredError struct {
	Request InputRequest
	Err     error
}

func (e *UnansweredError) Error() string {
	return "request " + e.Request.Method + " of the server is not answered: " + e.Err.Error()
}

func (e *UnansweredError) Unwrap() error { return e.Err }

// asked answers a request that the server made.
func (c *Client) asked(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	f := featuresOf(LatestStateful) // while the session is opened
	if s := c.session.Load(); s != nil {
		f = s.era.features()
	}
	if !f.serverRequests {
		// Clients of this era send no responses (2026-07-28, basic/patterns).
		c.warn(fmt.Errorf("request %s of the server ignored: it must not make any in %s", m.Method, f.version))
		return nil, jsonrpc.NoAnswer
	}
	release := func() {}
	if m.Method != "ping" {
		release = c.holdLimits()
	}
	result, err := c.options.Handlers.answer(ctx, f, m.Method, m.Params)
	if err == nil && c.visits(m.Method, m.Params, result) {
		return result, nil // the server now waits for the person, and so do we
	}
	release()
	if err == nil {
		return result, nil
	}
	var rpc *jsonrpc.Error
	var refused *RefusedError
	switch {
	case errors.As(err, &rpc):
		switch m.Method {
		case methodRoots, methodSample, methodElicit:
			c.warn(&UnansweredError{InputRequest{m.Method, m.Params}, rpc})
		}
		return nil, rpc
	case errors.As(err, &refused) && m.Method == methodSample:
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "User rejected sampling request"}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// holdLimits stops the clocks of all requests in flight: one of them is what
// the server asks for. The function returned lets them run again.
func (c *Client) holdLimits() (release func()) {
	var held []*limit
	c.watching.Range(func(_, w any) bool {
		l := w.(*progressWatch).limit
		l.hold()
		held = append(held, l)
		return true
	})
	return func() {
		for _, l := range held {
			l.release()
		}
	}
}
