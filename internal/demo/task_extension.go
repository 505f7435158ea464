package demo

import (
	"context"
	"encoding/json"
)

// extensionTask is a task in the words of the extension of 2026-07-28.
type extensionTask struct {
	envelope
	ID            string         `json:"taskId"`
	Status        string         `json:"status"`
	StatusMessage string         `json:"statusMessage,omitempty"`
	Created       string         `json:"createdAt"`
	Updated       string         `json:"lastUpdatedAt"`
	Keep          int64          `json:"ttlMs"`
	Poll          int64          `json:"pollIntervalMs"`
	Requests      map[string]any `json:"inputRequests,omitempty"`
	Result        result         `json:"result,omitempty"`
	Error         *rpcError      `json:"error,omitempty"`
}

// extensionView shows a task as it is. Its store is locked.
func extensionView(s *Server, t *task) *extensionTask {
	v := &extensionTask{ID: t.id, Status: t.status, StatusMessage: t.message, Created: stamp(t.created), Updated: stamp(t.updated),
		Keep: t.ttl.Milliseconds(), Poll: taskPoll.Milliseconds(), Error: t.err}
	if t.result != nil {
		shown := *t.result.(*toolResult)
		s.seal(&shown)
		v.Result = &shown
	}
	if q := t.question; q != nil {
		v.Requests = map[string]any{q.key: map[string]any{"method": q.method, "params": q.params}}
	}
	return v
}

// extensionTaskHandler finds the handler of a method about tasks.
func extensionTaskHandler(method string) handler {
	switch method {
	case "tasks/get":
		return getTask
	case "tasks/update":
		return updateTask
	case "tasks/cancel":
		return cancelTask
	}
	return nil
}

// onTask does something with a task, for a client that knows what that is.
func onTask(c *call, do func(*task)) error {
	if err := c.needTasks(); err != nil {
		return err
	}
	id, err := taskID(c)
	if err != nil {
		return err
	}
	return c.server.tasks.find(id, do)
}

func getTask(_ context.Context, c *call) (result, error) {
	var view *extensionTask
	if err := onTask(c, func(t *task) { view = extensionView(c.server, t) }); err != nil {
		return nil, err
	}
	return view, nil
}

// updateTask takes answers. Those to what was not asked, or has been answered,
// have no effect.
func updateTask(_ context.Context, c *call) (result, error) {
	var p struct{ InputResponses map[string]json.RawMessage }
	if err := decodeParams(c.params, &p); err != nil {
		return nil, err
	}
	if p.InputResponses == nil {
		return nil, rpcErrorf(codeInvalidParams, "params.inputResponses is missing")
	}
	err := onTask(c, func(t *task) {
		if q := t.question; q != nil && p.InputResponses[q.key] != nil {
			t.answered(q, p.InputResponses[q.key])
		}
	})
	if err != nil {
		return nil, err
	}
	return &empty{}, nil
}

func cancelTask(_ context.Context, c *call) (result, error) {
	if err := onTask(c, func(t *task) { t.stop() }); err != nil {
		return nil, err
	}
	return &empty{}, nil
}

// agreedTasks are those of the ids asked for that there are.
func (c *call) agreedTasks(ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := c.needTasks(); err != nil {
		return nil, err
	}
	var agreed []string
	for _, id := range ids {
		if c.server.tasks.find(id, func(*task) {}) == nil {
			agreed = append(agreed, id)
		}
	}
	return agreed, nil
}

// tellTask sends the state of a task on a listen stream.
func (c *call) tellTask(id string, meta map[string]any) {
	var view *extensionTask
	if c.server.tasks.find(id, func(t *task) { view = extensionView(c.server, t) }) == nil {
		view.Meta = meta
		c.notify("notifications/tasks", view)
	}
}
