package mcp

import "context"

// task calls a tool and waits for the task that becomes of it, if one does.
func (r *scriptRun) task(ctx context.Context, name, arguments string) (string, error) {
	res, err := r.client.CallTool(ctx, &Call{Name: name, Arguments: rawOrNil(arguments), Task: r.asks})
	if err != nil || res.Task == nil {
		return raw(res), err
	}
	r.tell("  task %s", res.Task.Raw)
	return r.wait(ctx, res.Task)
}

func (r *scriptRun) wait(ctx context.Context, t *Task) (string, error) {
	res, err := r.client.WaitTask(ctx, t, TaskWait{
		Changed: func(t Task) { r.tell("  %s is %s: %s", t.ID, t.Status, t.StatusMessage) },
		Lost:    func(err error) { r.tell("  lost: %v", err) },
	})
	return raw(res), err
}
