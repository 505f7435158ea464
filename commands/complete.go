package commands

import (
	"context"
	"strings"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// CompleteCmd asks the server for completions of an argument.
type CompleteCmd struct {
	Ref      string   `arg:"" help:"prompt:NAME or template:URI, the template as the server lists it."`
	Argument string   `arg:"" help:"Name of the argument or variable."`
	Prefix   string   `arg:"" optional:"" help:"What has been typed of its value."`
	Context  []string `sep:"none" placeholder:"KEY=VALUE" help:"Another argument whose value is known."`
}

// Run prints the result object.
func (c *CompleteCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.prepare()
	if err != nil {
		return err
	}
	ref, err := c.reference()
	if err != nil {
		return err
	}
	known, err := args.BuildStrings(ctx, c.Context, r.inputs().source())
	if err != nil {
		return err
	}
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	argument := rawjson.Object{}.Set("name", rawjson.Quote(c.Argument)).Set("value", rawjson.Quote(c.Prefix))
	params := rawjson.Object{}.Set("ref", ref.Raw()).Set("argument", argument.Raw())
	switch version := client.Info().ProtocolVersion; {
	case len(c.Context) == 0:
	case version < mcp.Version20250618: // dates compare as strings
		r.messages.Warningf("--context is left out: protocol version %s does not have it", version)
	default:
		params = params.Set("context", rawjson.Object{}.Set("arguments", known).Raw())
	}
	return r.do(ctx, client, &mcp.Request{Method: "completion/complete", Params: params.Raw()})
}

func (c *CompleteCmd) reference() (rawjson.Object, error) {
	kind, name, ok := strings.Cut(c.Ref, ":")
	switch {
	case ok && kind == "prompt" && name != "":
		return rawjson.Object{}.Set("type", rawjson.Quote("ref/prompt")).Set("name", rawjson.Quote(name)), nil
	case ok && kind == "template" && name != "":
		return rawjson.Object{}.Set("type", rawjson.Quote("ref/resource")).Set("uri", rawjson.Quote(name)), nil
	}
	return nil, usagef("bad reference %q: write prompt:NAME or template:URI", c.Ref)
}
