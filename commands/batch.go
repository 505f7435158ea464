package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"mcpq/commands/batch"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
	"mcpq/output"
)

// RunCmd does many operations over one session: a line of input is one, and so
// is a line of output.
type RunCmd struct {
	File       string `arg:"" optional:"" default:"-" help:"The operations, one JSON object a line; - is standard input."`
	Jobs       int    `short:"j" default:"1" placeholder:"N" help:"Do up to N operations at once (${default})."`
	Unordered  bool   `help:"Print results as they come rather than in the order of the input."`
	KeepGoing  bool   `help:"Go on after an operation that failed. Without it no other is begun, and those under way are seen through."`
	NoValidate bool   `help:"Do not check arguments and results of tools against their schemas."`
	NoTask     bool   `help:"Never run a tool as a task."`
}

// Help is shown by --help.
func (c *RunCmd) Help() string { return batchHelp }

// Validate checks the flags.
func (c *RunCmd) Validate() error {
	const most = 10_000
	if c.Jobs < 1 || c.Jobs > most {
		return usagef("-j %d: write how many operations at once, from 1 to %d", c.Jobs, most)
	}
	return nil
}

// Run prints a line for each line of the input.
func (c *RunCmd) Run(ctx context.Context, r *runner) error {
	r.grammar.Compact = !r.grammar.Pretty // a line for each, on a terminal too
	debug.SetGCPercent(collectAt)
	target, err := r.prepare()
	if err != nil {
		return err
	}
	out, err := r.printAhead()
	if err != nil {
		return err
	}
	in, err := c.open(ctx, r)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	changed := new(toolsChanged)
	r.knowsTasks, r.notified = !c.NoTask, changed.notified
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	r.progress.Close() // from here on it may be the input that is waited for
	b := &batching{cmd: c, r: r, client: client, tools: newToolbox(r, client, changed)}
	failed := b.run(ctx, batch.NewLines(in, r.maxBytes()))
	if err := stdoutError(out.Flush()); err != nil {
		return err
	}
	return failed
}

// printAhead makes the printer one that does not wait until a line has been
// written; that is up to who flushes what is returned.
func (r *runner) printAhead() (*interruptible, error) {
	o, err := r.grammar.PrintFlags.options(r.env)
	if err != nil {
		return nil, err
	}
	out := newInterruptible(r.ctx, r.stdout())
	unflushed := struct{ io.Writer }{out} // a Printer flushes what can be flushed
	r.printer = output.NewPrinter(unflushed, r.env.OutTTY, o)
	return out, nil
}

// collectAt lets garbage grow to some times what is in use: each operation
// leaves some, and what is in use is little.
const collectAt = 400

// open opens the input. To open a pipe may take for ever.
func (c *RunCmd) open(ctx context.Context, r *runner) (io.ReadCloser, error) {
	if c.File == "-" {
		return io.NopCloser(r.env.In), nil
	}
	if info, err := os.Stat(c.File); err != nil {
		return nil, &UsageError{Err: err}
	} else if info.IsDir() {
		return nil, usagef("%s is a directory", c.File)
	}
	file, err := awaited(ctx, func() (*os.File, error) { return os.Open(c.File) })
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return file, nil
}

// maxBytes bounds a line of input, or a whole one, as it does a message.
func (r *runner) maxBytes() int64 {
	if n := int64(r.grammar.MaxBytes); n > 0 {
		return n
	}
	return jsonrpc.DefaultMaxMessage
}

// batching is a run of many operations.
type batching struct {
	cmd      *RunCmd
	r        *runner
	client   *mcp.Client
	tools    *toolbox
	patience time.Duration // with a request: 0 is what --timeout says, less than 0 no limit
	pipeline *batch.Pipeline[batch.Line, *outcome]

	// What follows belongs to the goroutine that prints.
	lines  int
	failed int
	first  *LineError // of the failures the one of the earliest line
	over   error      // why there is no session any more
}

func (b *batching) run(ctx context.Context, lines *batch.Lines) error {
	p := batch.New[batch.Line, *outcome]()
	p.Next = func() (batch.Line, error) {
		line, err := lines.Next()
		if err != nil && err != io.EOF {
			err = &UsageError{Err: fmt.Errorf("reading the operations: %w", err)}
		}
		return line, err
	}
	p.Work = b.work
	p.Emit = func(o *outcome) error { return b.print(ctx, o) }
	p.Size = func(o *outcome) int { return len(o.line) }
	p.Width, p.AsReady = b.cmd.Jobs, b.cmd.Unordered
	b.pipeline = p
	err := p.Run(ctx)
	switch {
	case err != nil:
		return err
	case b.first != nil && b.cmd.KeepGoing && b.lines > 1:
		return &BatchError{Lines: b.lines, Failed: b.failed, First: b.first, Over: b.over}
	case b.first != nil:
		return b.first
	}
	return b.r.printer.Status()
}

// work does the operation of a line. One that fails has nothing else begun,
// unless that is wanted; without a session nothing can be.
func (b *batching) work(ctx context.Context, line batch.Line) *outcome {
	o := b.do(ctx, line)
	if o.err != nil && (!b.cmd.KeepGoing || sessionOver(o.err)) {
		b.pipeline.Stop()
	}
	return o
}

// print prints an outcome and counts it.
func (b *batching) print(ctx context.Context, o *outcome) error {
	b.lines++
	err := b.r.printer.JSON(ctx, o.line)
	var filter *output.FilterError
	switch {
	case errors.As(err, &filter):
		if b.cmd.KeepGoing {
			b.r.messages.Warningf("line %d: %v", o.number, err)
		} else {
			b.pipeline.Stop()
		}
		if o.err == nil {
			o.err = err
		}
	case err != nil:
		return err
	}
	if o.err == nil {
		return nil
	}
	b.failed++
	if b.over == nil && sessionOver(o.err) {
		b.over = o.err
	}
	if b.first == nil || o.number < b.first.Line {
		b.first = &LineError{Line: o.number, Err: o.err}
	}
	return nil
}

// sessionOver tells whether the server is gone for good.
func sessionOver(err error) bool {
	var closed *jsonrpc.ClosedError
	var ended *transport.ExitError
	return errors.As(err, &closed) || errors.As(err, &ended)
}

// LineError is an operation that failed. What there is to say has been printed
// in the place of its result.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

// BatchError is a run that went on after failures. Its exit code is that of the
// first one, in the order of the input; the end of the session counts more.
type BatchError struct {
	Lines, Failed int
	First         *LineError
	Over          error // the session ended; nil if it did not
}

func (e *BatchError) Error() string {
	s := fmt.Sprintf("%d of %d lines failed, first %v", e.Failed, e.Lines, e.First)
	if e.Over != nil && !sessionOver(e.First.Err) {
		s += fmt.Sprintf("; then the session was over: %v", e.Over)
	}
	return s
}

// Unwrap gives what decides the exit code.
func (e *BatchError) Unwrap() error {
	if e.Over != nil {
		return e.Over
	}
	return e.First
}
