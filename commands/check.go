package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"mcpq/commands/check"
	"mcpq/commands/servers"
	"mcpq/mcp"
	"mcpq/output"
)

// CheckCmd runs the steps of files and tells which of them went as expected.
type CheckCmd struct {
	File       []string `arg:"" help:"Steps and what is expected of them, as YAML or JSON; - is standard input."`
	NoValidate bool     `help:"Do not check arguments and results of tools against their schemas."`
}

// FailedChecksError is steps that did not go as expected. They have been
// reported.
type FailedChecksError struct{ Failed, All int }

func (e *FailedChecksError) Error() string {
	return fmt.Sprintf("%d of %d steps did not go as expected", e.Failed, e.All)
}

// Run reads all files before anything is started.
func (c *CheckCmd) Run(ctx context.Context, r *runner) error {
	report, err := r.newCheckReport()
	if err != nil {
		return err
	}
	named := r.dashes || r.grammar.Server != ""
	for _, name := range c.File {
		f, err := r.readChecks(ctx, name)
		if err != nil {
			return err
		}
		if !named && f.Server == "" && r.env.Getenv("MCPQ_SERVER") == "" {
			return &UsageError{Err: fmt.Errorf("%s: %w", f.Name, servers.ErrNone), Hint: "or say which in the file: server: …"}
		}
		report.files = append(report.files, f)
	}
	if err := report.begin(); err != nil {
		return err
	}
	run := &checking{cmd: c, r: r, report: report, flags: *r.grammar}
	for i, f := range report.files {
		if !named && (i == 0 || f.Server != report.files[i-1].Server) {
			err = run.open(ctx, f.Server)
		} else if i == 0 {
			err = run.open(ctx, r.grammar.Server)
		}
		if err == nil {
			err = run.file(ctx, f)
		}
		var unwritten *output.WriteError
		if errors.As(err, &unwritten) {
			return err
		}
		if err = causeOf(ctx, err); err != nil {
			if unwritten := report.bailOut(err); unwritten != nil {
				r.messages.Warningf("the report is not complete: %v", unwritten)
			}
			return err
		}
	}
	return report.end(ctx)
}

func (r *runner) readChecks(ctx context.Context, name string) (*check.File, error) {
	name, text, err := r.readDocument(ctx, name, check.MaxSize)
	if err != nil {
		return nil, err
	}
	f, err := check.Read(name, text)
	if err != nil {
		return nil, &UsageError{Err: err, Hint: "'mcpq check --help' shows what a file looks like"}
	}
	return f, nil
}

// checking is the way through the files. Those behind one another on the same
// server share a session.
type checking struct {
	cmd    *CheckCmd
	r      *runner
	report *checkReport
	batch  *batching
	flags  grammar // as they are on the command line
}

// open opens a session with a server and ends the one before. What a config file
// has set for that one, such as headers and variables, is not for another.
func (c *checking) open(ctx context.Context, server string) error {
	r := c.r
	if r.client != nil {
		if err := r.client.Close(r.closeCtx); err != nil {
			r.messages.Warningf("closing the session: %v", err)
		}
		r.client = nil
		r.progress.Close()
	}
	*r.grammar, r.isolated = c.flags, false
	r.grammar.Server = server
	target, err := r.prepare()
	if err != nil {
		return err
	}
	changed := new(toolsChanged)
	r.knowsTasks, r.notified = true, changed.notified
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	c.batch = &batching{cmd: new(RunCmd), r: r, client: client, tools: newToolbox(r, client, changed)}
	return nil
}

// file takes the steps of a file. An error is one that ends everything.
func (c *checking) file(ctx context.Context, f *check.File) error {
	for _, step := range f.Steps {
		began := time.Now()
		result, err := c.perform(ctx, step)
		took := time.Since(began)
		outcome := step.Judge(ctx, answerOf(result, err), took)
		if ctx.Err() != nil { // even if the step is done: others are not
			return context.Cause(ctx)
		}
		if printed := c.report.add(outcome); printed != nil {
			return printed
		}
		if sessionOver(err) {
			return err
		}
	}
	return nil
}

// perform does the operation of a step, in the step's own time if it has one. One
// that is expected to be refused is for the server to refuse, and not checked here.
func (c *checking) perform(ctx context.Context, step *check.Step) (json.RawMessage, error) {
	c.batch.cmd.NoValidate = c.cmd.NoValidate || step.Error || step.IsError
	c.batch.patience = 0
	if step.Timeout > 0 {
		c.batch.patience = -1
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, step.Timeout, &mcp.TimeoutError{Limit: "timeout", After: step.Timeout, Doing: step.Operation.Method})
		defer stop()
	}
	op := step.Operation // the operation may be changed on its way
	return c.batch.perform(ctx, &op)
}

// answerOf sorts what came of an operation.
func answerOf(result json.RawMessage, err error) *check.Answer {
	a := &check.Answer{Result: result}
	var failed *ToolFailedError
	var rpc *mcp.RPCError
	switch {
	case err == nil:
	case errors.As(err, &failed):
		a.IsError = true
	case exitCode(err) == exitRPC && errors.As(err, &rpc):
		a.Error, a.Message = rpc.Err.Raw, rpc.Err.Message
		a.Code = json.Number(strconv.FormatInt(rpc.Err.Code, 10))
	default:
		a.Failed = err
	}
	return a
}
