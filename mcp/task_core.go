package mcp

import (
	"context"
	"errors"
	"io"

	"mcpq/internal/rawjson"
)

// coreTasks are those of 2025-11-25 (basic/utilities/tasks): the result is had
// by a request of its own, and questions come as requests of the server while
// that one is open.
type coreTasks struct{}

func (coreTasks) complete(t *Task) bool { return t.Status != "" }

// told: notifications must not be relied on.
func (coreTasks) told() bool { return false }

// settle gets the result of a task that has ended. For one that requires input
// it opens the request that brings the questions, which waits for the end too.
func (coreTasks) settle(ctx context.Context, w *taskWait) (*Result, error) {
	switch {
	case w.task.Status == TaskCancelled:
		return nil, &TaskError{ID: w.id, Status: TaskCancelled, Message: w.task.StatusMessage}
	case w.task.Final():
		return w.result(ctx)
	case w.task.Status == TaskInputRequired:
		return w.resultAfterInput(ctx)
	}
	return nil, nil
}

// result is what the request that made the task would have been answered with.
func (w *taskWait) result(ctx context.Context) (*Result, error) {
	r := taskRequest(methodTaskResult, w.id)
	// It is answered when the task has ended, however long that takes.
	r.Timeout, r.Keep = -1, w.on.Keep
	begun := &begunWriter{w: w.on.Stream}
	if w.on.Stream != nil {
		r.Stream = begun
	}
	for {
		res, err := w.client.Do(ctx, r)
		if err == nil || begun.yes {
			return res, err
		}
		if err := w.away(ctx, err); err != nil {
			return nil, err
		}
	}
}

// begunWriter remembers that something was written: it cannot be taken back.
type begunWriter struct {
	w   io.Writer
	yes bool
}

func (b *begunWriter) Write(p []byte) (int, error) {
	b.yes = true
	return b.w.Write(p)
}

// resultAfterInput waits with the request for the result. If that fails while
// the task goes on, polling does too.
func (w *taskWait) resultAfterInput(ctx context.Context) (*Result, error) {
	res, err := w.result(ctx)
	var rpc *RPCError
	if err == nil || !errors.As(err, &rpc) {
		return res, err
	}
	t, _, getErr := w.client.GetTask(ctx, w.id)
	if getErr != nil {
		return nil, err
	}
	w.take(t)
	switch {
	case t.Status == TaskCancelled:
		return nil, &TaskError{ID: t.ID, Status: TaskCancelled, Message: t.StatusMessage}
	case t.Final():
		return nil, err
	}
	return nil, nil
}

// relatedTask is the metadata that says which task a message belongs to; nil if
// there is none.
func relatedTask(params []byte) []byte {
	object, err := rawjson.ParseObject(params)
	if err != nil {
		return nil
	}
	raw, _ := object.Get("_meta")
	meta, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil
	}
	related, _ := meta.Get(metaRelatedTask)
	return related
}

// relate marks a result as one that belongs to a task.
func relate(result, related []byte) []byte {
	marked, err := setMeta(result, rawjson.Object{}.Set(metaRelatedTask, related))
	if err != nil { // results are objects
		return result
	}
	return marked
}
