package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpq/mcp/transport"
)

// scriptRun drives a client by the lines of a script.
type scriptRun struct {
	t       *testing.T
	dialer  transport.Dialer
	options Options
	client  *Client
	failed  bool // to connect: the rest is left out
	asks    *TaskOptions

	mu   sync.Mutex
	told []string
}

func (r *scriptRun) tell(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, fmt.Sprintf(format, args...))
}

func (r *scriptRun) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.told) == 0 {
		return ""
	}
	return strings.Join(r.told, "\n") + "\n"
}

// do runs one line, in which \n stands for a line end. Those before connect set options; the others are
//
//	connect                 open the session
//	list METHOD [CURSOR]    all pages of a list, joined
//	call TOOL [ARGUMENTS]   and so on
//	do METHOD [PARAMS]      any request; "do!" does not ask for capabilities
//	stop DURATION COMMAND   a command that is given up after a time
//	task TOOL [ARGUMENTS]   call, and wait for the task; "task-ttl" asks for one
//	wait ID                 for a task
//	cancel ID, update ID RESPONSES
//	ping
//	notify METHOD [PARAMS]
func (r *scriptRun) do(line string) {
	line = strings.ReplaceAll(line, `\n`, "\n")
	stop := time.Duration(0)
	command, rest, _ := strings.Cut(line, " ")
	if command == "stop" {
		d, after, _ := strings.Cut(rest, " ")
		var err error
		if stop, err = time.ParseDuration(d); err != nil {
			r.t.Fatal(err)
		}
		command, rest, _ = strings.Cut(after, " ")
	}
	if r.failed {
		return
	}
	if r.client == nil && command != "connect" {
		r.option(command, rest)
		return
	}
	ctx, done := during(stop)
	defer done()
	first, second, _ := strings.Cut(rest, " ")
	var text string
	var err error
	switch command {
	case "connect":
		text, err = r.connect(ctx)
	case "list":
		text, err = r.list(ctx, List(first), second)
	case "call":
		var res *Result
		res, err = r.client.CallTool(ctx, &Call{Name: first, Arguments: rawOrNil(second)})
		text = raw(res)
	case "do", "do!":
		var res *Result
		res, err = r.client.Do(ctx, &Request{Method: first, Params: rawOrNil(second), Unchecked: command == "do!"})
		text = raw(res)
	case "task":
		text, err = r.task(ctx, first, second)
	case "wait":
		text, err = r.wait(ctx, &Task{ID: first})
	case "cancel":
		var res *Result
		res, err = r.client.CancelTask(ctx, first)
		text = raw(res)
	case "update":
		var res *Result
		res, err = r.client.UpdateTask(ctx, first, rawOrNil(second))
		text = raw(res)
	case "ping":
		err = r.client.Ping(ctx)
	case "notify":
		err = r.client.Notify(ctx, first, rawOrNil(second))
	default:
		r.t.Fatalf("unknown command %q", command)
	}
	r.failed = r.client == nil
	if err != nil {
		text = describe(err)
	}
	r.tell("%s: %s", strings.ReplaceAll(line, "\n", `\n`), text)
}

func (r *scriptRun) connect(ctx context.Context) (string, error) {
	o := &r.options
	o.Client = Implementation{Name: "test", Version: "1"}
	o.Handlers.Log = func(m LogMessage) { r.tell("  log %s %s %s", m.Level, m.Logger, m.Data) }
	o.Handlers.Progress = func(p Progress) { r.tell("  progress of %s: %s/%s %s", p.Method, p.Progress, p.Total, p.Message) }
	o.Handlers.Warn = func(err error) { r.tell("  warning: %v", err) }
	c, err := Connect(ctx, r.dialer, *o)
	if err != nil {
		return "", err
	}
	r.client = c
	info := c.Info()
	return fmt.Sprintf("%s %s %s", info.Era, info.ProtocolVersion, info.ServerInfo), nil
}

func (r *scriptRun) list(ctx context.Context, l List, cursor string) (string, error) {
	var pages []*Page
	var from *string
	if cursor != "" {
		from = &cursor
	}
	for page, err := range r.client.Pages(ctx, l, from) {
		if err != nil {
			return "", err
		}
		pages = append(pages, page)
	}
	joined, err := Join(pages)
	return string(joined), err
}

// option sets one; those that hold JSON are what a handler answers.
func (r *scriptRun) option(name, value string) {
	o := &r.options
	duration := func() time.Duration {
		d, err := time.ParseDuration(value)
		if err != nil {
			r.t.Fatal(err)
		}
		return d
	}
	answer := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		if strings.HasPrefix(value, "after ") { // a person who takes a minute and a half
			time.Sleep(90 * time.Second)
		}
		return json.RawMessage(strings.TrimPrefix(value, "after ")), nil
	}
	switch name {
	case "version":
		o.Version = value
	case "log-level":
		o.LogLevel = value
	case "timeout":
		o.Timeout = duration()
	case "connect-timeout":
		o.ConnectTimeout = duration()
	case "extension":
		o.Extensions = append(o.Extensions, value)
	case "tasks":
		o.Extensions = append(o.Extensions, TasksExtension)
		o.Handlers.Tasks = true
	case "task-ttl":
		d := duration()
		r.asks = &TaskOptions{TTL: d}
	case "root":
		o.Handlers.Roots = func(context.Context) ([]Root, error) { return []Root{{URI: value}}, nil }
	case "elicit":
		o.Handlers.Elicit = answer
	case "url":
		o.Handlers.ElicitURL = answer
	case "sample":
		o.Handlers.Sample = answer
	case "refuse-to-sample":
		o.Handlers.Sample = func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, &RefusedError{Reason: "no"}
		}
	case "sample-tools":
		o.Handlers.SampleTools = true
	default:
		r.t.Fatalf("unknown option %q", name)
	}
}

func (r *scriptRun) close() {
	if r.client != nil {
		if err := r.client.Close(context.Background()); err != nil {
			r.t.Error(err)
		}
	}
}

func rawOrNil(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func raw(res *Result) string {
	if res == nil {
		return ""
	}
	return string(res.Raw)
}
