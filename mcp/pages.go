package mcp

import (
	"context"
	"encoding/json"
	"iter"

	"mcpq/internal/rawjson"
)

// List is a method that lists something page by page.
type List string

// The lists of a server.
const (
	ListTools     List = "tools/list"
	ListResources List = "resources/list"
	ListTemplates List = "resources/templates/list"
	ListPrompts   List = "prompts/list"
	ListSkills    List = "skills/list"              // of the skills extension
	ListDirectory List = "resources/directory/read" // as well; see [Client.Directory]
	ListTasks     List = "tasks/list"               // of 2025-11-25 alone
)

// Key is the member of a page that holds its items.
func (l List) Key() string {
	switch l {
	case ListTools:
		return "tools"
	case ListResources:
		return "resources"
	case ListTemplates:
		return "resourceTemplates"
	case ListPrompts:
		return "prompts"
	case ListSkills:
		return "skills"
	case ListDirectory:
		return "resources"
	case ListTasks:
		return "tasks"
	}
	return ""
}

// Page is one page of a list.
type Page struct {
	List   List
	Raw    json.RawMessage // the server's result object, compact
	Cursor *string         // of the next page; nil on the last one. An empty string is a cursor.

	list  json.RawMessage // the array in Raw; nil before it was looked for
	items []json.RawMessage
}

// Items are the items of the list, in order. They are told apart only now, which
// who joins pages can do without.
func (p *Page) Items() []json.RawMessage {
	if p.items == nil {
		p.items, _ = rawjson.Items(p.array())
	}
	return p.items
}

func (p *Page) array() json.RawMessage {
	if p.list == nil {
		p.list = rawjson.Members(p.Raw)[p.List.Key()]
	}
	return p.list
}

// Pages walks over the pages of a list, from the cursor given or from the
// start. It ends after the first error; *CursorError when the server repeats a
// cursor. Pages that the cache has are held until the first one after them has
// come.
func (c *Client) Pages(ctx context.Context, l List, cursor *string) iter.Seq2[*Page, error] {
	return c.pages(ctx, l, "", cursor)
}

// Directory walks over the pages of what is directly in a folder, if the server
// declared directoryRead of the skills extension. Folders in it have the
// mimeType inode/directory.
func (c *Client) Directory(ctx context.Context, uri string) iter.Seq2[*Page, error] {
	return c.pages(ctx, ListDirectory, uri, nil)
}

func (c *Client) pages(ctx context.Context, l List, uri string, cursor *string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		w := c.walk(l, uri, cursor)
		pages, err := w.start(ctx)
		for _, page := range pages {
			if !yield(page, nil) {
				return
			}
		}
		for err == nil && !w.done {
			var page *Page
			if page, err = w.next(ctx); err == nil && !yield(page, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// page gets the page that a walk has come to.
func (c *Client) page(ctx context.Context, w *walk) (*Page, error) {
	l := w.list
	if f := c.session.Load().era.features(); l == ListTasks && f.taskExtension {
		return nil, &TaskMethodError{Method: string(l), Version: f.version}
	}
	r := &Request{Method: string(l), fresh: w.fresh}
	var params rawjson.Object
	if l == ListDirectory {
		params = params.Set("uri", rawjson.Quote(w.uri))
	}
	if w.cursor != nil {
		r.root = w.root
		params = params.Set("cursor", rawjson.Quote(*w.cursor))
	}
	if params != nil {
		r.Params = params.Raw()
	}
	res, err := c.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	if w.cached = res.cached; w.cursor == nil {
		w.root = res.root
	}
	p := &Page{List: l, Raw: res.Raw, list: res.Member(l.Key())}
	if len(p.list) == 0 || p.list[0] != '[' {
		_, err := rawjson.Elements(p.list) // says what it is instead
		return nil, &ProtocolError{Method: string(l), Reason: "it has no array " + l.Key(), Err: err}
	}
	if next := res.Member("nextCursor"); next != nil && string(next) != "null" {
		s, ok := rawjson.Unquote(next)
		if !ok {
			return nil, &ProtocolError{Method: string(l), Reason: "nextCursor is not a string"}
		}
		p.Cursor = &s
	}
	if l == ListTools && c.mirrorsHeaders() {
		c.dropInvalidTools(p)
	}
	return p, nil
}
