package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
	"mcpq/internal/uritemplate"
	"mcpq/mcp"
)

// ReadCmd reads resources by their URIs, or one by its template.
type ReadCmd struct {
	URI []string `arg:"" name:"uri" help:"URIs; or a URI template with its variables as name=value."`
	Dir bool     `help:"List what is directly in folders, rather than read files (resources/directory/read of the skills extension)."`
	OutFlags
}

// Run prints one result object for each resource.
func (c *ReadCmd) Run(ctx context.Context, r *runner) (err error) {
	target, err := r.prepare()
	if err == nil {
		err = c.OutFlags.open(r, !c.Dir)
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	uris, err := c.expand(ctx, r)
	if err != nil {
		return err
	}
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	var no error
	for _, uri := range uris {
		if c.Dir {
			if no = listFolder(ctx, r, client, uri); no != nil && !isNo(no) {
				return no
			}
			continue
		}
		params := rawjson.Object{}.Set("uri", rawjson.Quote(uri)).Raw()
		no = r.do(ctx, client, &mcp.Request{Method: "resources/read", Params: params})
		if no != nil && !isNo(no) {
			return no
		}
	}
	return no
}

// listFolder prints all pages of a folder as one object; if some cannot be had,
// those that had come.
func listFolder(ctx context.Context, r *runner, client *mcp.Client, uri string) error {
	var pages []*mcp.Page
	var failed error
	for page, err := range client.Directory(ctx, uri) {
		if err != nil {
			failed = err
			break
		}
		pages = append(pages, page)
	}
	if len(pages) == 0 {
		return failed
	}
	raw, err := mcp.Join(pages)
	if err == nil {
		err = r.print(ctx, raw)
	}
	if failed != nil {
		return failed
	}
	return err
}

// expand makes the URIs out of the words of the command line.
func (c *ReadCmd) expand(ctx context.Context, r *runner) ([]string, error) {
	if !strings.Contains(c.URI[0], "{") {
		return c.URI, nil
	}
	template, err := uritemplate.Parse(c.URI[0])
	if err != nil {
		return nil, usagef("bad URI template %q: %w", c.URI[0], err)
	}
	object, err := args.BuildStrings(ctx, c.URI[1:], r.inputs().source())
	if err != nil {
		return nil, err
	}
	var given map[string]string
	if err := json.Unmarshal(object, &given); err != nil {
		return nil, err
	}
	if err := checkVariables(template, given); err != nil {
		return nil, err
	}
	return []string{template.Expand(given)}, nil
}

// checkVariables finds names that the template does not have. A variable left
// out is fine: the template says what it becomes then.
func checkVariables(t *uritemplate.Template, given map[string]string) error {
	for name := range given {
		if near := t.Names(); !slices.Contains(near, name) {
			return &UsageError{
				Err:  fmt.Errorf("URI template %q has no variable %q", t, name),
				Hint: "its variables: " + strings.Join(near, ", "),
			}
		}
	}
	if len(given) == 0 && len(t.Names()) > 0 {
		return &UsageError{
			Err:  errors.New("a URI template needs its variables as name=value"),
			Hint: "its variables: " + strings.Join(t.Names(), ", "),
		}
	}
	return nil
}
