package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpq/commands/args"
	"mcpq/commands/manual"
	"mcpq/internal/schema"
	"mcpq/mcp"
)

// CallCmd calls one tool and prints its result.
type CallCmd struct {
	Tool       string   `arg:"" help:"Name of the tool."`
	Arguments  []string `arg:"" optional:"" name:"key=value" help:"Arguments; see 'mcpq help arguments'."`
	Args       *string  `placeholder:"JSON" help:"All arguments as one object: JSON, @FILE, or - for standard input; key=value overrides it."`
	NoValidate bool     `help:"Do not check arguments and result against the tool's schemas."`
	Confirm    bool     `help:"Ask before a tool is called that does not say it is read-only; without a terminal it is not called (exit 7)."`
	CallTaskFlags
	OutFlags
}

// Validate checks the flags.
func (c *CallCmd) Validate() error {
	if c.Detach && c.Output != "" {
		return usagef("--detach prints a task: there is nothing to save with -o")
	}
	if c.Args != nil && *c.Args == "" { // of a command whose output was meant to be here
		return usagef("--args: expected a JSON object, got nothing")
	}
	return c.CallTaskFlags.check()
}

// Run makes the arguments, calls the tool and judges the result.
func (c *CallCmd) Run(ctx context.Context, r *runner) (err error) {
	target, err := r.prepare()
	if err == nil {
		err = c.OutFlags.open(r, true)
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	in := r.inputs()
	// Without the schema every text is a string; mistakes show all the same.
	if _, err := c.build(ctx, nil, in); err != nil {
		return err
	}
	r.knowsTasks, r.keepsOpen = !c.NoTask, c.Detach
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	tool, err := c.find(ctx, r, client)
	if err != nil {
		return err
	}
	tool, arguments, err := c.arrange(ctx, r, in, tool)
	if err != nil {
		return err
	}
	if tool != nil && !c.NoValidate {
		c.warnUnlisted(r, tool, arguments)
	}
	if c.Confirm {
		if err := c.confirm(ctx, r, tool, arguments); err != nil {
			return err
		}
	}
	call := &mcp.Call{Name: c.Tool, Arguments: arguments, Tool: tool}
	if call.Task, err = c.CallTaskFlags.options(r, client, tool); err != nil {
		return err
	}
	if tool != nil && tool.OutputSchema != nil && !c.NoValidate { // then it is checked
		call.Keep = []string{"structuredContent"}
	}
	s := &streaming{r: r}
	call.Stream = s.writer()
	res, err := client.CallTool(ctx, call)
	if err == nil && res.Task != nil {
		if c.Detach && ctx.Err() == nil {
			return c.detach(ctx, r, client, res.Task)
		}
		return c.finishTask(ctx, s, call, &awaiting{r: r, client: client, task: res.Task, flags: c.WaitFlags})
	}
	if c.Detach && err == nil {
		r.messages.Warningf("the server gave the result itself: there is no task to come back to")
	}
	return c.finish(ctx, s, call, res, err)
}

// finish prints the result and judges it.
func (c *CallCmd) finish(ctx context.Context, s *streaming, call *mcp.Call, res *mcp.Result, err error) error {
	printed := s.finish(ctx, res, err)
	if printed != nil && !isNo(printed) { // a "no" counts only if nothing worse is to be said
		return printed
	}
	if res.IsError() {
		return &ToolFailedError{Tool: c.Tool, Said: string(res.Raw)}
	}
	if call.Keep != nil {
		if err := c.checkFresh(ctx, s.r, call.Tool, res); err != nil {
			return err
		}
	}
	return printed
}

// find gets the tool's definition. A server whose list does not work may still
// be able to call. A tool that is not in the list is only called when nothing
// is to be checked.
func (c *CallCmd) find(ctx context.Context, r *runner, client *mcp.Client) (*mcp.Tool, error) {
	tool, err := client.Tool(ctx, c.Tool)
	var unknown *mcp.UnknownToolError
	var rpc *mcp.RPCError
	switch {
	case errors.As(err, &unknown) && c.NoValidate:
		return nil, nil
	case errors.As(err, &rpc):
		r.messages.Warningf("arguments are not checked: %v", err)
		return nil, nil
	}
	return tool, err
}

// checkArguments holds the arguments against the tool's inputSchema.
func (c *CallCmd) checkArguments(ctx context.Context, r *runner, tool *mcp.Tool, arguments json.RawMessage) error {
	return judgeArguments(r, tool, arguments, schema.Validate(ctx, tool.InputSchema, arguments))
}

// judgeArguments makes of what checking arguments came to what it means here:
// a schema that cannot be used only gets a warning.
func judgeArguments(r *runner, tool *mcp.Tool, arguments json.RawMessage, err error) error {
	var unsupported *schema.UnsupportedError
	var unfit *schema.ViolationError
	switch {
	case errors.As(err, &unsupported):
		r.messages.Warningf("arguments are not checked: %v", err)
		return nil
	case errors.As(err, &unfit):
		hint := misspelt(arguments, tool.InputSchema)
		if hint == "" {
			hint = "usage: " + manual.ToolUsage(tool.Name, tool.InputSchema)
		}
		if unfit.Dotted != "" {
			err = fmt.Errorf("argument %w", err)
		}
		return &UsageError{Err: err, Hint: hint}
	}
	return err
}

// warnUnlisted says which arguments are sent although the schema, which does not
// forbid them, lists others only. Most servers drop such arguments silently.
func (c *CallCmd) warnUnlisted(r *runner, tool *mcp.Tool, arguments json.RawMessage) {
	near := args.Misspelt(arguments, tool.InputSchema)
	for _, name := range args.Unlisted(arguments, tool.InputSchema) {
		suggestion := ""
		if names := near[name]; names != nil {
			suggestion = fmt.Sprintf("; did you mean %s?", strings.Join(names, " or "))
		}
		r.messages.Warningf("tool %q lists no argument %q, which is sent all the same%s", c.Tool, name, suggestion)
	}
}

// checkResult holds structuredContent against the tool's outputSchema.
func (c *CallCmd) checkResult(ctx context.Context, r *runner, tool *mcp.Tool, res *mcp.Result) error {
	return judgeResult(r, c.Tool, res, func(content json.RawMessage) error {
		return schema.ValidateResult(ctx, tool.OutputSchema, content)
	})
}

// judgeResult checks the structuredContent of a result, and makes of that what
// it means here.
func judgeResult(r *runner, tool string, res *mcp.Result, check func(json.RawMessage) error) error {
	content := res.Member("structuredContent")
	if content == nil {
		return &OutputError{Tool: tool, Err: errors.New("it has no structuredContent")}
	}
	err := check(content)
	var unsupported *schema.UnsupportedError
	var unfit *schema.ViolationError
	switch {
	case errors.As(err, &unsupported):
		r.messages.Warningf("the result is not checked: %v", err)
		return nil
	case errors.As(err, &unfit):
		return &OutputError{Tool: tool, Err: err}
	}
	return err
}

// misspelt suggests the names that unknown arguments are close to.
func misspelt(arguments, input json.RawMessage) string {
	near := args.Misspelt(arguments, input)
	for _, name := range slices.Sorted(maps.Keys(near)) {
		return fmt.Sprintf("there is no argument %q; did you mean %s?", name, strings.Join(near[name], " or "))
	}
	return ""
}
