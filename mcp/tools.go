package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// Tool is the definition of a tool, as far as a call needs it.
type Tool struct {
	Name         string          `json:"name"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"` // nil when there is none
	Execution    json.RawMessage `json:"execution"`    // see Client.TaskSupport
	Raw          json.RawMessage `json:"-"`            // the whole definition

	// Cached tells that the definition comes from the cache.
	Cached bool `json:"-"`
}

func parseTool(raw json.RawMessage) (*Tool, error) {
	t := &Tool{Raw: raw}
	err := json.Unmarshal(raw, t)
	return t, err
}

// UnknownToolError is a tool that the server's list does not have.
type UnknownToolError struct {
	Name  string
	Known []string // all the names of the list
}

func (e *UnknownToolError) Error() string {
	return fmt.Sprintf("tools/call: the server lists no tool %q (%d); nothing was sent", e.Name, jsonrpc.CodeInvalidParams)
}

// Tool finds a tool in the server's list, reading no more pages than needed. It
// returns *UnknownToolError when the whole list does not have it; one that the
// cache does not have is looked for at the server.
func (c *Client) Tool(ctx context.Context, name string) (*Tool, error) {
	w := c.walk(ListTools, "", nil)
	tool, err := w.find(ctx, name)
	var unknown *UnknownToolError
	if w.wasCached && (errors.As(err, &unknown) || isInvalidParams(err)) {
		return c.FreshTool(ctx, name)
	}
	return tool, err
}

// FreshTool is Tool without the cache, for when there is reason to think that
// its definition has changed.
func (c *Client) FreshTool(ctx context.Context, name string) (*Tool, error) {
	w := c.walk(ListTools, "", nil)
	w.fresh = true
	return w.find(ctx, name)
}

// find finds a tool on the pages of a walk.
func (w *walk) find(ctx context.Context, name string) (*Tool, error) {
	unknown := &UnknownToolError{Name: name}
	for !w.done {
		page, err := w.next(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items() {
			t, err := parseTool(item)
			if err != nil {
				return nil, &ProtocolError{Method: string(ListTools), Reason: "a tool is malformed", Err: err}
			}
			if t.Name == name {
				t.Cached = w.cached
				return t, nil
			}
			unknown.Known = append(unknown.Known, t.Name)
		}
	}
	return nil, unknown
}

// Call is a call of a tool.
type Call struct {
	Name      string
	Arguments json.RawMessage // a JSON object; nil for none

	// Params are what the request has besides, such as _meta: an object in
	// which name and arguments are set. Nil is nothing.
	Params json.RawMessage

	// Tool is the definition, when it is known. Over HTTP in the stateless
	// era its input schema says which arguments are mirrored as headers.
	Tool *Tool

	Stream  io.Writer // see Request
	Keep    []string
	Timeout time.Duration

	// Task asks for a task, which only 2025-11-25 lets the client do. See
	// Client.TaskSupport for when that is allowed.
	Task *TaskOptions
}

// CallTool calls a tool. A result that says isError is a result. Where tasks were
// asked for, or their extension declared, Result.Task may be one that goes on:
// WaitTask waits for its result.
func (c *Client) CallTool(ctx context.Context, call *Call) (*Result, error) {
	params := rawjson.Object{}
	if call.Params != nil {
		var err error
		if params, err = rawjson.ParseObject(call.Params); err != nil {
			return nil, badParams("tools/call", err)
		}
	}
	params = params.Set("name", rawjson.Quote(call.Name))
	if call.Arguments != nil {
		params = params.Set("arguments", call.Arguments)
	}
	r := &Request{Method: "tools/call", Stream: call.Stream, Keep: call.Keep, Timeout: call.Timeout}
	if call.Task != nil {
		if lacking := c.session.Load().taskCallLacking(); lacking != nil {
			return nil, lacking
		}
		r.task = true
		params = params.Set("task", call.Task.params())
		var done func()
		ctx, done = outlast(ctx, createPatience)
		defer done()
	}
	r.Params = params.Raw()
	tool := call.Tool
	for retried := false; ; retried = true {
		if tool != nil && c.mirrorsHeaders() {
			var err error
			if r.Header, err = paramHeader(tool.InputSchema, call.Arguments); err != nil {
				return nil, err
			}
		}
		res, err := c.Do(ctx, r)
		if tool != nil && tool.Cached && isInvalidParams(err) {
			c.outdated(ListTools) // maybe
		}
		var rpc *jsonrpc.Error
		if retried || !c.mirrorsHeaders() || !errors.As(err, &rpc) || rpc.Code != codeHeaderMismatch {
			return res, err
		}
		// The headers did not fit: the tool's definition has changed.
		fresh, listErr := c.FreshTool(ctx, call.Name)
		if listErr != nil {
			return nil, err
		}
		tool = fresh
	}
}
