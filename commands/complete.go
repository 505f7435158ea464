package commands

import (
	"context"
	"encoding/json"
	"strings"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// CompleteCmd asks the server for completions of an argument.
type CompleteCmd struct {
	Ref      string   `arg:"" help:"The prompt or template: prompt:NAME, or template:URI as the server lists it."`
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
	switch {
	case len(c.Context) == 0:
		known = nil
	case !takesContext(client):
		r.messages.Warningf("--context is left out: protocol version %s does not have it", client.Info().ProtocolVersion)
		known = nil
	}
	return r.do(ctx, client, completeRequest(ref, c.Argument, c.Prefix, known))
}

// completeRequest asks for the values of an argument; context, which may be nil,
// is those of the others.
func completeRequest(ref rawjson.Object, name, prefix string, context json.RawMessage) *mcp.Request {
	argument := rawjson.Object{}.Set("name", rawjson.Quote(name)).Set("value", rawjson.Quote(prefix))
	params := rawjson.Object{}.Set("ref", ref.Raw()).Set("argument", argument.Raw())
	if context != nil {
		params = params.Set("context", rawjson.Object{}.Set("arguments", context).Raw())
	}
	return &mcp.Request{Method: "completion/complete", Params: params.Raw()}
}

// takesContext tells whether the version has a context in such requests.
func takesContext(client *mcp.Client) bool {
	return client.Info().ProtocolVersion >= mcp.Version20250618 // dates compare as strings
}

func promptRef(name string) rawjson.Object {
	return rawjson.Object{}.Set("type", rawjson.Quote("ref/prompt")).Set("name", rawjson.Quote(name))
}

func templateRef(uri string) rawjson.Object {
	return rawjson.Object{}.Set("type", rawjson.Quote("ref/resource")).Set("uri", rawjson.Quote(uri))
}

func (c *CompleteCmd) reference() (rawjson.Object, error) {
	kind, name, ok := strings.Cut(c.Ref, ":")
	switch {
	case ok && kind == "prompt" && name != "":
		return promptRef(name), nil
	case ok && kind == "template" && name != "":
		return templateRef(name), nil
	}
	return nil, usagef("bad reference %q: write prompt:NAME or template:URI", c.Ref)
}
