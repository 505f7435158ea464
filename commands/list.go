package commands

import (
	"context"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// ListCmd lists tools, resources, templates, prompts or skills: all pages of
// them.
type ListCmd struct {
	Limit  *int    `placeholder:"N" help:"Stop after N items."`
	Cursor *string `placeholder:"CURSOR" help:"Start at the page that CURSOR names."`
}

// Validate checks the flags.
func (l *ListCmd) Validate() error {
	if l.Limit != nil && *l.Limit < 1 {
		return usagef("--limit has to be at least 1")
	}
	return nil
}

// Run prints the list as one object.
func (l *ListCmd) Run(ctx context.Context, r *runner) error {
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	out := r.listing()
	var failed error
	count := 0
	for page, err := range c.Pages(ctx, listOf(r.selected), l.Cursor) {
		if err != nil {
			failed = err
			break
		}
		if l.Limit != nil {
			if n := len(page.Items()); count+n > *l.Limit {
				page = cut(page, *l.Limit-count)
			}
			count += len(page.Items())
		}
		if err := out.add(page); err != nil {
			return err
		}
		if l.Limit != nil && count == *l.Limit {
			break
		}
	}
	if err := out.finish(ctx); failed == nil {
		failed = err
	}
	return failed
}

// listing prints the pages of a list as they come, as far as the output allows.
type listing struct {
	streaming
	joiner *mcp.Joiner // of pages that are printed as they come
	pages  []*mcp.Page // that have to be held
	some   bool
}

func (r *runner) listing() *listing {
	l := &listing{streaming: streaming{r: r}}
	if w := l.writer(); w != nil && !r.printer.PerItem() {
		l.joiner = mcp.NewJoiner(w)
	}
	return l
}

func (l *listing) add(p *mcp.Page) error {
	l.some = true
	switch {
	case l.r.printer.PerItem():
		return l.r.printer.Items(p.Items())
	case l.joiner != nil:
		return l.joiner.Add(p)
	}
	l.pages = append(l.pages, p)
	return nil
}

// finish prints the rest of what had come, also when more could not be had.
func (l *listing) finish(ctx context.Context) error {
	switch {
	case l.r.printer.PerItem():
		return l.r.printer.Status()
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !l.some:
		return nil
	case l.joiner != nil:
		if err := l.joiner.Close(); err != nil {
			return err
		}
		return l.streaming.finish(ctx, &mcp.Result{Streamed: true}, nil)
	}
	raw, err := mcp.Join(l.pages)
	if err != nil {
		return err
	}
	return l.r.print(ctx, raw)
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
	items := rawjson.Array(p.Items()[:n])
	return &mcp.Page{List: p.List, Raw: object.Set(p.List.Key(), items).Delete("nextCursor").Raw()}
}
