package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// taskServer is a server of tasks on a stream, as simple as can be: state gives
// the answers to tasks/get.
type taskServer struct {
	stateless bool
	state     func(get int, since time.Duration) string // members of the task, or "" for none
	flood     time.Duration                             // between notifications; 0 is none

	mu   sync.Mutex
	seen map[string]int
}

func (s *taskServer) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[method]++
	return s.seen[method]
}

// dial runs the server until its client leaves.
func (s *taskServer) dial() transport.Dialer {
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	s.seen = make(map[string]int)
	go s.serve(serverIn, serverOut)
	return transport.Stream{Label: "stdio", Stream: jsonrpc.NewStream(clientIn, clientOut, func() error {
		return errors.Join(clientOut.Close(), clientIn.Close())
	})}
}

func (s *taskServer) serve(in io.Reader, out *io.PipeWriter) {
	began := time.Now()
	var mu sync.Mutex
	var work sync.WaitGroup
	stop := make(chan struct{})
	say := func(format string, a ...any) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(out, format+"\n", a...) // a client that has left is noticed below
	}
	dec := json.NewDecoder(in)
	for {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if dec.Decode(&m) != nil {
			break
		}
		n := s.count(m.Method)
		result := func(text string) { say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text) }
		task := func() string { return s.state(0, 0) }
		switch {
		case m.Method == "server/discover" && s.stateless:
			result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
		case m.Method == "initialize":
			result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}`)
		case m.Method == "tools/call" && s.stateless:
			result(`{"resultType":"task",` + task() + `}`)
		case m.Method == "tools/call":
			result(`{"task":{` + task() + `}}`)
			if s.flood > 0 {
				work.Go(func() {
					for tick := time.NewTicker(s.flood); ; {
						select {
						case <-tick.C:
							say(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, task())
						case <-stop:
							tick.Stop()
							return
						}
					}
				})
			}
		case m.Method == "tasks/get":
			state := s.state(n, time.Since(began))
			if state == "" {
				say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Task not found"}}`, m.ID)
				continue
			}
			result(`{` + state + `}`)
		case m.Method == "tasks/result":
			result(`{"content":[]}`)
		case m.ID != nil:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		}
	}
	close(stop)
	_ = out.Close() // a pipe's Close cannot fail
	work.Wait()
}

// polls is how often it was asked for the task.
func (s *taskServer) polls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen["tasks/get"]
}

// waitFor calls the tool and waits for its task.
func (s *taskServer) waitFor(t *testing.T) (*Result, error) {
	t.Helper()
	c, err := Connect(context.Background(), s.dial(), Options{Extensions: []string{TasksExtension}, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	call := &Call{Name: "work"}
	if !s.stateless {
		call.Task = &TaskOptions{}
	}
	res, err := c.CallTool(context.Background(), call)
	if err != nil || res.Task == nil {
		t.Fatalf("no task: %v", err)
	}
	return c.WaitTask(context.Background(), res.Task, TaskWait{})
}

const stateFormat = `"taskId":"t","status":%q,"createdAt":"2025-11-25T10:00:00Z","lastUpdatedAt":"2025-11-25T10:00:%02dZ",%s`

// However eager a server is, it is asked five times a second at most; and
// however patient, once a minute.
func TestTaskPolls(t *testing.T) {
	const long = 10 * time.Minute
	for _, c := range []struct {
		name, core, extension string
		flood                 time.Duration
		least, most           int
	}{
		{"at once", `"ttl":null,"pollInterval":1`, `"ttlMs":null,"pollIntervalMs":1`, 0, 1000, 3000},
		{"flooded with news", `"ttl":null,"pollInterval":1`, `"ttlMs":null,"pollIntervalMs":1`, 20 * time.Millisecond, 1000, 3000},
		{"every 5 s", `"ttl":null,"pollInterval":5000`, `"ttlMs":null,"pollIntervalMs":5000`, 0, 100, 121},
		{"every hour", `"ttl":null,"pollInterval":3600000`, `"ttlMs":null,"pollIntervalMs":3.6e6`, 0, 9, 11},
		{"as we like", `"ttl":null`, `"ttlMs":null`, 0, 50, 75},
		{"never", `"ttl":null,"pollInterval":0`, `"ttlMs":null,"pollIntervalMs":-1`, 0, 50, 75},
	} {
		for _, stateless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", c.name, stateless), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					more := c.core
					if stateless {
						more = c.extension
					}
					s := &taskServer{stateless: stateless, flood: c.flood, state: func(_ int, since time.Duration) string {
						if since < long {
							return fmt.Sprintf(stateFormat, TaskWorking, 0, more)
						}
						return fmt.Sprintf(stateFormat, TaskCompleted, 1, more) + `,"result":{"content":[]}`
					}}
					if _, err := s.waitFor(t); err != nil {
						t.Error(err)
					}
					if n := s.polls(); n < c.least || n > c.most {
						t.Errorf("asked %d times in %s, want %d to %d", n, long, c.least, c.most)
					} else {
						t.Logf("asked %d times in %s", n, long)
					}
				})
			})
		}
	}
}

// A task whose time to live has passed: the server says that it is unknown, or
// has nothing new to say of it for as long again.
func TestTaskExpired(t *testing.T) {
	const ttl = 90 * time.Second
	for _, forgets := range []bool{true, false} {
		for _, stateless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/%v", forgets, stateless), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &taskServer{stateless: stateless, state: func(_ int, since time.Duration) string {
						if forgets && since > ttl {
							return ""
						}
						return fmt.Sprintf(stateFormat, TaskWorking, 0, `"ttl":90000,"pollInterval":1000`)
					}}
					began := time.Now()
					_, err := s.waitFor(t)
					var expired *TaskExpiredError
					var rpc *RPCError
					if !errors.As(err, &expired) || expired.TTL != ttl || errors.As(err, &rpc) != forgets {
						t.Errorf("got %T: %v", err, err)
					}
					if took := time.Since(began); forgets && took > ttl+5*time.Second || took > 2*ttl+5*time.Second {
						t.Errorf("it took %s to see", took)
					}
				})
			})
		}
	}
}

// A server may keep a task for longer than it said, as long as there is news.
func TestTaskOutlivesTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &taskServer{stateless: true, state: func(_ int, since time.Duration) string {
			more := fmt.Sprintf(`"ttlMs":1000,"statusMessage":"%d minutes"`, int(since.Minutes()))
			if since < 10*time.Minute {
				return fmt.Sprintf(stateFormat, TaskWorking, 0, more)
			}
			return fmt.Sprintf(stateFormat, TaskCompleted, 0, more) + `,"result":{"content":[]}`
		}}
		if _, err := s.waitFor(t); err != nil {
			t.Error(err)
		}
	})
}

// A large result that breaks off has been passed on in part: it is not asked for
// a second time.
func TestTaskResultBreaksOff(t *testing.T) {
	const state = `{"taskId":"t","status":"completed","createdAt":"2025-11-25T10:00:00Z","lastUpdatedAt":"2025-11-25T10:00:00Z","ttl":null}`
	s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		switch p.Method {
		case methodInitialize:
			result(w, p, `{"protocolVersion":"2025-11-25","capabilities":{"tasks":{}},"serverInfo":{"name":"s","version":"1"}}`)
		case methodTaskGet:
			result(w, p, state)
		case methodTaskResult:
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s`, p.ID, strings.Repeat("x", 3<<20))
			panic(http.ErrAbortHandler)
		}
	})
	c, err := s.connect(t, Options{Version: Version20251125})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	_, err = c.WaitTask(context.Background(), &Task{ID: "t"}, TaskWait{Stream: &got})
	asked := 0
	for _, name := range s.names() {
		if name == methodTaskResult {
			asked++
		}
	}
	if err == nil || got.Len() == 0 || asked != 1 {
		t.Errorf("%v after %d bytes, asked %d times", err, got.Len(), asked)
	}
}
