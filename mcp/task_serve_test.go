package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"mcpq/mcp/jsonrpc"
)

// served is a client whose server asks for tasks.
type served struct {
	t *testing.T
	c *Client
}

func newServed(t *testing.T, h Handlers) *served {
	h.Tasks = true
	c := &Client{options: Options{Handlers: h}}
	c.session.Store(&session{era: newStateful(Version20251125), info: &ServerInfo{}})
	return &served{t, c}
}

// ask makes a request of the server. Results fit the definition of the schema.
func (s *served) ask(ctx context.Context, method, params, def string) (json.RawMessage, *jsonrpc.Error) {
	s.t.Helper()
	raw, err := s.c.serve(ctx, &jsonrpc.Message{ID: "1", Method: method, Params: json.RawMessage(params)})
	if err == nil && schemas() != nil {
		schemas()[Version20251125].check(s.t, def, raw)
	}
	return raw, err
}

// create asks for a task and gives its id.
func (s *served) create(method, params string) string {
	s.t.Helper()
	raw, err := s.ask(context.Background(), method, params, "CreateTaskResult")
	if err != nil {
		s.t.Fatal(err)
	}
	var made struct {
		Task struct{ TaskID, Status string }
	}
	if err := json.Unmarshal(raw, &made); err != nil || made.Task.TaskID == "" || made.Task.Status != TaskWorking {
		s.t.Fatalf("%s, %v", raw, err)
	}
	return made.Task.TaskID
}

const (
	askForm   = `{"message":"How many?","requestedSchema":{"type":"object","properties":{}},"task":{"ttl":60000}}`
	askSample = `{"messages":[],"maxTokens":1,"task":{}}`
)

func (s *served) status(id string) string {
	s.t.Helper()
	raw, err := s.ask(context.Background(), methodTaskGet, fmt.Sprintf(`{"taskId":%q}`, id), "GetTaskResult")
	if err != nil {
		return err.Message
	}
	var state struct{ Status string }
	if err := json.Unmarshal(raw, &state); err != nil {
		s.t.Fatal(err)
	}
	return state.Status
}

// Requests of the server that become tasks: answered at once, waited for,
// failing, cancelled, forgotten.
func TestServedTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		gone := make(chan struct{}, 1)
		s := newServed(t, Handlers{
			Elicit: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				select {
				case <-time.After(30 * time.Second):
					return json.RawMessage(`{"action":"accept","content":{"n":1.0}}`), nil
				case <-ctx.Done():
					gone <- struct{}{}
					return nil, ctx.Err()
				}
			},
			Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return nil, &RefusedError{Reason: "no"}
			},
		})
		id := s.create(methodElicit, askForm)
		if got := s.status(id); got != TaskWorking {
			t.Errorf("it is %s", got)
		}
		raw, err := s.ask(ctx, methodTaskResult, fmt.Sprintf(`{"taskId":%q}`, id), "ElicitResult") // which waits
		want := fmt.Sprintf(`{"action":"accept","content":{"n":1.0},"_meta":{%q:{"taskId":%q}}}`, metaRelatedTask, id)
		if err != nil || string(raw) != want || s.status(id) != TaskCompleted {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}

		refused := s.create(methodSample, askSample)
		_, err = s.ask(ctx, methodTaskResult, fmt.Sprintf(`{"taskId":%q}`, refused), "")
		if err == nil || err.Code != codeRefused || s.status(refused) != TaskFailed {
			t.Errorf("refused: %v", err)
		}

		raw, err = s.ask(ctx, "tasks/list", `{}`, "ListTasksResult")
		var list struct{ Tasks []json.RawMessage }
		if err != nil || json.Unmarshal(raw, &list) != nil || len(list.Tasks) != 2 {
			t.Errorf("list: %s, %v", raw, err)
		}

		cancelled := s.create(methodElicit, askForm)
		cancel := fmt.Sprintf(`{"taskId":%q}`, cancelled)
		if _, err := s.ask(ctx, methodTaskCancel, cancel, "CancelTaskResult"); err != nil || s.status(cancelled) != TaskCancelled {
			t.Errorf("cancel: %v", err)
		}
		<-gone
		if _, err := s.ask(ctx, methodTaskCancel, cancel, ""); err == nil || err.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("cancel again: %v", err)
		}
		if _, err := s.ask(ctx, methodTaskResult, cancel, ""); err == nil || err.Message != servedCancelled {
			t.Errorf("result: %v", err)
		}

		time.Sleep(2 * time.Minute)
		if got := s.status(id); got != "Task not found" {
			t.Errorf("after its ttl it is %s", got)
		}

		// What is still at work ends with the client.
		s.create(methodElicit, askForm)
		s.c.served.close()
		<-gone
		if _, err := s.ask(ctx, methodElicit, askForm, ""); err == nil {
			t.Error("a task was begun after the end")
		}
	})
}

// A client that did not declare tasks answers as if none were asked for.
func TestServedTasksUndeclared(t *testing.T) {
	s := newServed(t, Handlers{
		Elicit: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"action":"decline"}`), nil
		},
	})
	s.c.options.Handlers.Tasks = false
	raw, err := s.ask(context.Background(), methodElicit, askForm, "ElicitResult")
	if err != nil || string(raw) != `{"action":"decline"}` {
		t.Errorf("got %s, %v", raw, err)
	}
	if _, err := s.ask(context.Background(), methodTaskGet, `{"taskId":"x"}`, ""); err == nil || err.Code != jsonrpc.CodeMethodNotFound {
		t.Errorf("got %v", err)
	}
}

// There is an end to how many tasks a server can have.
func TestServedTasksBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServed(t, Handlers{Elicit: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		for range maxServed {
			s.create(methodElicit, askForm)
		}
		if _, err := s.ask(context.Background(), methodElicit, askForm, ""); err == nil || err.Code != jsonrpc.CodeInternalError {
			t.Errorf("one more: %v", err)
		}
		s.c.served.close()
	})
}
