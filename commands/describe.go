package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpq/commands/args"
	"mcpq/commands/manual"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/output"
)

// DescribeCmd shows how one tool, prompt or template is used.
type DescribeCmd struct {
	Name string `arg:"" help:"Its name, or URI template; tool:NAME, prompt:NAME or template:URI says which is meant."`
}

// NotListedError is a name that none of the server's lists has.
type NotListedError struct {
	Name  string
	Kinds []string // that were looked through
	Known []string
}

func (e *NotListedError) Error() string {
	return fmt.Sprintf("the server lists no %s %q", strings.Join(e.Kinds, " or "), e.Name)
}

// definition is what was found under a name.
type definition struct {
	kind string // tool, prompt or template
	raw  json.RawMessage
}

// Run prints a page of a manual, or with a filter or --format the definition.
func (c *DescribeCmd) Run(ctx context.Context, r *runner) error {
	client, err := r.open(ctx)
	if err != nil {
		return err
	}
	found, err := c.find(ctx, r, client)
	if err != nil {
		return err
	}
	return r.describe(ctx, found)
}

func (r *runner) describe(ctx context.Context, d *definition) error {
	if flags := &r.grammar.PrintFlags; flags.filters() || flags.Format != "" && flags.Format != string(output.FormatText) {
		return r.print(ctx, d.raw)
	}
	o := manual.Options{Width: min(columns(r.env), 100), Styled: r.printer.Coloured()}
	o.Before, o.After = r.serverNamed()
	var text string
	var err error
	switch d.kind {
	case "prompt":
		text, err = manual.Prompt(d.raw, o)
	case "template":
		text, err = manual.Template(d.raw, o)
	default:
		text, err = manual.Tool(ctx, d.raw, o)
	}
	if err != nil {
		return &mcp.ProtocolError{Method: d.kind, Reason: "its definition is malformed", Err: err}
	}
	return r.printer.Page(text)
}

// kindsOf are the kinds of things that a name can mean, and the name itself.
func kindsOf(name string) ([]string, string) {
	all := []string{"tool", "prompt", "template"}
	for _, kind := range all {
		if rest, ok := strings.CutPrefix(name, kind+":"); ok && rest != "" {
			return []string{kind}, rest
		}
	}
	return all, name
}

// find looks the name up in the lists that can have it.
func (c *DescribeCmd) find(ctx context.Context, r *runner, client *mcp.Client) (*definition, error) {
	kinds, name := kindsOf(c.Name)
	unknown := &NotListedError{Name: name}
	var found []*definition
	for _, kind := range kinds {
		list, keys := mcp.ListTools, []string{"name"}
		switch kind {
		case "prompt":
			list = mcp.ListPrompts
		case "template":
			list, keys = mcp.ListTemplates, []string{"uriTemplate", "name"}
		}
		raw, known, err := lookUp(ctx, client, list, keys, name)
		switch {
		case err != nil && (len(kinds) == 1 || !offersNot(err)):
			return nil, err
		case err != nil:
			continue
		case raw != nil:
			found = append(found, &definition{kind, raw})
		}
		unknown.Kinds = append(unknown.Kinds, kind)
		unknown.Known = append(unknown.Known, known...)
	}
	switch len(found) {
	case 0:
		if len(unknown.Kinds) == 0 {
			unknown.Kinds = kinds
		}
		return nil, unknown
	case 1:
		return found[0], nil
	}
	var names []string
	for _, d := range found {
		names = append(names, d.kind+":"+name)
	}
	return nil, &UsageError{Err: fmt.Errorf("%q is a %s and a %s", name, found[0].kind, found[1].kind), Hint: "say which: " + strings.Join(names, " or ")}
}

// offersNot tells whether a list failed because the server has none.
func offersNot(err error) bool {
	var missing *mcp.CapabilityError
	var rpc *mcp.RPCError
	return errors.As(err, &missing) || errors.As(err, &rpc) && rpc.Err.Code == jsonrpc.CodeMethodNotFound
}

// lookUp finds an item of a list by its name, nil if there is none; known are
// the names of the others.
func lookUp(ctx context.Context, client *mcp.Client, list mcp.List, keys []string, name string) (found json.RawMessage, known []string, err error) {
	for page, err := range client.Pages(ctx, list, nil) {
		if err != nil {
			return nil, nil, err
		}
		for _, item := range page.Items() {
			object, err := rawjson.ParseObject(item)
			if err != nil {
				continue
			}
			for _, key := range keys {
				raw, _ := object.Get(key)
				text, ok := rawjson.Unquote(raw)
				if ok && text == name {
					return item, nil, nil
				}
				if ok {
					known = append(known, text)
				}
			}
		}
	}
	return nil, known, nil
}

// notListedHint says which names are near.
func notListedHint(e *NotListedError) string {
	if near := args.Nearest(e.Name, e.Known); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	}
	return "'mcpq list-tools', list-prompts and list-templates show what there is"
}

// serverNamed gives the words of the command line that named the server, without
// secrets: those behind the command, and those at its end.
func (r *runner) serverNamed() (before, after []string) {
	switch {
	case r.dashes:
		return nil, append([]string{"--"}, r.command...)
	case r.grammar.Server == "":
		return nil, nil // it comes from the environment
	case strings.Contains(r.grammar.Server, "://"):
		return []string{"-s", safeURL(r.grammar.Server)}, nil
	}
	return []string{"-s", r.grammar.Server}, nil
}

// toolHelp shows the page of a tool for 'call TOOL --help' when a server is
// named. It returns false when the command line asks for something else.
func (r *runner) toolHelp(words []string) (bool, error) {
	var rest []string
	for _, w := range words {
		if w != "-h" && w != "--help" {
			rest = append(rest, w)
		}
	}
	if len(rest) == len(words) {
		return false, nil
	}
	call := new(CallCmd)
	parsed, err := r.parse(rest, []command{{name: "call", make: func() any { return call }}}, false)
	if err != nil || parsed == nil || parsed.Selected() == nil || !r.dashes && r.grammar.Server == "" && r.env.Getenv("MCPQ_SERVER") == "" {
		return false, nil
	}
	ctx := r.context()
	defer r.close()
	err = (&DescribeCmd{Name: "tool:" + call.Tool}).Run(ctx, r)
	return true, causeOf(ctx, err)
}
