package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// TasksExtension is the id of the extension that makes tasks of 2026-07-28; see
// Options.Extensions. In 2025-11-25 tasks are part of the protocol.
const TasksExtension = "io.modelcontextprotocol/tasks"

const metaRelatedTask = "io.modelcontextprotocol/related-task"

// Requests about tasks.
const (
	methodTaskGet    = "tasks/get"
	methodTaskResult = "tasks/result"
	methodTaskUpdate = "tasks/update"
	methodTaskCancel = "tasks/cancel"
)

// The statuses of a task. The last three are final.
const (
	TaskWorking       = "working"
	TaskInputRequired = "input_required"
	TaskCompleted     = "completed"
	TaskFailed        = "failed"
	TaskCancelled     = "cancelled"
)

// Task is work that goes on at the server when the request that began it has
// been answered, as the server told of it last.
type Task struct {
	ID            string
	Status        string // "" when nothing has been heard of it yet
	StatusMessage string
	LastUpdated   string         // as the server spells it
	TTL           *time.Duration // from its creation on; nil is no limit
	PollInterval  time.Duration  // that the server wants; 0 when it did not say
	Raw           json.RawMessage

	// What 2026-07-28 tells with the status; nil elsewhere.
	InputRequests json.RawMessage
	Result        json.RawMessage
	Error         *jsonrpc.Error
}

// Final reports whether the task has ended.
func (t *Task) Final() bool {
	switch t.Status {
	case TaskCompleted, TaskFailed, TaskCancelled:
		return true
	}
	return false
}

// TaskError is a task that ended without a result and without an error of
// JSON-RPC.
type TaskError struct {
	ID      string
	Status  string // TaskFailed or TaskCancelled
	Message string // the server's words, if it had any
}

func (e *TaskError) Error() string {
	s := fmt.Sprintf("task %s: %s", e.ID, e.Status)
	if e.Message != "" {
		s += ": " + shorten(e.Message)
	}
	return s
}

// TaskExpiredError is a task that the server need not keep any more: its time
// to live has passed.
type TaskExpiredError struct {
	ID  string
	TTL time.Duration
	Err error // what the server said; nil if it only told nothing new
}

func (e *TaskExpiredError) Error() string {
	s := fmt.Sprintf("task %s has expired: its ttl of %s has passed", e.ID, e.TTL)
	if e.Err != nil {
		return s + ": " + e.Err.Error()
	}
	return s + " with no news of it"
}

func (e *TaskExpiredError) Unwrap() error { return e.Err }

// TaskMethodError is a request about tasks that the version agreed on does not
// have. It counts as an error answer with the code -32601.
type TaskMethodError struct {
	Method  string
	Version string
}

func (e *TaskMethodError) Error() string {
	return fmt.Sprintf("%s does not exist in %s (%d); nothing was sent", e.Method, e.Version, jsonrpc.CodeMethodNotFound)
}

// parseTask reads the state of a task in the words of either version.
func parseTask(method string, raw json.RawMessage) (*Task, error) {
	var p struct {
		TaskID         string          `json:"taskId"`
		Status         string          `json:"status"`
		StatusMessage  string          `json:"statusMessage"`
		LastUpdatedAt  string          `json:"lastUpdatedAt"`
		TTL            *float64        `json:"ttl"`
		TTLMs          *float64        `json:"ttlMs"`
		PollInterval   *float64        `json:"pollInterval"`
		PollIntervalMs *float64        `json:"pollIntervalMs"`
		InputRequests  json.RawMessage `json:"inputRequests"`
		Result         json.RawMessage `json:"result"`
		Error          *struct {
			Code    int64           `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		} `json:"error"`
	}
	bad := func(reason string, err error) error {
		return &ProtocolError{Method: method, Reason: reason, Err: err}
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, bad("the task is malformed", err)
	}
	t := &Task{
		ID: p.TaskID, Status: p.Status, StatusMessage: p.StatusMessage, LastUpdated: p.LastUpdatedAt, Raw: raw,
		InputRequests: p.InputRequests, Result: p.Result,
	}
	switch {
	case t.ID == "":
		return nil, bad("the task has no taskId", nil)
	case !t.Final() && t.Status != TaskWorking && t.Status != TaskInputRequired:
		return nil, bad(fmt.Sprintf("the task has the unknown status %q", t.Status), nil)
	}
	for _, ttl := range []*float64{p.TTL, p.TTLMs} {
		if ttl != nil {
			d := milliseconds(*ttl)
			t.TTL = &d
		}
	}
	for _, interval := range []*float64{p.PollInterval, p.PollIntervalMs} {
		if interval != nil {
			t.PollInterval = milliseconds(*interval)
		}
	}
	if p.Error != nil {
		t.Error = &jsonrpc.Error{Code: p.Error.Code, Message: p.Error.Message, Data: p.Error.Data}
	}
	if bytes.Equal(t.Result, []byte("null")) {
		t.Result = nil
	}
	return t, nil
}

// milliseconds is that time, as far as it can be told.
func milliseconds(ms float64) time.Duration {
	return time.Duration(min(max(ms, 0), math.MaxInt64/1e7) * 1e6)
}

// GetTask asks for the state of a task. The result is the server's answer.
func (c *Client) GetTask(ctx context.Context, id string) (*Task, *Result, error) {
	res, err := c.Do(ctx, taskRequest(methodTaskGet, id))
	if err != nil {
		return nil, nil, err
	}
	t, err := parseTask(methodTaskGet, res.Raw)
	if err == nil && t.ID != id {
		err = &ProtocolError{Method: methodTaskGet, Reason: fmt.Sprintf("it is about another task, %.60q", t.ID)}
	}
	return t, res, err
}

// CancelTask asks the server to end a task. The server may do so later, or not
// at all. What it answers is the task in 2025-11-25, and nothing in 2026-07-28.
func (c *Client) CancelTask(ctx context.Context, id string) (*Result, error) {
	return c.Do(ctx, taskRequest(methodTaskCancel, id))
}

// UpdateTask gives a task the input that it requires: a JSON object with the
// answers under the keys of the requests. There is no such thing in 2025-11-25,
// where a server asks while it is waited for: then it is a *TaskMethodError.
func (c *Client) UpdateTask(ctx context.Context, id string, responses json.RawMessage) (*Result, error) {
	s, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	if s.era.features().serverRequests {
		return nil, &TaskMethodError{Method: methodTaskUpdate, Version: s.era.version()}
	}
	return c.Do(ctx, updateRequest(id, responses))
}

func updateRequest(id string, responses json.RawMessage) *Request {
	r := taskRequest(methodTaskUpdate, id)
	r.Params = rawjson.Object{}.Set("taskId", rawjson.Quote(id)).Set("inputResponses", responses).Raw()
	return r
}

func taskRequest(method, id string) *Request {
	return &Request{Method: method, Params: rawjson.Object{}.Set("taskId", rawjson.Quote(id)).Raw()}
}
