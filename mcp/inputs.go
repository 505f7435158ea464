package mcp

import (
	"context"
	"encoding/json"
	"errors"
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
func (c *Client) provideInput(ctx context.Context, r *Request, params, result json.RawMessage, round int) (json.RawMessage, error) {
	var p struct {
		Requests json.RawMessage `json:"inputRequests"`
		State    json.RawMessage `json:"requestState"`
	}
	if err := json.Unmarshal(result, &p); err != nil {
		return nil, &ProtocolError{Method: r.Method, Reason: "input_required is malformed", Err: err}
	}
	if p.Requests == nil && p.State == nil {
		return nil, &ProtocolError{Method: r.Method, Reason: "input_required asks for nothing and gives no requestState"}
	}
	if round >= maxRounds {
		return nil, &ProtocolError{Method: r.Method, Reason: "it required input more often than is bearable"}
	}
	next := rawjson.Object{}
	if r.Params != nil {
		var err error
		if next, err = rawjson.ParseObject(r.Params); err != nil {
			return nil, err
		}
	}
	if p.Requests == nil {
		if err := pause(ctx, round); err != nil {
			return nil, err
		}
	} else {
		responses, err := c.inputs(ctx, r.Method, p.Requests)
		if err != nil {
			return nil, err
		}
		next = next.Set("inputResponses", responses)
	}
	if p.State != nil {
		next = next.Set("requestState", p.State)
	}
	return next.Raw(), nil
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

// inputs answers each request under its key, in the server's order.
func (c *Client) inputs(ctx context.Context, method string, raw json.RawMessage) (json.RawMessage, error) {
	requests, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, &ProtocolError{Method: method, Reason: "inputRequests is not an object", Err: err}
	}
	missing := &InputRequiredError{Method: method, Requests: make(map[string]InputRequest)}
	for _, m := range requests {
		var r InputRequest
		if err := json.Unmarshal(m.Value, &r); err != nil || r.Method == "" {
			return nil, &ProtocolError{Method: method, Reason: "an input request has no method", Err: err}
		}
		missing.Requests[m.Key] = r
	}
	responses := rawjson.Object{}
	for _, m := range requests {
		r := missing.Requests[m.Key]
		answer, err := c.options.Handlers.answer(ctx, r.Method, r.Params)
		if err != nil {
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeMethodNotFound {
				missing.Err = err
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, missing
		}
		responses = responses.Set(m.Key, answer)
	}
	return responses.Raw(), nil
}
