package commands

import (
	"context"

	"github.com/alecthomas/kong"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// ListCmd lists tools, resources, templates, prompts or skills: all pages of
// them.
type ListCmd struct {
	Limit  int     `placeholder:"N" help:"Stop after N items."`
	Cursor *string `placeholder:"CURSOR" help:"Start at the page that CURSOR names."`
}

// Validate checks the flags.
func (l *ListCmd) Validate() error {
	if l.Limit < 0 {
		return usagef("--limit has to be at least 1")
	}
	return nil
}

// Run prints the list as one object.
func (l *ListCmd) Run(ctx context.Context, r *runner, k *kong.Context) error {
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	var pages []*mcp.Page
	var failed error
	count := 0
	for page, err := range c.Pages(ctx, listOf(k.Selected().Name), l.Cursor) {
		if err != nil {
			failed = err
			break
		}
		if l.Limit > 0 && count+len(page.Items) > l.Limit {
			page = cut(page, l.Limit-count)
		}
		if r.printer.PerItem() { // each as it comes, none is held
			if err := r.printer.Items(page.Items); err != nil {
				return err
			}
		} else {
			pages = append(pages, page)
		}
		count += len(page.Items)
		if count == l.Limit && l.Limit > 0 {
			break
		}
	}
	if len(pages) > 0 { // what had come is printed, even if more could not be had
		raw, err := mcp.Join(pages)
		if err == nil {
			err = r.print(ctx, raw)
		}
		if failed == nil {
			failed = err
		}
	}
	if failed == nil && r.printer.PerItem() {
		return r.printer.Status()
	}
	return failed
}

func listOf(command string) mcp.List {
	switch command {
	case "list-resources":
		return mcp.ListResources
	case "list-templates":
		return mcp.ListTemplates
	case "list-prompts":
		return mcp.ListPrompts
	case "list-skills":
		return mcp.ListSkills
	case "list": // of tasks
		return mcp.ListTasks
	}
	return mcp.ListTools
}

// cut leaves n items on a page; the cursor behind them would skip some, so it
// goes too.
func cut(p *mcp.Page, n int) *mcp.Page {
	object, err := rawjson.ParseObject(p.Raw)
	if err != nil { // a page is an object
		return p
	}
	items := rawjson.Array(p.Items[:n])
	return &mcp.Page{List: p.List, Items: p.Items[:n], Raw: object.Set(p.List.Key(), items).Delete("nextCursor").Raw()}
}
