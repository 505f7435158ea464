package mcp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpq/internal/rawjson"
)

// TaskOptions ask for a task in place of a result, where the client is the one
// to decide that: in 2025-11-25.
type TaskOptions struct {
	TTL time.Duration // how long the server is to keep it; 0 leaves that to it
}

func (o *TaskOptions) params() json.RawMessage {
	params := rawjson.Object{}
	if o.TTL > 0 {
		params = params.Set("ttl", json.RawMessage(strconv.FormatInt(max(o.TTL.Milliseconds(), 1), 10)))
	}
	return params.Raw()
}

// TaskSupport is when the call of a tool becomes a task.
type TaskSupport int

// The ways in which tools support tasks.
const (
	TaskNever    TaskSupport = iota
	TaskIfAsked              // Call.Task may ask for one
	TaskRequired             // Call.Task has to
	TaskByServer             // the server alone decides
)

// TaskSupport tells when a call of the tool becomes a task.
func (c *Client) TaskSupport(t *Tool) TaskSupport {
	s := c.session.Load()
	switch {
	case s.era.features().taskExtension:
		if slices.Contains(c.options.Extensions, TasksExtension) {
			return TaskByServer
		}
		return TaskNever
	case s.taskCallLacking() != nil || t == nil:
		return TaskNever
	}
	var execution struct {
		TaskSupport string `json:"taskSupport"`
	}
	if json.Unmarshal(t.Execution, &execution) == nil {
		switch execution.TaskSupport {
		case "optional":
			return TaskIfAsked
		case "required":
			return TaskRequired
		}
	}
	return TaskNever
}

// taskCallLacking is what a server had to declare for calls that ask for a
// task, and did not.
func (s *session) taskCallLacking() error {
	path := []string{"tasks", "requests", "tools", "call"}
	if s.era.features().taskRequests && s.info.Has(path...) {
		return nil
	}
	return &CapabilityError{Method: "tools/call", Capability: joinPath(path)}
}

// created finds the task that took the place of a result.
func (c *Client) created(r *Request, kind string, res *Result) (bool, error) {
	raw := res.Raw
	switch {
	case kind == resultTask:
		if r.Method != "tools/call" || !slices.Contains(c.options.Extensions, TasksExtension) {
			return false, nil
		}
		if res.Streamed {
			return false, &ProtocolError{Method: r.Method, Reason: "it makes a task of unbearable length"}
		}
		if wrapped := res.Member("task"); wrapped != nil && res.Member("taskId") == nil {
			raw = wrapped // so the words of the extension have it, not its schema
		}
	case r.task && kind == resultComplete && !res.Streamed:
		// A server that does not heed the wish gives the result itself.
		if raw = res.Member("task"); raw == nil {
			return false, nil
		}
	default:
		return false, nil
	}
	t, err := parseTask(r.Method, raw)
	c.sawTask.Store(true)
	if r.task && err == nil {
		c.taskTokens.Store(t.ID, res.token)
	} else {
		c.watching.Delete(res.token)
	}
	res.Task = t
	return err == nil, err
}

// makesTasks reports whether r is about tasks of the extension, and the server
// makes some, whatever it has declared.
func (c *Client) makesTasks(s *session, r *Request) bool {
	return s.era.features().taskExtension && c.sawTask.Load() && strings.HasPrefix(r.Method, "tasks/")
}

// forgetToken ends the progress of a request that became a task.
func (c *Client) forgetToken(id string) {
	if token, ok := c.taskTokens.LoadAndDelete(id); ok {
		c.watching.Delete(token)
	}
}
