package commands

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"mcpq/internal/schema"
	"mcpq/mcp"
)

// toolbox is what a run of many calls knows of the tools: their list is read
// once, until the server says that it has changed, and each schema prepared
// once.
type toolbox struct {
	r       *runner
	list    *mcp.ToolList
	changed *toolsChanged

	mu       sync.Mutex
	prepared map[*mcp.Tool]*preparedTool
	unlisted bool // the list does not work; that has been told
}

// preparedTool is a tool with its schemas ready for use.
type preparedTool struct {
	*mcp.Tool
	once          sync.Once
	input, output *schema.Schema // nil: it cannot be used, or there is none
}

// toolsChanged is set when the server has said so.
type toolsChanged struct{ atomic.Bool }

func (t *toolsChanged) notified(method string, _ json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed", "notifications/tools/listChanged":
		t.Store(true)
	}
}

func newToolbox(r *runner, client *mcp.Client, changed *toolsChanged) *toolbox {
	return &toolbox{r: r, list: client.Tools(), changed: changed, prepared: make(map[*mcp.Tool]*preparedTool)}
}

// find gives a tool; nil without an error if it is to be called unseen: when
// the list does not work, or the tool is not in it and need not be.
func (t *toolbox) find(ctx context.Context, name string, needed bool) (*preparedTool, error) {
	if t.changed.Load() && t.changed.Swap(false) {
		t.forget()
	}
	if t.isUnlisted() {
		return nil, nil
	}
	tool, err := t.list.Find(ctx, name)
	var unknown *mcp.UnknownToolError
	var rpc *mcp.RPCError
	switch {
	case errors.As(err, &unknown) && !needed:
		return nil, nil
	case errors.As(err, &rpc):
		if t.setUnlisted() {
			t.r.messages.Warningf("arguments are not checked: %v", err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.prepared[tool]
	if p == nil {
		p = &preparedTool{Tool: tool}
		t.prepared[tool] = p
	}
	return p, nil
}

func (t *toolbox) isUnlisted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unlisted
}

// setUnlisted tells whether that is news.
func (t *toolbox) setUnlisted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	news := !t.unlisted
	t.unlisted = true
	return news
}

// forget has the list read anew.
func (t *toolbox) forget() {
	t.list.Forget()
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.prepared)
	t.unlisted = false
}

// prepare reads the schemas, and warns once of one that cannot be used. It is
// not the call's time that it takes: others wait for it, too.
func (p *preparedTool) prepare(ctx context.Context, r *runner) {
	p.once.Do(func() {
		ctx = context.WithoutCancel(ctx)
		var err error
		if p.input, err = schema.Compile(ctx, p.InputSchema); err != nil {
			r.messages.Warningf("tool %q: arguments are not checked: %v", p.Name, err)
		}
		if p.OutputSchema == nil {
			return
		}
		if p.output, err = schema.Compile(ctx, p.OutputSchema); err != nil {
			r.messages.Warningf("tool %q: results are not checked: %v", p.Name, err)
		}
	})
}

// checkArguments holds arguments against the inputSchema.
func (p *preparedTool) checkArguments(ctx context.Context, r *runner, arguments json.RawMessage) error {
	p.prepare(ctx, r)
	if p.input == nil {
		return nil
	}
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	return judgeArguments(r, p.Tool, arguments, p.input.Validate(ctx, arguments))
}

// checkResult holds structuredContent against the outputSchema.
func (p *preparedTool) checkResult(ctx context.Context, r *runner, res *mcp.Result) error {
	p.prepare(ctx, r)
	if p.output == nil {
		return nil
	}
	return judgeResult(r, p.Name, res, func(content json.RawMessage) error { return p.output.ValidateResult(ctx, content) })
}
