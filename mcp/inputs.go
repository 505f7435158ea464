package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// maxRounds bounds how often a server may ask for input before one result.
const maxRounds = 20

// takesInput reports whether a method may be answered with input_required
// (2026-07-28, basic/patterns/mrtr).
func takesInput(method string) bool {
	switch method {
	case "tools/call", "resources/read", "prompts/get":
		return true
	}
	return false
}

// provideInput answers what an input_required result asks for, with the same
// handlers as the requests of the stateful era, and makes the parameters of the
// next round: the original ones with the answers, and the newest state as it
// came.
func (c *Client) provideInput(ctx context.Context, s *session, r *Request, result json.RawMessage, round int) (params json.RawMessage, visiting bool, err error) {
	requests, state, err := inputRequired(r.Method, result)
	if err != nil {
		return nil, false, err
	}
	if round >= maxRounds {
		return nil, false, &ProtocolError{Method: r.Method, Reason: fmt.Sprintf("it required input more than %d times", maxRounds)}
	}
	next := rawjson.Object{}
	if r.Params != nil {
		if next, err = rawjson.ParseObject(r.Params); err != nil {
			return nil, false, err
		}
	}
	// What a round before this one gave must not be sent again.
	next = next.Delete("inputResponses").Delete("requestState")
	if len(requests) == 0 {
		if err := pause(ctx, round); err != nil {
			return nil, false, err
		}
	} else {
		var responses json.RawMessage
		if responses, visiting, err = c.inputs(ctx, s, r.Method, requests); err != nil {
			return nil, false, err
		}
		next = next.Set("inputResponses", responses)
	}
	if state != nil {
		next = next.Set("requestState", state)
	}
	return next.Raw(), visiting, nil
}

// inputRequired takes an input_required result apart. The state is nil when
// there is none.
func inputRequired(method string, result json.RawMessage) (requests rawjson.Object, state json.RawMessage, err error) {
	broken := func(reason string, err error) error {
		return &ProtocolError{Method: method, Reason: reason, Err: err}
	}
	object, err := rawjson.ParseObject(result)
	if err != nil {
		return nil, nil, broken("input_required is malformed", err)
	}
	raw, asks := object.Get("inputRequests")
	if asks = asks && string(raw) != "null"; asks {
		if requests, err = rawjson.ParseObject(raw); err != nil {
			return nil, nil, broken("inputRequests is not an object", err)
		}
	}
	state, goesOn := object.Get("requestState")
	switch {
	case goesOn && string(state) != "null":
		if state[0] != '"' {
			return nil, nil, broken("requestState is not a string", nil)
		}
		return requests, state, nil
	case !asks:
		return nil, nil, broken("input_required asks for nothing and gives no requestState", nil)
	}
	return requests, nil, nil
}

// pause waits before a retry that only carries the server's state: 0.2 s,
// doubling up to 5 s.
func pause(ctx context.Context, round int) error {
	const first, most = 200 * time.Millisecond, 5 * time.Second
	d := most
	if round < 5 {
		d = min(first<<round, most)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// inputs answers each request under its key, in the server's order. Nobody is
// asked anything unless all of them can be answered.
func (c *Client) inputs(ctx context.Context, s *session, method string, requests rawjson.Object) (answers json.RawMessage, visiting bool, err error) {
	missing := &InputRequiredError{Method: method, Requests: make(map[string]InputRequest)}
	for _, m := range requests {
		var r InputRequest
		if err := json.Unmarshal(m.Value, &r); err != nil || r.Method == "" {
			return nil, false, &ProtocolError{Method: method, Reason: "an input request has no method", Err: err}
		}
		missing.Requests[m.Key] = r
	}
	handlers := make(map[string]handlerFunc)
	for key, r := range missing.Requests {
		handle, err := c.inputHandler(s, r)
		if err != nil {
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeMethodNotFound {
				missing.Err = err
			}
			return nil, false, missing
		}
		handlers[key] = handle
	}
	responses := rawjson.Object{}
	for _, m := range requests {
		asked := missing.Requests[m.Key]
		answer, err := handlers[m.Key].result(ctx, asked.Method, asked.Params)
		switch {
		case err == nil:
			responses = responses.Set(m.Key, answer)
			visiting = visiting || c.visits(asked.Method, asked.Params, answer)
		case ctx.Err() != nil:
			return nil, false, context.Cause(ctx)
		default:
			missing.Err = err
			return nil, false, missing
		}
	}
	return responses.Raw(), visiting, nil
}

// inputHandler finds who answers an input request: it is one of three kinds,
// whatever a server of the other era may ask.
func (c *Client) inputHandler(s *session, r InputRequest) (handlerFunc, error) {
	switch r.Method {
	case methodRoots, methodSample, methodElicit:
		return c.options.Handlers.handler(s.era.features(), r.Method, r.Params)
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found: " + r.Method}
}
