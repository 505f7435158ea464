package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// withTasks runs a test in both versions that have tasks, over both transports.
func withTasks(t *testing.T, run func(t *testing.T, p *peer)) {
	for _, v := range []string{version2025November, version2026July} {
		for name, connect := range map[string]func(*testing.T, *Server, string) *peer{"stream": streamPeer, "http": httpPeer} {
			t.Run(v+"/"+name, func(t *testing.T) {
				s := New(Options{Version: "9"})
				p := connect(t, s, v)
				t.Cleanup(func() { s.Close() }) // before the peer's own clean-up looks for leaks
				if v == version2026July {
					p.caps = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
				}
				run(t, p)
			})
		}
	}
}

// taskState is a task in the words of either version.
type taskState struct {
	TaskID, Status string
	TTL, TTLMs     *int64
	InputRequests  map[string]struct{ Method string }
	Result         json.RawMessage
	Error          *rpcError
}

// startJob calls the job tool as a task.
func (p *peer) startJob(arguments string) taskState {
	p.t.Helper()
	params := `{"name":"job","arguments":` + arguments + `}`
	if !p.era.stateless {
		params = `{"name":"job","arguments":` + arguments + `,"task":{"ttl":3600000}}`
	}
	raw := p.call("tools/call", params).must(p.t)
	var made struct {
		taskState
		Task *taskState
	}
	if err := json.Unmarshal(raw, &made); err != nil || !created(p.version, raw) {
		p.t.Fatalf("no task: %s", raw)
	}
	if made.Task != nil {
		return *made.Task
	}
	return made.taskState
}

// until polls until a task has the status given.
func (p *peer) until(id, status string) taskState {
	p.t.Helper()
	for {
		var s taskState
		if err := json.Unmarshal(p.call("tasks/get", fmt.Sprintf(`{"taskId":%q}`, id)).must(p.t), &s); err != nil {
			p.t.Fatal(err)
		}
		if s.Status == status {
			return s
		}
		if s.Status != taskWorking && s.Status != taskInput {
			p.t.Fatalf("the task is %s, want %s", s.Status, status)
		}
	}
}

// outcome is what the call would have come to.
func (p *peer) outcome(s taskState) reply {
	p.t.Helper()
	if !p.era.stateless {
		return p.call("tasks/result", fmt.Sprintf(`{"taskId":%q}`, s.TaskID))
	}
	return reply{result: s.Result, err: s.Error}
}

func TestTask(t *testing.T) {
	withTasks(t, func(t *testing.T, p *peer) {
		for _, c := range []struct{ arguments, status, want string }{
			{`{"seconds":0.02}`, taskCompleted, `worked 20ms in 5 steps`},
			{`{"seconds":0,"fail":"tool"}`, "", `"isError":true`},
			{`{"seconds":0,"fail":"rpc"}`, taskFailed, `the job broke`},
		} {
			made := p.startJob(c.arguments)
			if c.status == "" { // the one difference in what a status means
				c.status = taskCompleted
				if !p.era.stateless {
					c.status = taskFailed
				}
			}
			r := p.outcome(p.until(made.TaskID, c.status))
			if r.err != nil {
				r.result, _ = json.Marshal(r.err)
			} else if related := fmt.Sprintf(`%q:{"taskId":%q}`, metaRelatedTask, made.TaskID); !p.era.stateless {
				contains(t, r.result, related)
			}
			contains(t, r.result, c.want)
		}
	})
}

func TestTaskInput(t *testing.T) {
	withTasks(t, func(t *testing.T, p *peer) {
		made := p.startJob(`{"seconds":0,"ask":"yes"}`)
		s := p.until(made.TaskID, taskInput)
		if p.era.stateless {
			if s.InputRequests["who"].Method != "elicitation/create" {
				t.Errorf("asks for %v", s.InputRequests)
			}
			update := func(responses string) {
				p.call("tasks/update", fmt.Sprintf(`{"taskId":%q,"inputResponses":%s}`, made.TaskID, responses)).must(t)
			}
			update(`{"other":{"action":"decline"}}`)
			p.until(made.TaskID, taskInput)
			update(`{"who":{"action":"accept","content":{"name":"Ada"}}}`)
			update(`{"who":{"action":"decline"}}`) // comes too late
		} else {
			p.elicit = fmt.Sprintf(`{"action":"accept","content":{"name":"Ada"},"_meta":{%q:{"taskId":%q}}}`, metaRelatedTask, made.TaskID)
		}
		if p.era.stateless {
			s = p.until(made.TaskID, taskCompleted)
		}
		contains(t, p.outcome(s).must(t), "Hello, Ada")
	})
}

func TestTaskCancelled(t *testing.T) {
	withTasks(t, func(t *testing.T, p *peer) {
		made := p.startJob(`{"seconds":3600}`)
		cancel := fmt.Sprintf(`{"taskId":%q}`, made.TaskID)
		p.call("tasks/cancel", cancel).must(t)
		s := p.until(made.TaskID, taskCancelled)
		again := p.call("tasks/cancel", cancel)
		if p.era.stateless {
			again.must(t)
		} else {
			wantCode(t, again, codeInvalidParams)
			wantCode(t, p.outcome(s), codeInvalidRequest)
		}
		for _, method := range []string{"tasks/get", "tasks/cancel"} {
			wantCode(t, p.call(method, `{"taskId":"nothing"}`), codeInvalidParams)
			wantCode(t, p.call(method, `{}`), codeInvalidParams)
		}
	})
}

func TestTaskExpires(t *testing.T) {
	withTasks(t, func(t *testing.T, p *peer) {
		made := p.startJob(`{"seconds":3600,"keep":0.05}`)
		if ttl := made.TTL; !p.era.stateless && *ttl != 50 || p.era.stateless && *made.TTLMs != 50 {
			t.Errorf("it is kept for another time than 50 ms")
		}
		for {
			if r := p.call("tasks/get", fmt.Sprintf(`{"taskId":%q}`, made.TaskID)); r.err != nil {
				wantCode(t, r, codeInvalidParams)
				return
			}
		}
	})
}

func TestTaskList(t *testing.T) {
	withTasks(t, func(t *testing.T, p *peer) {
		if p.era.stateless {
			wantCode(t, p.call("tasks/list", `{}`), codeMethodNotFound)
			wantCode(t, p.call("tasks/result", `{"taskId":"x"}`), codeMethodNotFound)
			return
		}
		for range 3 {
			p.startJob(`{"seconds":3600}`)
		}
		seen, params := 0, "{}"
		for {
			var list struct {
				Tasks      []taskState
				NextCursor string
			}
			json.Unmarshal(p.call("tasks/list", params).must(t), &list)
			seen += len(list.Tasks)
			if list.NextCursor == "" {
				break
			}
			params = fmt.Sprintf(`{"cursor":%q}`, list.NextCursor)
		}
		if seen != 3 {
			t.Errorf("%d tasks, want 3", seen)
		}
		wantCode(t, p.call("tools/call", `{"name":"echo","arguments":{"text":"x"},"task":{}}`), codeMethodNotFound)
	})
}

// Without the extension a job is done at once, or not at all.
func TestTaskUndeclared(t *testing.T) {
	p := streamPeer(t, New(Options{}), version2026July)
	if got := p.call("tools/call", `{"name":"job","arguments":{"seconds":0}}`).text(t); !strings.HasPrefix(got, "worked") {
		t.Errorf("got %q", got)
	}
	for _, r := range []reply{
		p.call("tools/call", `{"name":"job","arguments":{"seconds":0,"ask":"yes"}}`),
		p.call("tasks/get", `{"taskId":"x"}`),
		p.call("subscriptions/listen", `{"notifications":{"taskIds":["x"]}}`),
	} {
		wantCode(t, r, codeMissingCapability)
	}
}

// News of a task come on a listen stream, and as notifications of a session.
func TestTaskNews(t *testing.T) {
	s := New(Options{})
	p := httpPeer(t, s, version2026July)
	t.Cleanup(func() { s.Close() })
	p.caps = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	made := p.startJob(`{"seconds":0.2,"steps":2}`)
	id, body := p.request("subscriptions/listen", fmt.Sprintf(`{"notifications":{"taskIds":[%q,"nothing"]}}`, made.TaskID))
	ctx, drop := context.WithCancel(context.Background())
	defer drop()
	resp := p.post(ctx, body)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d", resp.StatusCode)
	}
	n := 0
	for ev := range events(resp.Body) {
		checkMessage(t, p.version, "", []byte(ev.data))
		if n++; n == 1 {
			contains(t, []byte(ev.data), `"taskIds":["`+made.TaskID+`"]`)
			continue
		}
		contains(t, []byte(ev.data), made.TaskID, fmt.Sprintf(`%q:%s`, metaSubscription, id))
		if strings.Contains(ev.data, taskCompleted) {
			contains(t, []byte(ev.data), "worked 200ms in 2 steps")
			return
		}
	}
	t.Error("the stream ended early")
}

func TestTaskProgress(t *testing.T) {
	p := streamPeer(t, New(Options{}), version2025November)
	p.meta = map[string]any{"progressToken": "p"}
	made := p.startJob(`{"seconds":0.02,"steps":2}`)
	p.meta = nil
	r := p.call("tasks/result", fmt.Sprintf(`{"taskId":%q}`, made.TaskID))
	contains(t, r.must(t), "worked 20ms")
	var progress, news int
	for _, m := range r.before {
		switch m.method() {
		case "notifications/progress":
			contains(t, m.Params, `"progressToken":"p"`)
			progress++
		case "notifications/tasks/status":
			contains(t, m.Params, made.TaskID)
			news++
		}
	}
	if progress != 2 || news == 0 {
		t.Errorf("%d of progress, %d of the state", progress, news)
	}
}
