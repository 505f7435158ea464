package commands

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"mcpq/commands/batch"
	"mcpq/mcp"
)

// outcome is what came of a line.
type outcome struct {
	number int
	line   json.RawMessage // to be printed
	err    error           // why it counts as failed; nil if it does not
}

// do does the operation of a line.
func (b *batching) do(ctx context.Context, line batch.Line) *outcome {
	if line.Err != nil {
		return b.outcome(line.Number, nil, nil, &UsageError{Err: line.Err, Hint: "--max-bytes allows longer ones"})
	}
	op, err := batch.Decode(line.Text)
	if err != nil {
		return b.outcome(line.Number, op.ID, nil, &UsageError{Err: err, Hint: "'mcpq run --help' shows what a line may be"})
	}
	result, err := b.perform(ctx, &op)
	return b.outcome(line.Number, op.ID, result, err)
}

// perform gives the result, or what failed; both when it is the result that
// tells of a failure.
func (b *batching) perform(ctx context.Context, op *batch.Operation) (json.RawMessage, error) {
	if op.Notify {
		return nil, b.client.Notify(ctx, op.Method, op.Params)
	}
	if c := op.Call; c != nil {
		return b.call(ctx, &mcp.Call{Name: c.Name, Arguments: c.Arguments, Params: op.Params, Timeout: b.patience})
	}
	res, err := b.client.Do(ctx, &mcp.Request{Method: op.Method, Params: op.Params, Unchecked: !op.Short, Timeout: b.patience})
	if err != nil {
		return nil, err
	}
	return res.Raw, nil
}

// call calls a tool as 'mcpq call' does.
func (b *batching) call(ctx context.Context, call *mcp.Call) (json.RawMessage, error) {
	tool, err := b.tools.find(ctx, call.Name, !b.cmd.NoValidate)
	if err != nil {
		return nil, err
	}
	if tool != nil {
		call.Tool = tool.Tool
	}
	if tool != nil && !b.cmd.NoValidate {
		if err := tool.checkArguments(ctx, b.r, call.Arguments); err != nil {
			return nil, err
		}
	}
	flags := CallTaskFlags{NoTask: b.cmd.NoTask}
	if call.Task, err = flags.options(b.r, b.client, call.Tool); err != nil {
		return nil, err
	}
	res, err := b.client.CallTool(ctx, call)
	var failed error
	if err == nil && res.Task != nil {
		w := &awaiting{r: b.r, client: b.client, task: res.Task}
		if res, err = w.wait(ctx, mcp.TaskWait{}); err == nil {
			failed = w.failed(res)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case failed == nil && res.IsError():
		failed = &ToolFailedError{Tool: call.Name, Said: string(res.Raw)}
	case failed == nil && tool != nil && !b.cmd.NoValidate:
		failed = tool.checkResult(ctx, b.r, res)
	}
	return res.Raw, failed
}

// outcome makes the line to be printed.
func (b *batching) outcome(number int, id, result json.RawMessage, err error) *outcome {
	if id == nil {
		id = json.RawMessage(strconv.Itoa(number))
	}
	line := make(json.RawMessage, 0, len(id)+len(result)+len(`{"id":,"result":}`))
	line = append(append(line, `{"id":`...), id...)
	if result != nil || err == nil {
		line = append(line, `,"result":`...)
		if line = append(line, result...); result == nil { // of a notification
			line = append(line, "null"...)
		}
	}
	if err != nil && (result == nil || !saysItself(err)) {
		line = append(append(line, `,"error":`...), b.errorObject(err)...)
	}
	return &outcome{number: number, line: append(line, '}'), err: err}
}

// saysItself tells whether the result says what failed.
func saysItself(err error) bool {
	var tool *ToolFailedError
	return errors.As(err, &tool)
}

// errorObject is the error that the server answered with, byte for byte, or
// what went wrong on this side, as --errors json tells it.
func (b *batching) errorObject(err error) json.RawMessage {
	f := failureOf(err)
	var rpc *mcp.RPCError
	if f.Exit == exitRPC && errors.As(err, &rpc) && rpc.Err.Raw != nil {
		return rpc.Err.Raw
	}
	f.Hint = hint(err)
	return f.object(&b.r.secrets)
}
