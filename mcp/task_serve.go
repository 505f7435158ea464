package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"mcpq/mcp/jsonrpc"
)

// What is kept of the tasks that a server asks for.
const (
	maxServed       = 100
	servedTTL       = 10 * time.Minute // where the server names none
	longestServed   = time.Hour
	servedInterval  = 500 * time.Millisecond
	servedCancelled = "Task was cancelled"

	// servedPatience is how long handlers that do not heed their context are
	// waited for in the end.
	servedPatience = time.Second
)

// servedTasks are the tasks of the client: requests of the server for sampling
// or elicitation that it wants to come back to (2025-11-25,
// basic/utilities/tasks, with the roles exchanged).
type servedTasks struct {
	work sync.WaitGroup

	mu     sync.Mutex
	closed bool
	all    []*servedTask // oldest first
}

// servedTask is one of them.
type servedTask struct {
	id      string
	created time.Time
	ttl     time.Duration
	cancel  context.CancelFunc
	ended   chan struct{} // closed with a final status

	// Guarded by servedTasks.mu; result and err stay once ended is closed.
	status  string
	updated time.Time
	result  json.RawMessage
	err     *jsonrpc.Error
}

// wireTask is a task as this client tells of it.
type wireTask struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`
	TTL           int64  `json:"ttl"`
	PollInterval  int64  `json:"pollInterval"`
}

func (t *servedTask) wire() wireTask {
	return wireTask{
		TaskID: t.id, Status: t.status,
		CreatedAt: t.created.UTC().Format(time.RFC3339Nano), LastUpdatedAt: t.updated.UTC().Format(time.RFC3339Nano),
		TTL: t.ttl.Milliseconds(), PollInterval: servedInterval.Milliseconds(),
	}
}

func (t *servedTask) final() bool { return t.status != TaskWorking }

// serve answers a request of the server: as a task where it wants one and that
// was declared, or about one.
func (c *Client) serve(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	f := featuresOf(LatestStateful)
	if s := c.session.Load(); s != nil {
		f = s.era.features()
	}
	if !f.taskRequests {
		return c.asked(ctx, m)
	}
	if c.options.Handlers.servesTasks() {
		switch m.Method {
		case methodSample, methodElicit:
			var p struct {
				Task *struct {
					TTL *float64 `json:"ttl"`
				} `json:"task"`
			}
			if json.Unmarshal(m.Params, &p) == nil && p.Task != nil {
				return c.served.begin(c, m, p.Task.TTL)
			}
		case methodTaskGet, methodTaskResult, methodTaskCancel, string(ListTasks):
			return c.served.answer(ctx, m)
		}
	}
	result, err := c.asked(ctx, m)
	if related := relatedTask(m.Params); err == nil && related != nil {
		result = relate(result, related)
	}
	return result, err
}

// begin makes a task of a request and answers with it.
func (s *servedTasks) begin(c *Client, m *jsonrpc.Message, ttl *float64) (json.RawMessage, *jsonrpc.Error) {
	now := time.Now()
	ctx, cancel := context.WithCancel(context.Background()) // it outlives its request
	t := &servedTask{
		id: rand.Text(), created: now, updated: now, ttl: servedTTL, status: TaskWorking,
		cancel: cancel, ended: make(chan struct{}),
	}
	if ttl != nil && *ttl > 0 {
		t.ttl = min(milliseconds(*ttl), longestServed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld(now)
	if s.closed || len(s.all) >= maxServed {
		cancel()
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Too many tasks"}
	}
	s.all = append(s.all, t)
	request := *m
	request.Params = slices.Clone(m.Params)
	s.work.Go(func() {
		defer cancel()
		result, err := c.asked(ctx, &request)
		s.end(t, result, err)
	})
	return encodeServed(map[string]wireTask{"task": t.wire()})
}

// end keeps what a task came to, unless it was cancelled before.
func (s *servedTasks) end(t *servedTask, result json.RawMessage, err *jsonrpc.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.final() {
		return
	}
	t.status, t.result, t.err = TaskCompleted, result, err
	if err != nil {
		t.status = TaskFailed
	}
	t.updated = time.Now()
	close(t.ended)
}

// answer answers a request about tasks.
func (s *servedTasks) answer(ctx context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
	var p struct {
		TaskID string  `json:"taskId"`
		Cursor *string `json:"cursor"`
	}
	if m.Params != nil && json.Unmarshal(m.Params, &p) != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params are not those of " + m.Method}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld(time.Now())
	if m.Method == string(ListTasks) {
		if p.Cursor != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid cursor"}
		}
		all := []wireTask{}
		for _, t := range s.all {
			all = append(all, t.wire())
		}
		return encodeServed(map[string][]wireTask{"tasks": all})
	}
	i := slices.IndexFunc(s.all, func(t *servedTask) bool { return t.id == p.TaskID })
	if i < 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Task not found"}
	}
	t := s.all[i]
	switch m.Method {
	case methodTaskCancel:
		if t.final() {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Task has already ended: " + t.status}
		}
		t.status, t.updated = TaskCancelled, time.Now()
		t.err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: servedCancelled}
		t.cancel()
		close(t.ended)
	case methodTaskResult:
		return s.outcome(ctx, t)
	}
	return encodeServed(t.wire())
}

// outcome waits for the end of a task, without the lock meanwhile.
func (s *servedTasks) outcome(ctx context.Context, t *servedTask) (json.RawMessage, *jsonrpc.Error) {
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-t.ended:
	case <-ctx.Done():
		return nil, jsonrpc.NoAnswer
	}
	if t.err != nil {
		return nil, t.err
	}
	related, err := encodeServed(map[string]string{"taskId": t.id})
	if err != nil {
		return nil, err
	}
	return relate(t.result, related), nil
}

// forgetOld drops the tasks whose time to live has passed.
func (s *servedTasks) forgetOld(now time.Time) {
	s.all = slices.DeleteFunc(s.all, func(t *servedTask) bool {
		old := now.Sub(t.created) > t.ttl
		if old {
			t.cancel()
		}
		return old
	})
}

// close ends all tasks and waits for their handlers.
func (s *servedTasks) close() {
	s.mu.Lock()
	s.closed = true
	for _, t := range s.all {
		t.cancel()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	stuck := time.NewTimer(servedPatience)
	defer stuck.Stop()
	select {
	case <-done:
	case <-stuck.C:
	}
}

func encodeServed(v any) (json.RawMessage, *jsonrpc.Error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return raw, nil
}

// servesTasks reports whether requests of a server may become tasks.
func (h *Handlers) servesTasks() bool {
	return h.Tasks && (h.Sample != nil || h.Elicit != nil || h.ElicitURL != nil)
}

// taskCapability declares which of them may.
func (h *Handlers) taskCapability() string {
	requests := ""
	if h.Sample != nil {
		requests = `"sampling":{"createMessage":{}}`
	}
	if h.Elicit != nil || h.ElicitURL != nil {
		if requests != "" {
			requests += ","
		}
		requests += `"elicitation":{"create":{}}`
	}
	return `"tasks":{"list":{},"cancel":{},"requests":{` + requests + `}}`
}
