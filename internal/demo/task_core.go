package demo

import (
	"context"
	"encoding/json"
	"time"
)

// metaRelatedTask marks the messages of a task of 2025-11-25.
const metaRelatedTask = "io.modelcontextprotocol/related-task"

// coreTask is a task in the words of 2025-11-25.
type coreTask struct {
	envelope
	ID            string `json:"taskId"`
	Status        string `json:"status"`
	StatusMessage string `json:"statusMessage,omitempty"`
	Created       string `json:"createdAt"`
	Updated       string `json:"lastUpdatedAt"`
	Keep          int64  `json:"ttl"`
	Poll          int64  `json:"pollInterval"`
}

type coreCreated struct {
	envelope
	Task *coreTask `json:"task"`
}

type coreList struct {
	envelope
	Tasks []*coreTask `json:"tasks"`
	Next  string      `json:"nextCursor,omitempty"`
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// coreView shows a task as it is. Its store is locked.
func coreView(t *task) *coreTask {
	return &coreTask{ID: t.id, Status: t.status, StatusMessage: t.message, Created: stamp(t.created), Updated: stamp(t.updated),
		Keep: t.ttl.Milliseconds(), Poll: taskPoll.Milliseconds()}
}

// coreTaskHandler finds the handler of a method about tasks.
func coreTaskHandler(method string) handler {
	switch method {
	case "tasks/list":
		return listTasks
	case "tasks/get":
		return func(_ context.Context, c *call) (result, error) { return c.coreTask(func(*task) error { return nil }) }
	case "tasks/cancel":
		return func(_ context.Context, c *call) (result, error) {
			return c.coreTask(func(t *task) error {
				if !t.stop() {
					return rpcErrorf(codeInvalidParams, "the task has ended already: it is %s", t.status)
				}
				return nil
			})
		}
	case "tasks/result":
		return taskResult
	}
	return nil
}

func taskID(c *call) (string, error) {
	var p struct{ TaskID *string }
	if err := decodeParams(c.params, &p); err != nil {
		return "", err
	}
	if p.TaskID == nil {
		return "", rpcErrorf(codeInvalidParams, "params.taskId is missing")
	}
	return *p.TaskID, nil
}

// coreTask does something with a task of the session and shows it.
func (c *call) coreTask(do func(*task) error) (result, error) {
	id, err := taskID(c)
	if err != nil {
		return nil, err
	}
	var view *coreTask
	found := c.session.tasks.find(id, func(t *task) {
		if err = do(t); err == nil {
			view = coreView(t)
		}
	})
	if found != nil {
		err = found
	}
	if err != nil {
		return nil, err
	}
	return view, nil
}

func listTasks(_ context.Context, c *call) (result, error) {
	s := &c.session.tasks
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld(time.Now())
	items, next, err := page(c, "tasks", s.all)
	if err != nil {
		return nil, err
	}
	list := &coreList{Tasks: []*coreTask{}, Next: next}
	for _, t := range items {
		list.Tasks = append(list.Tasks, coreView(t))
	}
	return list, nil
}

// taskResult waits for the end of a task and puts its questions meanwhile.
func taskResult(ctx context.Context, c *call) (result, error) {
	id, err := taskID(c)
	if err != nil {
		return nil, err
	}
	var t *task
	if err := c.session.tasks.find(id, func(found *task) { t = found }); err != nil {
		return nil, err
	}
	related := map[string]any{metaRelatedTask: map[string]string{"taskId": t.id}}
	for {
		c.session.tasks.mu.Lock()
		final, changed, q := t.final(), t.changed, t.question
		if q != nil && !q.taken {
			q.taken = true
		} else {
			q = nil
		}
		res, failure := t.result, t.err
		if t.status == taskCancelled {
			failure = rpcErrorf(codeInvalidRequest, "the task was cancelled")
		}
		c.session.tasks.mu.Unlock()
		switch {
		case final && failure != nil:
			return nil, failure
		case final:
			shown := *res.(*toolResult)
			shown.Meta = related
			return &shown, nil
		case q != nil:
			if err := c.put(ctx, t, q, related); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// put asks the client a question of a task. A client that cannot answer
// dismisses it.
func (c *call) put(ctx context.Context, t *task, q *openQuestion, related map[string]any) error {
	params := map[string]any{"_meta": related}
	for k, v := range q.params.(map[string]any) {
		params[k] = v
	}
	answer, err := c.session.ask(ctx, c.send, q.method, params)
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if ctx.Err() != nil {
		q.taken = false // another request may put it again
		return ctx.Err()
	}
	var meta struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err == nil && (json.Unmarshal(answer, &meta) != nil || meta.Meta[metaRelatedTask] == nil) {
		t.answered(q, json.RawMessage(`{"action":"the answer does not name its task"}`))
		return nil
	}
	if err != nil {
		answer = json.RawMessage(`{"action":"cancel"}`)
	}
	t.answered(q, answer)
	return nil
}

// tellTasks sends the state of each task that changes, until the session ends.
func (s *session) tellTasks(box *mailbox) {
	for {
		select {
		case <-s.alive.Done():
			return
		case <-box.wake:
		}
		for _, id := range box.take() {
			var view *coreTask
			if s.tasks.find(id, func(t *task) { view = coreView(t) }) == nil {
				s.push(newNotification("notifications/tasks/status", view))
			}
		}
	}
}
