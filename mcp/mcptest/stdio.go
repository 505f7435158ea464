package mcptest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Serve runs the script on a byte stream until in ends, the script ends it, or
// ctx is done. It closes in and out if they can be closed, so that both sides of
// a pipe notice the end. Errw gets what a process would write to stderr. A script
// that says exit ends it with an [ExitError].
func Serve(ctx context.Context, script *Script, in io.Reader, out, errw io.Writer) error {
	return serve(ctx, script, in, &inProcess{out: asCloser(out), err: errw})
}

func serve(ctx context.Context, script *Script, in io.Reader, proc process) error {
	s, err := newServer(script, proc)
	if err != nil {
		return err
	}
	defer s.record.close()
	ctx, cancel := context.WithCancelCause(ctx)
	st := &stdio{
		server: s,
		sink:   &streamSink{w: proc.stdout(), contentLength: script.contentLength, lineEnd: script.lineEnd},
		end:    cancel,
	}
	// A blocked Read has no other way to end; rules in progress end with ctx.
	stop := context.AfterFunc(ctx, func() { closeIt(in) })
	err = st.loop(ctx, in)
	cancel(err)
	st.running.Wait()
	stop()
	closeIt(in)
	closeIt(proc.stdout())
	// A rule beside the loop may have ended it.
	if exit, ok := errors.AsType[*ExitError](context.Cause(ctx)); ok {
		return exit
	}
	return err
}

type stdio struct {
	server  *server
	sink    sink
	end     context.CancelCauseFunc
	running sync.WaitGroup
}

func (st *stdio) loop(ctx context.Context, in io.Reader) error {
	s := st.server
	none := s.newTurn(ctx, st.sink, &message{})
	if _, err := none.doHead("start", ""); err != nil {
		return st.failed(err)
	}
	br := bufio.NewReader(in)
	for ctx.Err() == nil {
		frame, err := readFrame(br, s.script.contentLength)
		if err != nil {
			break
		}
		s.record.message(frame)
		if err := st.frame(ctx, frame); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.record.line("eof")
	if _, err := none.doHead("eof", ""); err != nil {
		return st.failed(err)
	}
	if s.script.ignore["eof"] {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return nil
}

// frame handles the messages of one frame; those whose rules take long are
// handled beside the ones that follow.
func (st *stdio) frame(ctx context.Context, frame []byte) error {
	s := st.server
	messages, batch, err := parseMessages(frame)
	if err != nil {
		t := s.newTurn(ctx, st.sink, &message{})
		return st.failed(t.fail(-32700, "Parse error", nil))
	}
	to := st.sink
	var gathered *batchSink
	if batch {
		gathered = &batchSink{sink: st.sink}
		to = gathered
	}
	var later []func() error
	for _, m := range messages {
		t := s.newTurn(ctx, to, m)
		t.known = s.isInitialized()
		work, blocks := t.begin()
		if blocks {
			later = append(later, work)
			continue
		}
		if err := st.failed(work()); err != nil {
			return err
		}
	}
	finish := func() error {
		for _, work := range later {
			if err := st.failed(work()); err != nil {
				return err
			}
		}
		if gathered != nil {
			return gathered.flush(s.newTurn(ctx, st.sink, &message{}))
		}
		return nil
	}
	if later == nil {
		return st.failed(finish())
	}
	st.running.Go(func() {
		if err := finish(); err != nil {
			st.end(err)
		}
	})
	return nil
}

// failed sorts out errors of steps: an exit ends the server, others are told on
// stderr, for a script with a mistake must not look like a server at fault.
func (st *stdio) failed(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, io.ErrClosedPipe), errors.Is(err, os.ErrClosed):
		return nil
	case isExit(err):
		return err
	}
	_, _ = fmt.Fprintf(st.server.proc.stderr(), "mcptest: %s\n", oneLine(err))
	return nil
}

func isExit(err error) bool {
	_, ok := errors.AsType[*ExitError](err)
	return ok
}

// readFrame reads one line, or one block behind a Content-Length header.
func readFrame(br *bufio.Reader, contentLength bool) ([]byte, error) {
	length := 0
	for {
		line, err := br.ReadBytes('\n')
		text := strings.TrimSpace(string(line))
		switch {
		case !contentLength && text != "":
			return line, nil
		case contentLength && text == "" && length > 0:
			frame := make([]byte, length)
			_, err := io.ReadFull(br, frame)
			return frame, err
		case contentLength:
			if name, value, ok := strings.Cut(text, ":"); ok && strings.EqualFold(name, "Content-Length") {
				if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
					return nil, err
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// inProcess is the process of a test: it lives on.
type inProcess struct {
	out io.WriteCloser
	err io.Writer
}

func (p *inProcess) exit(code int) error        { return &ExitError{Code: code} }
func (p *inProcess) kill() error                { return &UnsupportedError{Step: "kill"} }
func (p *inProcess) spawn(string, string) error { return &UnsupportedError{Step: "spawn"} }
func (p *inProcess) stderr() io.Writer          { return p.err }
func (p *inProcess) stdout() io.WriteCloser     { return p.out }

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func asCloser(w io.Writer) io.WriteCloser {
	if c, ok := w.(io.WriteCloser); ok {
		return c
	}
	return nopCloser{w}
}

func closeIt(x any) {
	if c, ok := x.(io.Closer); ok {
		// Closed twice is as good as once.
		_ = c.Close()
	}
}
