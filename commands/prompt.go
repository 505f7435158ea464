package commands

import (
	"context"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// PromptCmd gets a prompt.
type PromptCmd struct {
	Prompt    string   `arg:"" help:"Name of the prompt."`
	Arguments []string `arg:"" optional:"" name:"key=value" help:"Its arguments; values are strings."`
	OutFlags
}

// Run prints the result object.
func (c *PromptCmd) Run(ctx context.Context, r *runner) (err error) {
	target, err := r.prepare()
	if err == nil {
		err = c.OutFlags.open(r, true)
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	arguments, err := args.BuildStrings(ctx, c.Arguments, r.inputs().source())
	if err != nil {
		return err
	}
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	params := rawjson.Object{}.Set("name", rawjson.Quote(c.Prompt))
	if len(c.Arguments) > 0 {
		params = params.Set("arguments", arguments)
	}
	return r.do(ctx, client, &mcp.Request{Method: "prompts/get", Params: params.Raw()})
}
