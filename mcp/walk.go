package mcp

import (
	"context"
	"errors"
	"fmt"

	"mcpq/mcp/jsonrpc"
)

// maxPages bounds a list whose cursors never repeat and never end. Real lists
// are far from it.
const maxPages = 10_000

// walk goes over the pages of a list.
type walk struct {
	client    *Client
	list      List
	uri       string  // of the folder that is listed, or ""
	cursor    *string // of the next page; nil is the first
	fresh     bool    // nothing is to come from the cache
	seen      map[string]bool
	pages     int    // so far
	root      string // of the first page, see kept.root
	cached    bool   // the last page came from the cache
	wasCached bool   // some page did
	done      bool   // there are no more
}

func (c *Client) walk(l List, uri string, cursor *string) *walk {
	return &walk{client: c, list: l, uri: uri, cursor: cursor, seen: make(map[string]bool)}
}

// next gets the next page, if the walk is not done.
func (w *walk) next(ctx context.Context) (*Page, error) {
	if w.cursor != nil {
		if w.seen[*w.cursor] {
			return nil, &CursorError{Method: string(w.list), Cursor: *w.cursor}
		}
		w.seen[*w.cursor] = true
	}
	if w.pages == maxPages {
		return nil, &ProtocolError{Method: string(w.list), Reason: fmt.Sprintf("the list has more than %d pages", maxPages)}
	}
	page, err := w.client.page(ctx, w)
	if err != nil {
		return nil, err
	}
	w.pages++
	w.wasCached = w.wasCached || w.cached
	w.cursor, w.done = page.Cursor, page.Cursor == nil
	return page, nil
}

// start gets the pages that the cache has, and the one after them. When the
// server does not know the cursor of the last of them, its list is not that of
// the cache any more, and the walk begins anew.
func (w *walk) start(ctx context.Context) ([]*Page, error) {
	var pages []*Page
	for {
		page, err := w.next(ctx)
		switch {
		case err == nil:
			pages = append(pages, page)
			if w.done || !w.cached {
				return pages, nil
			}
		case len(pages) > 0 && isInvalidParams(err):
			*w = *w.client.walk(w.list, w.uri, nil)
			w.fresh = true
			pages = nil
		default:
			return pages, err
		}
	}
}

// isInvalidParams reports whether the server found fault with the params, such
// as a cursor or name that it does not know.
func isInvalidParams(err error) bool {
	var rpc *RPCError
	return errors.As(err, &rpc) && rpc.Err.Code == jsonrpc.CodeInvalidParams
}
