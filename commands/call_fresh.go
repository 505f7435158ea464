package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"mcpq/commands/args"
	"mcpq/commands/form"
	"mcpq/mcp"
)

// A definition that comes from the cache may have changed since. It only counts
// against a call after the server has been asked again.

// arrange makes the arguments and holds them against the tool's definition. It
// gives the definition that they were made for.
func (c *CallCmd) arrange(ctx context.Context, r *runner, in *inputs, tool *mcp.Tool) (*mcp.Tool, json.RawMessage, error) {
	arguments, err := c.arguments(ctx, r, in, tool)
	var unfit *UsageError
	if errors.As(err, &unfit) && tool != nil && tool.Cached {
		fresh, failed := r.client.FreshTool(ctx, c.Tool)
		if failed == nil && !bytes.Equal(fresh.InputSchema, tool.InputSchema) {
			tool = fresh
			arguments, err = c.arguments(ctx, r, in, tool)
		}
	}
	return tool, arguments, err
}

func (c *CallCmd) arguments(ctx context.Context, r *runner, in *inputs, tool *mcp.Tool) (json.RawMessage, error) {
	var input json.RawMessage
	if tool != nil {
		input = tool.InputSchema
	}
	arguments, err := c.build(ctx, input, in)
	if err != nil || tool == nil || c.NoValidate {
		return arguments, err
	}
	if missing := form.Missing(input, arguments); len(missing) > 0 {
		if arguments, err = c.complete(ctx, r, input, arguments, missing); err != nil {
			return nil, err
		}
	}
	return arguments, c.checkArguments(ctx, r, tool, arguments)
}

// build makes the arguments of what the command line says.
func (c *CallCmd) build(ctx context.Context, input json.RawMessage, in *inputs) (json.RawMessage, error) {
	base := ""
	if c.Args != nil {
		base = *c.Args
	}
	return args.Build(ctx, base, c.Arguments, input, in.source())
}

// checkFresh is checkResult, with a definition that is not out of date.
func (c *CallCmd) checkFresh(ctx context.Context, r *runner, tool *mcp.Tool, res *mcp.Result) error {
	err := c.checkResult(ctx, r, tool, res)
	var unfit *OutputError
	if !errors.As(err, &unfit) || !tool.Cached {
		return err
	}
	fresh, failed := r.client.FreshTool(ctx, c.Tool)
	switch {
	case failed != nil, bytes.Equal(fresh.OutputSchema, tool.OutputSchema):
		return err
	case fresh.OutputSchema == nil:
		return nil
	}
	return c.checkResult(ctx, r, fresh, res)
}
