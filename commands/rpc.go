package commands

import (
	"context"
	"encoding/json"
	"strings"

	"mcpq/mcp"
)

// RPCCmd sends any request or notification.
type RPCCmd struct {
	Method string `arg:"" help:"The method."`
	Params string `arg:"" optional:"" help:"Its parameters, a JSON object: JSON, @FILE, or - for standard input."`
	Notify bool   `help:"Send a notification: there is no answer."`
	OutFlags
}

// Run prints the result as it came.
func (c *RPCCmd) Run(ctx context.Context, r *runner) (err error) {
	target, err := r.prepare()
	if err == nil {
		err = c.OutFlags.open(r, hasContent(c.Method))
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	var params json.RawMessage
	if c.Params != "" {
		if params, err = r.inputs().jsonParam("parameters", c.Params); err != nil {
			return err
		}
		if params[0] != '{' {
			return usagef("parameters: %.40s is not a JSON object", params)
		}
	}
	r.knowsTasks = strings.HasPrefix(c.Method, "tasks/") // servers want to hear it for these
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	if c.Notify {
		return client.Notify(ctx, c.Method, params)
	}
	return r.do(ctx, client, &mcp.Request{Method: c.Method, Params: params, Unchecked: true})
}

// hasContent tells whether the result of a method has content to decode.
func hasContent(method string) bool {
	switch method {
	case "tools/call", "resources/read", "prompts/get", "tasks/result":
		return true
	}
	return false
}
