package commands

import (
	"context"
	"io"
	"os"

	"mcpq/output"
)

// Env is the world a command runs in. Nothing below it asks the operating
// system for any of this.
type Env struct {
	*output.Streams
	Getenv  func(string) string
	Environ func() []string // for the programs that are started: without our secrets

	// Terminal opens the terminal to ask a person on, whatever the standard
	// streams are; nil if there is none.
	Terminal func() (io.ReadWriteCloser, error)

	// Version is that of the program.
	Version string

	// Signals begins to deliver the signals that end a run. Kill ends the
	// process at once, for a second signal that finds the run stuck.
	Signals func() <-chan os.Signal
	Kill    func(code int)
}

// interruptible is standard output whose blocked writes end with a context: a
// reader that has stopped reading must not keep Ctrl-C from working. After such
// an end nothing may be written any more.
type interruptible struct {
	ctx  context.Context
	w    io.Writer
	done chan writeResult
}

type writeResult struct {
	n   int
	err error
}

func newInterruptible(ctx context.Context, w io.Writer) *interruptible {
	return &interruptible{ctx: ctx, w: w, done: make(chan writeResult, 1)}
}

func (i *interruptible) Write(p []byte) (int, error) {
	go func() {
		n, err := i.w.Write(p)
		i.done <- writeResult{n, err}
	}()
	select {
	case r := <-i.done:
		return r.n, r.err
	case <-i.ctx.Done():
		select { // what was not blocked counts
		case r := <-i.done:
			return r.n, r.err
		default:
		}
		return 0, context.Cause(i.ctx)
	}
}
