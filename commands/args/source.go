package args

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Source is where values that are not on the command line come from.
type Source struct {
	Stdin    io.Reader                         // for - and @-; nil means there is none
	ReadFile func(path string) ([]byte, error) // for @FILE; nil means there are none
}

// reader hands out a Source's contents, standard input once.
type reader struct {
	src    Source
	stdinA string // the argument that took standard input
}

// text is a value before its type is known.
type text struct {
	value string
	file  string // where it was read; errors then do not repeat the value
}

// got says in an error what was given.
func (t text) got() string {
	switch {
	case t.file != "":
		return "the text of " + show(t.file)
	case t.value == "":
		return "an empty value"
	}
	return show(t.value)
}

// text gives what the value of k=VALUE stands for.
func (r *reader) text(ctx context.Context, argument, value string) (text, error) {
	if name, ok := strings.CutPrefix(value, "@"); ok {
		raw, err := r.file(ctx, argument, name)
		if err != nil {
			return text{}, err
		}
		if !utf8.Valid(raw) {
			return text{}, &Error{Argument: argument, Reason: fmt.Sprintf("expected UTF-8 text, got other bytes in %s", show(name))}
		}
		return text{value: string(raw), file: name}, nil
	}
	// One backslash less in \@, \\@ and so on: every text can be written.
	if rest := strings.TrimLeft(value, `\`); len(rest) < len(value) && strings.HasPrefix(rest, "@") {
		value = value[1:]
	}
	return text{value: value}, nil
}

// file reads a file, or standard input for "-".
func (r *reader) file(ctx context.Context, argument, name string) ([]byte, error) {
	switch {
	case name == "":
		return nil, &Error{Argument: argument, Reason: `expected a file name after @ (write \@ for a text that begins with @)`}
	case name == "-":
		return r.stdin(ctx, argument)
	case r.src.ReadFile == nil:
		return nil, &Error{Argument: argument, Reason: "files cannot be read here"}
	}
	raw, err := r.src.ReadFile(name)
	if err != nil {
		reason := "cannot read the file"
		if !strings.Contains(err.Error(), name) {
			reason += " " + show(name)
		}
		return nil, &Error{Argument: argument, Reason: reason, Err: err}
	}
	return raw, nil
}

// stdin reads all of standard input. A read cannot be interrupted, so when ctx
// ends first it is left behind and ends with the input or the process.
func (r *reader) stdin(ctx context.Context, argument string) ([]byte, error) {
	if r.stdinA != "" {
		return nil, &Error{Argument: argument, Reason: fmt.Sprintf("standard input was already read for %s", displayName(r.stdinA))}
	}
	r.stdinA = argument
	if r.src.Stdin == nil {
		return nil, &Error{Argument: argument, Reason: "there is no standard input to read"}
	}
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := io.ReadAll(r.src.Stdin)
		done <- result{raw, err}
	}()
	select {
	case res := <-done:
		if res.err != nil {
			return nil, &Error{Argument: argument, Reason: "cannot read standard input", Err: res.err}
		}
		return res.raw, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("read standard input for %s: %w", displayName(argument), context.Cause(ctx))
	}
}
