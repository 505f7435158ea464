package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"
)

// maxAnswer bounds what a command may write to stdout as its answer.
const maxAnswer = 16 << 20

// execAnswer has a shell command answer the server: the request's params go to
// its stdin, its stdout is the answer, its stderr is passed on.
//
// The command runs in a process group of its own, which ends with ctx or with
// the run, whichever comes first. It is given the environment mcpq was started
// with, and nothing of what --env and -H say. It may use the terminal: while it
// runs its group stands in the foreground, so that Ctrl-C is for it first.
func (r *runner) execAnswer(ctx context.Context, command string, params json.RawMessage) (json.RawMessage, error) {
	ctx, end := r.untilEnd(ctx)
	defer end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := r.atTerminal(ctx); err != nil {
		return nil, err
	}
	defer r.leaveTerminal()

	out := &bounded{most: maxAnswer, full: func() { cancel(errTooLong) }}
	stderr := r.messages.Writer()
	defer func() { _ = stderr.Close() }()

	shell := shellCommand(command)
	cmd := exec.CommandContext(ctx, shell[0], shell[1:]...)
	cmd.Env = r.env.Environ()
	cmd.Stdin = bytes.NewReader(append(bytes.Clone(params), '\n'))
	cmd.Stdout, cmd.Stderr = out, stderr
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	const patience = 500 * time.Millisecond // for what left the group and holds a pipe
	cmd.WaitDelay = patience

	done := make(chan error, 1)
	go func() {
		// On Linux the command dies with the thread that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- runInForeground(cmd)
	}()
	err := <-done
	if cmd.Process != nil {
		_ = killGroup(cmd.Process) // what it left behind
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case interrupted(cmd.ProcessState):
		// The Ctrl-C was meant for all of us.
		r.stop(&SignalError{Signal: interrupt})
		return nil, context.Cause(r.ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		// It has answered; only a process it left behind has not ended.
	case err != nil:
		return nil, fmt.Errorf("%q failed: %w", brief(command), err)
	}
	answer := bytes.TrimSpace(out.buf.Bytes())
	if len(answer) == 0 {
		return nil, fmt.Errorf("%q answered nothing", brief(command))
	}
	if !json.Valid(answer) {
		return nil, fmt.Errorf("%q answered what is not JSON: %q", brief(command), brief(string(answer)))
	}
	return answer, nil
}

var errTooLong = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

// brief is a text short enough for a message.
func brief(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// shellCommand has the system's shell run a command.
func shellCommand(command string) []string {
	if runtime.GOOS == "windows" {
		if _, err := exec.LookPath("sh"); err != nil {
			return []string{"cmd", "/C", command}
		}
	}
	return []string{"sh", "-c", command}
}

// bounded keeps what is written to it, up to a length.
type bounded struct {
	buf  bytes.Buffer
	most int
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.most {
		b.full()
		return 0, io.ErrShortWrite
	}
	return b.buf.Write(p)
}
