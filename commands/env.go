package commands

import (
	"context"
	"io"
	"os"
	"strings"

	"mcpq/output"
)

// Env is the world a command runs in. Nothing below it asks the operating
// system for any of this.
type Env struct {
	*output.Streams
	Getenv  func(string) string
	Environ func() []string

	// Version is that of the program.
	Version string

	// Signals delivers the signals that end a run. Kill ends the process at
	// once, for a second signal that finds the run stuck.
	Signals <-chan os.Signal
	Kill    func(code int)
}

// messages returns where our own words go.
func (e *Env) messages() *output.Messages { return output.NewMessages(e.Err) }

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

// redactor keeps secrets out of what is written through it. Messages are
// written whole, so that a secret is never cut in two.
type redactor struct {
	w       io.Writer
	replace *strings.Replacer
}

// redacted stands for a secret.
const redacted = "[redacted]"

func newReplacer(secrets []string) *strings.Replacer {
	var pairs []string
	for _, s := range secrets {
		const shortest = 4 // anything shorter would deface ordinary text
		if len(s) >= shortest {
			pairs = append(pairs, s, redacted)
		}
	}
	return strings.NewReplacer(pairs...)
}

func (r *redactor) Write(p []byte) (int, error) {
	if _, err := r.replace.WriteString(r.w, string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
