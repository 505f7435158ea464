package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpq/internal/demo"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// job calls the demo server's tool for long work.
func job(t *testing.T, c *Client, arguments string) *Task {
	t.Helper()
	tool, err := c.Tool(context.Background(), "job")
	if err != nil {
		t.Fatal(err)
	}
	call := &Call{Name: "job", Arguments: json.RawMessage(arguments), Tool: tool}
	switch support := c.TaskSupport(tool); support {
	case TaskIfAsked:
		call.Task = &TaskOptions{TTL: time.Hour}
	case TaskByServer:
	default:
		t.Fatalf("the tool supports tasks: %v", support)
	}
	res, err := c.CallTool(context.Background(), call)
	if err != nil || res.Task == nil {
		t.Fatalf("no task: %s, %v", raw(res), err)
	}
	return res.Task
}

// TestTaskMatrix does what there is to do with tasks in both generations, over
// both transports, against the demo server. Every message sent fits the schema.
func TestTaskMatrix(t *testing.T) {
	for name, dial := range map[string]func(*testing.T, *matrixServer) transport.Dialer{"stdio": dialStream, "http": dialHTTP} {
		for _, version := range []string{Version20251125, Version20260728} {
			t.Run(version+"/"+name, func(t *testing.T) {
				var wire recorder
				var mu sync.Mutex
				var progress []json.Number
				c, err := Connect(context.Background(), dial(t, demoServer(t)), Options{
					Version: version, Extensions: []string{TasksExtension}, Trace: wire.event,
					Handlers: Handlers{
						Tasks: true,
						Elicit: func(context.Context, json.RawMessage) (json.RawMessage, error) {
							return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
						},
						Progress: func(p Progress) {
							mu.Lock()
							defer mu.Unlock()
							progress = append(progress, p.Progress)
						},
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				checkTasks(t, c)
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if version == Version20251125 && len(progress) == 0 {
					t.Error("no progress came after the answer that made the task")
				}
				checkWire(t, version, wire.lines.String())
			})
		}
	}
}

func checkTasks(t *testing.T, c *Client) {
	ctx := context.Background()
	var states []string
	wait := func(task *Task) (*Result, error) {
		states = nil
		return c.WaitTask(ctx, task, TaskWait{Changed: func(t Task) { states = append(states, t.Status) }})
	}
	res, err := wait(job(t, c, `{"seconds":0.5,"ask":"yes"}`))
	if err != nil || !strings.Contains(string(res.Raw), "Hello, Ada") {
		t.Errorf("asking: %s, %v", raw(res), err)
	}
	if all := strings.Join(states, " "); !strings.HasPrefix(all, "working ") {
		t.Errorf("states: %s", all)
	}
	if res, err = wait(job(t, c, `{"seconds":0,"fail":"tool"}`)); err != nil || !res.IsError() {
		t.Errorf("a tool that fails: %s, %v", raw(res), err)
	}
	var rpc *RPCError
	if _, err = wait(job(t, c, `{"seconds":0,"fail":"rpc"}`)); !errors.As(err, &rpc) || rpc.Err.Code != -32603 {
		t.Errorf("an error: %v", err)
	}
	// Another one waits for it by its id alone, while it is cancelled.
	task := job(t, c, `{"seconds":3600}`)
	waited := make(chan error, 1)
	go func() {
		_, err := c.WaitTask(ctx, &Task{ID: task.ID}, TaskWait{})
		waited <- err
	}()
	if _, err := c.CancelTask(ctx, task.ID); err != nil {
		t.Error(err)
	}
	var ended *TaskError
	if err := <-waited; !errors.As(err, &ended) || ended.Status != TaskCancelled {
		t.Errorf("cancelled: %v", err)
	}
	// One that is given up goes on.
	task = job(t, c, `{"seconds":3600}`)
	stopping, stop := context.WithCancelCause(ctx)
	_, err = c.WaitTask(stopping, task, TaskWait{Changed: func(Task) { stop(errStop) }})
	if now, _, getErr := c.GetTask(ctx, task.ID); err != errStop || getErr != nil || now.Status != TaskWorking {
		t.Errorf("given up: %v, %v", err, getErr)
	}
	listed := 0
	for page, err := range c.Pages(ctx, ListTasks, nil) {
		var missing *TaskMethodError
		switch {
		case errors.As(err, &missing) && c.Info().Era == Stateless:
			listed = 5
		case err != nil:
			t.Fatal(err)
		default:
			listed += len(page.Items())
		}
	}
	if listed != 5 {
		t.Errorf("%d tasks are listed, want 5", listed)
	}
}

// A server over HTTP that is gone for a while, and one that comes back without
// the session, or without the task.
func TestTaskRestart(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		t.Run(version, func(t *testing.T) {
			var mu sync.Mutex
			down := 0 // requests that are not answered
			s := demo.New(demo.Options{})
			t.Cleanup(func() { _ = s.Close() })
			replace := func(with *demo.Server) {
				mu.Lock()
				defer mu.Unlock()
				s = with
			}
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				broken, now := down > 0 && r.Method == http.MethodPost, s
				if broken {
					down--
				}
				mu.Unlock()
				if broken {
					panic(http.ErrAbortHandler)
				}
				now.Handler().ServeHTTP(w, r)
			}))
			t.Cleanup(h.Close)
			c, err := Connect(context.Background(), transport.HTTP{URL: h.URL}, Options{Version: version, Extensions: []string{TasksExtension}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close(context.Background()) }()
			lost := 0
			task := job(t, c, `{"seconds":1}`)
			mu.Lock()
			down = 2
			mu.Unlock()
			res, err := c.WaitTask(context.Background(), task, TaskWait{Lost: func(error) { lost++ }})
			if err != nil || !strings.Contains(string(res.Raw), "worked 1s") || lost == 0 {
				t.Errorf("%s, %v; lost %d times", raw(res), err, lost)
			}
			// The tasks of this one are in its memory.
			task = job(t, c, `{"seconds":3600}`)
			fresh := demo.New(demo.Options{})
			t.Cleanup(func() { _ = fresh.Close() })
			old := s
			replace(fresh)
			_ = old.Close()
			_, err = c.WaitTask(context.Background(), task, TaskWait{})
			var rpc *RPCError
			if !errors.As(err, &rpc) || rpc.Err.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("got %T: %v", err, err)
			}
		})
	}
}

// A server that goes away while the request for the result brings questions:
// that request is made again.
func TestTaskRestartUnderInput(t *testing.T) {
	asked := make(chan struct{}, 8)
	var mu sync.Mutex
	broken := 0
	s := demo.New(demo.Options{})
	t.Cleanup(func() { _ = s.Close() })
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		if strings.Contains(string(body), `"`+methodTaskResult+`"`) {
			mu.Lock()
			first := broken == 0
			broken++
			mu.Unlock()
			asked <- struct{}{}
			if first {
				panic(http.ErrAbortHandler)
			}
		}
		s.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	c, err := Connect(context.Background(), transport.HTTP{URL: h.URL}, Options{
		Version: Version20251125,
		Handlers: Handlers{Elicit: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	res, err := c.WaitTask(context.Background(), job(t, c, `{"seconds":0,"ask":"yes"}`), TaskWait{})
	if err != nil || !strings.Contains(string(res.Raw), "Hello, Ada") || len(asked) != 2 {
		t.Errorf("%s, %v; asked %d times", raw(res), err, len(asked))
	}
}

// Two tasks at once, in a session that has one stream for what is told.
func TestTasksTogether(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		c, err := Connect(context.Background(), dialHTTP(t, demoServer(t)), Options{Version: version, Extensions: []string{TasksExtension}})
		if err != nil {
			t.Fatal(err)
		}
		var waits sync.WaitGroup
		for range 8 {
			task := job(t, c, `{"seconds":0.3}`)
			waits.Go(func() {
				res, err := c.WaitTask(context.Background(), task, TaskWait{})
				if err != nil || !strings.Contains(string(res.Raw), "worked 300ms") {
					t.Errorf("%s: %s, %v", version, raw(res), err)
				}
			})
		}
		waits.Wait()
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
