package commands

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"golang.org/x/term"

	"mcpq/commands/form"
	"mcpq/commands/servers"
	"mcpq/output"
)

// askInput asks a person for an input that an entry needs.
func (r *runner) askInput(ctx context.Context, e *servers.Entry, in servers.Input) (string, error) {
	if !r.openTerminal() {
		return "", &servers.InputError{Input: in}
	}
	t := r.terminal
	what := in.Description
	if what == "" {
		what = in.ID
	}
	t.Print("", t.Bold("Server "+output.SafeLine(e.Name)+" needs: "+output.SafeLine(what)))
	for i, option := range in.Options {
		t.Print(fmt.Sprintf("  %d) %s", i+1, output.SafeLine(option)))
	}
	if in.Default != "" {
		t.Print(t.Dim("  nothing is: " + output.SafeLine(in.Default)))
	}
	for {
		answer, err := r.readInput(ctx, in.Password)
		switch {
		case errors.Is(err, form.ErrClosed):
			return "", &servers.InputError{Input: in}
		case err != nil:
			return "", err
		case answer == "" && in.Default != "":
			return in.Default, nil
		case len(in.Options) == 0 && answer != "", slices.Contains(in.Options, answer):
			return answer, nil
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(in.Options) {
			return in.Options[n-1], nil
		}
	}
}

// readInput reads a line, without showing it if it is secret.
func (r *runner) readInput(ctx context.Context, secret bool) (string, error) {
	console, isConsole := r.device.(interface{ Fd() uintptr })
	if !secret || !isConsole {
		return r.terminal.ReadLine(ctx, "> ")
	}
	fd := int(console.Fd())
	state, err := term.GetState(fd)
	if err != nil { // no terminal that could show anything
		return r.terminal.ReadLine(ctx, "> ")
	}
	read := make(chan typed, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		read <- typed{text, err}
	}()
	// Nothing is asked before the terminal has ceased to show what is typed,
	// which is the reader's doing.
	const step = time.Millisecond
	ticker := time.NewTicker(step)
	defer ticker.Stop()
	for asked := false; ; {
		if now, err := term.GetState(fd); !asked && (err != nil || !reflect.DeepEqual(now, state)) {
			asked = true
			ticker.Stop()
			r.terminal.Print("(what you type is not shown)")
		}
		select {
		case <-ticker.C:
		case l := <-read:
			r.terminal.Print("")
			if l.err != nil {
				return "", form.ErrClosed
			}
			return string(l.text), nil
		case <-ctx.Done(): // the reader cannot be ended, but what it did to the terminal can
			_ = term.Restore(fd, state)
			r.terminal.Print("")
			return "", context.Cause(ctx)
		}
	}
}

// typed is a line that was read without being shown.
type typed struct {
	text []byte
	err  error
}
