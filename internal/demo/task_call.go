package demo

import (
	"context"
	"encoding/json"
	"time"
)

// tasksExtension is the id of the extension that makes tasks of 2026-07-28.
const tasksExtension = "io.modelcontextprotocol/tasks"

// defaultTTL is how long a task is kept when nobody says.
const defaultTTL = 10 * time.Minute

// wantsTask reports whether a call of a tool is to become a task: because its
// client asks for one, or may be given one.
func (c *call) wantsTask(t *tool, asked json.RawMessage) (bool, error) {
	switch {
	case c.rules.stateless:
		return t.asTask && c.knowsTasks(), nil
	case !c.rules.tasks || asked == nil:
		return false, nil
	case !t.asTask:
		return false, rpcErrorf(codeMethodNotFound, "the tool %q does not run as a task", t.name)
	case kindOf(asked) != "object":
		return false, rpcErrorf(codeInvalidParams, "params.task must be an object")
	}
	return true, nil
}

// knowsTasks reports whether the client declared the extension.
func (c *call) knowsTasks() bool {
	_, ok := c.client.Extensions[tasksExtension]
	return ok
}

// needTasks refuses what a client may only ask for with the extension.
func (c *call) needTasks() error {
	if c.knowsTasks() {
		return nil
	}
	return &rpcError{Code: codeMissingCapability, Message: "this needs the tasks extension",
		Data: map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{tasksExtension: struct{}{}}}}}
}

// begin starts a tool as a task and answers with it.
func (c *call) begin(t *tool, asked json.RawMessage, args arguments) (result, error) {
	var p struct{ TTL *float64 }
	if asked != nil {
		if err := decodeParams(asked, &p); err != nil {
			return nil, err
		}
	}
	seconds := defaultTTL.Seconds()
	if args["keep"] != nil {
		seconds, _ = args.number("keep").Float64()
	}
	if p.TTL != nil {
		seconds = min(seconds, max(*p.TTL/1000, 0))
	}
	store, ctx := &c.server.tasks, c.server.alive
	now := &task{ttl: time.Duration(seconds * float64(time.Second)), failsBy: func(result) bool { return false }}
	own := *c // it outlives this request
	own.header, own.keepAlive = nil, nil
	own.send, own.token = func(any) {}, nil // this era has no news of a task but its state
	if c.session != nil {
		store, ctx = &c.session.tasks, c.session.alive
		now.failsBy = func(r result) bool { tr, ok := r.(*toolResult); return ok && tr.IsError }
		own.send, own.token = c.session.push, c.token
	}
	store.start(ctx, now, func(ctx context.Context, tk *task) (result, error) {
		own.task = tk
		return t.run(ctx, &own, args)
	})
	store.mu.Lock()
	defer store.mu.Unlock()
	if c.session != nil {
		return &coreCreated{Task: coreView(now)}, nil
	}
	res := extensionView(c.server, now)
	res.ResultType, res.Requests, res.Result, res.Error = "task", nil, nil, nil
	return res, nil
}

// step reports how far a tool is.
func (c *call) step(done, total int, text string) {
	if c.task != nil {
		c.task.say(text)
	}
	c.progress(done, total, text)
}

// ask has the client fill in a form, in the way of its era; the stateless one
// has none outside of tasks.
func (c *call) ask(ctx context.Context, key string, form map[string]any) (json.RawMessage, error) {
	switch {
	case c.task != nil:
		return c.task.ask(ctx, key, "elicitation/create", form)
	case c.session != nil:
		return c.session.ask(ctx, c.send, "elicitation/create", form)
	}
	return nil, c.needTasks()
}
