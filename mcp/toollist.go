package mcp

import (
	"context"
	"sync"
)

// ToolList finds the tools of a server for who calls many: each page of the
// list is read once, past the cache, and not before a tool is looked for that
// is on no earlier one. It is safe for concurrent use.
type ToolList struct {
	client *Client

	turn chan struct{} // full while somebody reads pages
	walk *walk         // of who has the turn
	of   int           // the reading that walk belongs to

	mu      sync.Mutex
	reading int // how often the list was begun anew
	found   map[string]*Tool
}

// Tools returns the server's list of tools. Nothing is asked for yet.
func (c *Client) Tools() *ToolList {
	return &ToolList{client: c, turn: make(chan struct{}, 1), found: make(map[string]*Tool)}
}

// Forget has the list read anew, because it has changed.
func (l *ToolList) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reading++
	l.found = make(map[string]*Tool)
}

// Find gives a tool: the same one until the list is forgotten. It returns
// *UnknownToolError when the whole list does not have it.
func (l *ToolList) Find(ctx context.Context, name string) (*Tool, error) {
	if t, _ := l.known(name); t != nil {
		return t, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	for {
		t, reading := l.known(name)
		if t != nil {
			return t, nil
		}
		if l.walk == nil || l.of != reading {
			l.walk, l.of = l.client.walk(ListTools, "", nil), reading
			l.walk.fresh = true
		}
		if l.walk.done {
			return nil, l.unknown(name)
		}
		if err := l.readPage(ctx); err != nil {
			l.walk = nil // it may be of the moment
			return nil, err
		}
	}
}

// known gives a tool that has been read, and the reading that is going on.
func (l *ToolList) known(name string) (*Tool, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.found[name], l.reading
}

// readPage reads a page and keeps its tools, unless the list was forgotten
// meanwhile.
func (l *ToolList) readPage(ctx context.Context) error {
	page, err := l.walk.next(ctx)
	if err != nil {
		return err
	}
	tools, err := page.tools()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading != l.of {
		return nil
	}
	for _, t := range tools {
		if l.found[t.Name] == nil {
			l.found[t.Name] = t
		}
	}
	return nil
}

func (l *ToolList) unknown(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &UnknownToolError{Name: name, Known: sortedKeys(l.found)}
}

// tools gives the definitions on a page of ListTools.
func (p *Page) tools() ([]*Tool, error) {
	items := p.Items()
	tools := make([]*Tool, 0, len(items))
	for _, item := range items {
		t, err := parseTool(item)
		if err != nil {
			return nil, &ProtocolError{Method: string(ListTools), Reason: "a tool is malformed", Err: err}
		}
		tools = append(tools, t)
	}
	return tools, nil
}
