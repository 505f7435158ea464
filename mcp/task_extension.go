package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"mcpq/internal/rawjson"
)

// extensionTasks are those of 2026-07-28 (the tasks extension): everything is in
// the state of the task, results and questions as well.
type extensionTasks struct{}

func (extensionTasks) complete(t *Task) bool {
	switch t.Status {
	case TaskCompleted:
		return t.Result != nil
	case TaskFailed:
		return t.Error != nil
	case TaskInputRequired:
		return t.InputRequests != nil
	}
	return t.Status != ""
}

func (extensionTasks) told() bool { return true }

// settle reads the result out of the state, and answers what the task asks for.
func (extensionTasks) settle(ctx context.Context, w *taskWait) (*Result, error) {
	t := w.task
	switch t.Status {
	case TaskCompleted:
		return w.inlineResult()
	case TaskFailed:
		if t.Error != nil {
			return nil, &RPCError{Method: "tools/call", Err: t.Error}
		}
		return nil, &TaskError{ID: t.ID, Status: t.Status, Message: t.StatusMessage}
	case TaskCancelled:
		return nil, &TaskError{ID: t.ID, Status: t.Status, Message: t.StatusMessage}
	case TaskInputRequired:
		return nil, w.answer(ctx)
	}
	return nil, nil
}

// inlineResult is what tools/call would have returned.
func (w *taskWait) inlineResult() (*Result, error) {
	object, err := rawjson.ParseObject(w.task.Result)
	if err != nil {
		return nil, &ProtocolError{Method: methodTaskGet, Reason: "the result of the task is not an object", Err: err}
	}
	res := &Result{Raw: object.Raw()}
	if kind := res.Member("resultType"); kind != nil && string(kind) != `"`+resultComplete+`"` {
		return nil, unknownResultType(methodTaskGet, string(kind))
	}
	return res, nil
}

// answered is the answer to one input request of a task.
type answered struct {
	raw  json.RawMessage
	sent bool // and taken by the server, which may repeat the request all the same
}

// answer gives the server what it asks for, each key once.
func (w *taskWait) answer(ctx context.Context) error {
	requests, err := rawjson.ParseObject(w.task.InputRequests)
	if err != nil {
		return &ProtocolError{Method: methodTaskGet, Reason: "inputRequests is not an object", Err: err}
	}
	fresh := rawjson.Object{}
	responses := rawjson.Object{}
	for _, m := range requests {
		switch a := w.answers[m.Key]; {
		case a == nil:
			fresh = fresh.Set(m.Key, m.Value)
		case !a.sent: // the server may not have got it
			responses = responses.Set(m.Key, a.raw)
		}
	}
	if len(fresh) > 0 {
		s, err := w.client.current(ctx)
		if err != nil {
			return err
		}
		raw, _, err := w.client.inputs(ctx, s, methodTaskGet, fresh)
		if err != nil {
			return err
		}
		given, err := rawjson.ParseObject(raw)
		if err != nil {
			return err
		}
		for _, m := range given {
			w.answers[m.Key] = &answered{raw: m.Value}
			responses = responses.Set(m.Key, m.Value)
		}
	}
	if len(responses) == 0 {
		return nil
	}
	if _, err := w.client.Do(ctx, updateRequest(w.id, responses.Raw())); err != nil {
		return w.unanswered(ctx, err)
	}
	w.lost = 0
	for _, m := range responses {
		w.answers[m.Key].sent = true
	}
	wake(w.wake)
	return nil
}

// unanswered judges an answer that did not get through. It may be wanted no more;
// if it still is, the next poll says so.
func (w *taskWait) unanswered(ctx context.Context, err error) error {
	var rpc *RPCError
	if !errors.As(err, &rpc) {
		return w.away(ctx, err)
	}
	if pollErr := w.poll(ctx); pollErr != nil || w.task.Status == TaskInputRequired {
		return err
	}
	w.fresh = true
	return nil
}
