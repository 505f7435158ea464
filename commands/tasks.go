package commands

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// TasksCmd holds the commands about tasks: work that goes on at the server when
// the call that began it is over.
type TasksCmd struct {
	List   ListCmd        `cmd:"" help:"List all tasks, where the version has such a list: 2025-11-25."`
	Get    TasksGetCmd    `cmd:"" help:"Show what there is to know of a task."`
	Wait   TasksWaitCmd   `cmd:"" help:"Wait for a task to end, answer what it asks for, and print its result."`
	Result TasksResultCmd `cmd:"" help:"Print the result of a task; out of time (exit 8) when it has none within --timeout."`
	Update TasksUpdateCmd `cmd:"" help:"Give a task the input it requires, by hand."`
	Cancel TasksCancelCmd `cmd:"" help:"Ask the server to end a task."`
}

// TasksGetCmd shows a task.
type TasksGetCmd struct {
	ID string `arg:"" name:"id" help:"The taskId."`
}

// TasksWaitCmd waits for a task.
type TasksWaitCmd struct {
	TasksGetCmd
	WaitFlags
	OutFlags
}

// TasksResultCmd prints the result of a task.
type TasksResultCmd struct {
	TasksGetCmd
	WaitFlags
	OutFlags
}

// TasksUpdateCmd answers what a task asks for.
type TasksUpdateCmd struct {
	TasksGetCmd
	Input []string `required:"" sep:"none" placeholder:"KEY=JSON" help:"The answer to the input request KEY: the whole object, such as {\"action\":\"accept\",\"content\":{…}}; @FILE reads it from FILE."`
}

// TasksCancelCmd cancels a task.
type TasksCancelCmd struct {
	TasksGetCmd
}

// WaitFlags are for commands that wait for a task.
type WaitFlags struct {
	CancelOnTimeout bool `help:"Cancel the task when the time to wait for it is over; else it goes on."`
}

// extensions are those that the client declares.
func (r *runner) extensions() []string {
	if r.knowsTasks {
		return []string{mcp.TasksExtension}
	}
	return nil
}

// openTasks connects as a client that knows tasks.
func (r *runner) openTasks(ctx context.Context) (*mcp.Client, error) {
	r.knowsTasks = true
	return r.open(ctx)
}

// Run prints the server's answer.
func (t *TasksGetCmd) Run(ctx context.Context, r *runner) error {
	c, err := r.openTasks(ctx)
	if err != nil {
		return err
	}
	_, res, err := c.GetTask(ctx, t.ID)
	if err != nil {
		return err
	}
	return r.print(ctx, res.Raw)
}

// Run waits as long as it takes.
func (t *TasksWaitCmd) Run(ctx context.Context, r *runner) error {
	return t.await(ctx, r, t.WaitFlags, &t.OutFlags)
}

// Run waits no longer than --timeout.
func (t *TasksResultCmd) Run(ctx context.Context, r *runner) error {
	if d := time.Duration(r.grammar.Timeout); d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, d,
			&mcp.TimeoutError{Limit: "timeout", After: d, Doing: "the wait for the result of task " + t.ID})
		defer cancel()
	}
	return t.await(ctx, r, t.WaitFlags, &t.OutFlags)
}

func (t *TasksGetCmd) await(ctx context.Context, r *runner, flags WaitFlags, out *OutFlags) (err error) {
	target, err := r.prepare()
	if err == nil {
		err = out.open(r, true)
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	r.knowsTasks = true
	c, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	s := &streaming{r: r}
	w := &awaiting{r: r, client: c, task: &mcp.Task{ID: t.ID}, flags: flags}
	res, err := w.wait(ctx, mcp.TaskWait{Stream: s.writer()})
	printed := s.finish(ctx, res, err)
	if printed != nil && !isNo(printed) {
		return printed
	}
	if err := w.failed(res); err != nil {
		return err
	}
	return printed
}

// Run sends the answers and prints what the server says to them.
func (t *TasksUpdateCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.prepare()
	if err != nil {
		return err
	}
	responses, err := t.responses(r.inputs())
	if err != nil {
		return err
	}
	r.knowsTasks = true
	c, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	res, err := c.UpdateTask(ctx, t.ID, responses)
	if err != nil {
		return err
	}
	return r.print(ctx, res.Raw)
}

func (t *TasksUpdateCmd) responses(in *inputs) (json.RawMessage, error) {
	responses := rawjson.Object{}
	for _, input := range t.Input {
		key, value, ok := strings.Cut(input, "=")
		if !ok || key == "" {
			return nil, usagef("bad --input %q: write KEY=JSON", input)
		}
		what := "--input " + key
		raw, err := in.jsonParam(what, value)
		if err != nil {
			return nil, err
		}
		if _, err := rawjson.ParseObject(raw); err != nil {
			return nil, usagef("%s: not an object", what)
		}
		responses = responses.Set(key, raw)
	}
	return responses.Raw(), nil
}

// Run prints what the server says to it.
func (t *TasksCancelCmd) Run(ctx context.Context, r *runner) error {
	c, err := r.openTasks(ctx)
	if err != nil {
		return err
	}
	res, err := c.CancelTask(ctx, t.ID)
	if err != nil {
		return err
	}
	return r.print(ctx, res.Raw)
}
