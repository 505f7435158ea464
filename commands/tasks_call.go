package commands

import (
	"context"
	"fmt"
	"time"

	"mcpq/mcp"
)

// CallTaskFlags say what 'call' does about tasks.
type CallTaskFlags struct {
	Task   bool     `help:"Run the tool as a task, where that is for the client to say (2025-11-25). Tools that require it are run as one anyway."`
	TTL    Duration `name:"ttl" placeholder:"TIME" help:"Ask the server to keep the task for TIME (2025-11-25); implies --task."`
	Detach bool     `help:"Do not wait for the task: print it as JSON, with the taskId to come back to it. Implies --task."`
	NoTask bool     `help:"Never run the tool as a task."`
	WaitFlags
}

func (f *CallTaskFlags) check() error {
	switch {
	case f.NoTask && (f.Task || f.TTL > 0 || f.Detach || f.CancelOnTimeout):
		return usagef("--no-task goes with no other flag about tasks")
	case f.Detach && f.CancelOnTimeout:
		return usagef("--detach waits for nothing, so there is nothing to cancel")
	}
	return nil
}

// options decide whether the call asks for a task; nil is no. Nothing has been
// sent yet.
func (f *CallTaskFlags) options(r *runner, client *mcp.Client, tool *mcp.Tool) (*mcp.TaskOptions, error) {
	asked := f.Task || f.TTL > 0 || f.Detach
	options := &mcp.TaskOptions{TTL: time.Duration(f.TTL)}
	switch client.TaskSupport(tool) {
	case mcp.TaskByServer:
		if f.TTL > 0 {
			r.messages.Warningf("--ttl has no effect: in %s the server decides about tasks", client.Info().ProtocolVersion)
		}
		return nil, nil
	case mcp.TaskRequired:
		if f.NoTask {
			return nil, &UsageError{Err: fmt.Errorf("tool %q only runs as a task", tool.Name), Hint: "leave --no-task out"}
		}
		return options, nil
	case mcp.TaskIfAsked:
		if asked {
			return options, nil
		}
		return nil, nil
	}
	if !asked || client.Info().Era == mcp.Stateless {
		return nil, nil
	}
	if info := client.Info(); tool != nil && info.ProtocolVersion == mcp.Version20251125 && info.Has("tasks", "requests", "tools", "call") {
		return nil, &UsageError{Err: fmt.Errorf("tool %q does not run as a task", tool.Name), Hint: "leave --task, --ttl and --detach out"}
	}
	// Either nothing is known of the tool, or the client refuses to ask and
	// names the capability.
	return options, nil
}

// detach prints the task that a call became.
func (c *CallCmd) detach(ctx context.Context, r *runner, client *mcp.Client, t *mcp.Task) error {
	r.messages.Hintf("%s", r.comeBack(client, t.ID))
	return r.print(ctx, t.Raw)
}

// finishTask waits for the task that a call became, and goes on as if its result
// had come at once.
func (c *CallCmd) finishTask(ctx context.Context, s *streaming, call *mcp.Call, w *awaiting) error {
	res, err := w.wait(ctx, mcp.TaskWait{Stream: call.Stream, Keep: call.Keep})
	err = c.finish(ctx, s, call, res, err)
	if err == nil && w.task.Status == mcp.TaskFailed {
		return w.failed(res)
	}
	return err
}

// TaskFailedError is a task whose tool says that it failed. Its result has been
// printed.
type TaskFailedError struct{ ID string }

func (e *TaskFailedError) Error() string { return fmt.Sprintf("the tool of task %s failed", e.ID) }

// Unwrap is the tool's failure.
func (e *TaskFailedError) Unwrap() error { return &ToolFailedError{} }
