package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/output"
)

// awaiting is a command that waits for a task.
type awaiting struct {
	r      *runner
	client *mcp.Client
	task   *mcp.Task
	flags  WaitFlags

	status string // told last
}

// wait waits for the task and tells on stderr how it goes. A task that is left
// to itself, or cancelled, is named there with the way back to it.
func (a *awaiting) wait(ctx context.Context, on mcp.TaskWait) (*mcp.Result, error) {
	on.Changed = a.changed
	on.Lost = func(err error) { a.r.messages.Warningf("%v; trying again", err) }
	res, err := a.client.WaitTask(ctx, a.task, on)
	if err != nil {
		a.leave(ctx, err)
	}
	return res, err
}

// changed tells each status once, and what is said of it where it is wanted.
func (a *awaiting) changed(t mcp.Task) {
	line := fmt.Sprintf("* task %s: %s", t.ID, t.Status)
	if t.StatusMessage != "" {
		line += ": " + t.StatusMessage
	}
	g := a.r.grammar
	chatty := g.Verbose > 0 || g.Progress == "plain"
	ready := a.status == "" && t.Final() // there is nothing to wait for
	if a.status != t.Status && !ready || chatty {
		a.r.messages.Line(line)
	}
	a.status = t.Status
	if a.client.Info().Era == mcp.Stateless && g.Progress == "auto" {
		// There is no other progress in this era.
		a.r.progress.Step(output.Step{Method: "task " + t.ID, Message: t.StatusMessage})
		return
	}
	a.r.progress.Wait(strings.TrimPrefix(line, "* "))
}

// failed is the error that the end of the task is beside its result; nil if the
// result says all there is to say.
func (a *awaiting) failed(res *mcp.Result) error {
	switch {
	case res.IsError():
		return &TaskFailedError{ID: a.task.ID}
	case a.task.Status == mcp.TaskFailed:
		return &mcp.TaskError{ID: a.task.ID, Status: a.task.Status, Message: a.task.StatusMessage}
	}
	return nil
}

// leave ends the wait for a task that may go on: Ctrl-C cancels the task, and
// so does the end of the time to wait where that is wanted.
func (a *awaiting) leave(ctx context.Context, err error) {
	var signal *SignalError
	var timeout *mcp.TimeoutError
	var rpc *mcp.RPCError
	var ended *mcp.TaskError
	var expired *mcp.TaskExpiredError
	cause := err
	if ctx.Err() != nil {
		cause = context.Cause(ctx)
	}
	switch {
	case a.task.Final(), errors.As(err, &ended), errors.As(err, &expired):
		return
	case errors.As(cause, &signal) && signal.Signal == syscall.SIGINT:
		a.r.messages.Warningf("cancelling task %s; Ctrl-C leaves it running", a.task.ID)
		a.cancel()
		return
	case errors.As(cause, &timeout) && a.flags.CancelOnTimeout:
		a.cancel()
		return
	case a.task.Status == "", errors.As(cause, &rpc): // it may not even be there
		return
	}
	a.r.messages.Warningf("task %s is left running", a.task.ID)
	a.wayBack()
	a.wayToAnswer(err)
}

// cancel asks the server to end the task, until a second signal.
func (a *awaiting) cancel() {
	r := a.r
	ctx, stop := context.WithTimeout(r.closeCtx, max(time.Duration(r.grammar.Grace), cancelPatience))
	defer stop()
	_, err := a.client.CancelTask(ctx, a.task.ID)
	if err == nil {
		r.messages.Warningf("task %s: the server has been told to cancel it", a.task.ID)
		return
	}
	if ctx.Err() != nil {
		err = errors.New("the server has not confirmed it")
	}
	r.messages.Warningf("task %s may still be running: %v", a.task.ID, err)
	a.wayBack()
}

// cancelPatience is the least time for a server to take a cancellation.
const cancelPatience = 2 * time.Second

// wayBack says how to come back to the task.
func (a *awaiting) wayBack() {
	a.r.messages.Hintf("%s", a.r.comeBack(a.client, a.task.ID))
}

// wayToAnswer says how to answer what the task asked for in vain.
func (a *awaiting) wayToAnswer(err error) {
	var input *mcp.InputRequiredError
	if !errors.As(err, &input) {
		return
	}
	var flags []string
	requests, err := rawjson.ParseObject(a.task.InputRequests)
	if err != nil {
		return
	}
	for _, m := range requests {
		flags = append(flags, "--input "+shellWord(m.Key)+"=JSON")
	}
	a.r.messages.Hintf("'mcpq tasks update %s %s%s' answers it", shellWord(a.task.ID), strings.Join(flags, " "), a.r.serverWords())
}

// comeBack is the command line that waits for a task.
func (r *runner) comeBack(c *mcp.Client, id string) string {
	text := fmt.Sprintf("'mcpq tasks wait %s%s' comes back to it", shellWord(id), r.serverWords())
	switch info := c.Info(); {
	case info.Transport == "stdio" || info.Transport == "demo":
		text += ", if the server keeps its tasks beyond its own end"
	case info.Era == mcp.Stateful && r.grammar.SessionFile == "":
		text += "; where tasks belong to a session, --session-file FILE keeps it from one command to the next"
	}
	return text
}

// serverWords names the server as the command line did.
func (r *runner) serverWords() string {
	words := ""
	if r.grammar.SessionFile != "" {
		words += " --session-file " + shellWord(r.grammar.SessionFile)
	}
	if r.grammar.Server != "" {
		words += " -s " + shellWord(r.grammar.Server)
	}
	if r.dashes {
		words += " --"
		for _, w := range r.command {
			words += " " + shellWord(w)
		}
	}
	return words
}

// shellWord quotes a word for a shell where it needs it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
