package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"mcpq/commands/outfile"
	"mcpq/mcp"
	"mcpq/output"
)

// OutFlags say where a result is saved instead of printed.
type OutFlags struct {
	Output    string `short:"o" placeholder:"FILE|DIR/" group:"output" help:"Save the content, decoded, in FILE, in files in DIR/, or - for stdout (see 'mcpq help formats')."`
	NoClobber bool   `xor:"clobber" group:"output" help:"With -o FILE: refuse to overwrite FILE (exit 2, nothing is sent)."`
	Force     bool   `xor:"clobber" group:"output" help:"With -o DIR/: overwrite files instead of numbering them."`
}

// saving is a result on its way to a file.
type saving struct {
	r       *runner
	to      *outfile.Saver
	decoder *outfile.Writer // of a large result
	prints  bool            // what is saved is what would have been printed
	stdout  *savedStdout
}

// savedStdout is standard output as a place to save to. A terminal is not
// steered by it.
type savedStdout struct {
	out   *interruptible
	plain io.WriteCloser // to a terminal; else nil
}

// newSavedStdout makes it. What is printed there is safe already.
func newSavedStdout(r *runner, printed bool) *savedStdout {
	s := &savedStdout{out: newInterruptible(r.ctx, r.stdout())}
	if r.env.OutTTY && !printed {
		s.plain = output.NewPlainWriter(s.out)
	}
	return s
}

func (s *savedStdout) Write(p []byte) (int, error) {
	w := io.Writer(s.out)
	if s.plain != nil {
		w = s.plain
	}
	n, err := w.Write(p)
	return n, stdoutError(err)
}

// Flush writes what is still held.
func (s *savedStdout) Flush() error {
	if s.plain != nil {
		if err := s.plain.Close(); err != nil {
			return stdoutError(err)
		}
	}
	return stdoutError(s.out.Flush())
}

func stdoutError(err error) error {
	if err == nil {
		return nil
	}
	return &output.WriteError{Stream: "stdout", Err: err}
}

// open finds out where to save to, before anything is sent. Without --output it
// does nothing. content tells whether the result has content to decode; where
// it has not, or a filter or format is asked for, the file gets what would have
// been printed.
func (f *OutFlags) open(r *runner, content bool) error {
	if f.Output == "" {
		if f.NoClobber || f.Force {
			return usagef("--no-clobber and --force go with -o")
		}
		return nil
	}
	flags := &r.grammar.PrintFlags
	s := &saving{r: r, prints: !content || flags.filters() || flags.Format != ""}
	s.stdout = newSavedStdout(r, s.prints)
	var err error
	s.to, err = outfile.New(outfile.Options{Path: f.Output, Stdout: s.stdout, NoClobber: f.NoClobber, Force: f.Force})
	var exists *outfile.ExistsError
	switch {
	case errors.As(err, &exists):
		return &UsageError{Err: err, Hint: "--no-clobber refuses to overwrite it; nothing was sent"}
	case err != nil:
		return &UsageError{Err: err}
	}
	if s.prints {
		w, err := s.to.Print()
		if err != nil {
			s.to.Abort()
			return &UsageError{Err: err}
		}
		o, err := flags.options(r.env)
		if err != nil {
			return err
		}
		r.printer = output.NewPrinter(w, f.Output == "-" && r.env.OutTTY, o)
	}
	r.saving = s
	return nil
}

// closeSaving puts what was saved into its place when all went well, and else leaves
// everything as it was. It is to be deferred by every command that has OutFlags.
func (r *runner) closeSaving(failed *error) {
	s := r.saving
	if s == nil {
		return
	}
	r.saving = nil
	var tool *ToolFailedError
	var unfit *OutputError
	switch err := *failed; {
	case err == nil, isNo(err), errors.As(err, &unfit), s.prints && errors.As(err, &tool):
		if err := s.commit(); err != nil {
			*failed = err
		}
		return
	case errors.As(err, &tool):
		if text := strings.TrimSpace(s.to.Head(2000)); text != "" {
			r.messages.Line(text)
		}
	}
	s.to.Abort()
}

func (s *saving) commit() error {
	saved, err := s.to.Commit()
	if err == nil {
		err = s.stdout.Flush()
	}
	if err != nil {
		return &SaveError{err}
	}
	if s.prints {
		return nil
	}
	r := s.r
	if r.env.ErrTTY || r.grammar.Verbose > 0 {
		for _, f := range saved {
			r.messages.Line(fmt.Sprintf("saved %s (%d bytes)", f.File, f.Size))
		}
	}
	texts, links := s.to.LeftOut()
	if texts > 0 {
		r.messages.Warningf("%d text(s) beside it are not in the file; -o DIR/ saves everything", texts)
	}
	for _, uri := range links {
		r.messages.Warningf("the result links to %s, which was not read", uri)
	}
	return nil
}

// Write decodes a piece of a large result.
func (s *saving) Write(p []byte) (int, error) {
	if s.decoder == nil {
		s.decoder = outfile.NewWriter(s.to)
	}
	return s.decoder.Write(p)
}

// finish decodes the rest of a result, or gives it up.
func (s *saving) finish(_ context.Context, res *mcp.Result, err error) error {
	d := s.decoder
	s.decoder = nil
	switch {
	case err != nil && d != nil:
		if bad := d.Abort(); bad != nil {
			return &SaveError{bad} // it is why the rest was not taken
		}
		return err
	case err != nil:
		return err
	case res.Streamed:
		err = d.Close()
	default:
		err = outfile.Decode(bytes.NewReader(res.Raw), s.to)
	}
	if err != nil {
		return &SaveError{err}
	}
	return nil
}

// SaveError is content that could not be saved. Nothing of it was.
type SaveError struct{ Err error }

func (e *SaveError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *SaveError) Unwrap() error { return e.Err }

// exitOfSave is the exit code of content that was not saved.
func exitOfSave(err error) int {
	var (
		several *outfile.SeveralError
		exists  *outfile.ExistsError
		path    *outfile.PathError
		write   *output.WriteError
		file    *fs.PathError
	)
	switch {
	case diskFails(err):
		return exitBug // as for stdout
	case errors.As(err, &several), errors.As(err, &exists), errors.As(err, &path), errors.As(err, &write), errors.As(err, &file):
		return exitUsage
	}
	return exitProtocol // no content, or none that can be decoded
}

// diskFails tells whether a file took no more, for no fault of the command line.
func diskFails(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO}, func(reason error) bool { return errors.Is(err, reason) })
}

// saves tells whether results are decoded into files.
func (r *runner) saves() bool { return r.saving != nil && !r.saving.prints }
