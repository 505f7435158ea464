package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpq/internal/apidiff"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/output"
)

// formatGitHub is a value of --format that only diff knows.
const formatGitHub = "github"

// DiffCmd tells what changed between two sets of definitions.
type DiffCmd struct {
	Old string `arg:"" help:"What was: a file from 'mcpq snapshot' or a list command, or - for standard input."`
	New string `arg:"" optional:"" help:"What is: another file. Without it the server on the line is asked."`
}

// BreakingError is a change that breaks somebody. It has been printed.
type BreakingError struct{ Count int }

func (e *BreakingError) Error() string { return fmt.Sprintf("%d breaking changes", e.Count) }

// Run prints the changes.
func (c *DiffCmd) Run(ctx context.Context, r *runner) error {
	if err := c.check(r); err != nil {
		return err
	}
	show, err := r.showChanges()
	if err != nil {
		return err
	}
	old, err := r.definitions(ctx, c.Old)
	if err != nil {
		return err
	}
	new, err := c.definitionsNow(ctx, r, old)
	if err != nil {
		return err
	}
	changes, err := apidiff.Compare(old, new)
	if err != nil {
		return &UsageError{Err: fmt.Errorf("%s and %s cannot be compared: %w", c.Old, c.New, err)}
	}
	breaking := 0
	for _, change := range changes {
		if change.Breaking {
			breaking++
		}
	}
	if err := show(ctx, changes, breaking); err != nil {
		return err
	}
	if breaking > 0 {
		return &BreakingError{breaking}
	}
	return nil
}

// check finds what cannot be meant.
func (c *DiffCmd) check(r *runner) error {
	switch {
	case c.New != "" && (r.dashes || r.grammar.Server != ""):
		return usagef("%s and a server: name one thing to compare %s with", c.New, c.Old)
	case c.Old == "-" && c.New == "-":
		return usagef("both cannot come from standard input")
	}
	return nil
}

// definitionsNow reads the second file, or asks the server.
func (c *DiffCmd) definitionsNow(ctx context.Context, r *runner, old *apidiff.Definitions) (*apidiff.Definitions, error) {
	if c.New != "" {
		return r.definitions(ctx, c.New)
	}
	r.anew = true
	target, err := r.prepare()
	if err != nil {
		return nil, err
	}
	client, err := r.connect(ctx, target)
	if err != nil {
		return nil, err
	}
	raw, err := snapshot(ctx, client, func(l mcp.List) bool { return old.Lists(l.Key()) })
	if err != nil {
		return nil, err
	}
	return apidiff.Read(raw)
}

// definitions reads a file.
func (r *runner) definitions(ctx context.Context, name string) (*apidiff.Definitions, error) {
	most := r.maxBytes()
	name, raw, err := r.readDocument(ctx, name, most)
	switch {
	case err != nil:
		return nil, err
	case int64(len(raw)) > most:
		return nil, &UsageError{Err: fmt.Errorf("%s is longer than %d bytes", name, most), Hint: "--max-bytes allows longer ones"}
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, usagef("%s is empty", name)
	}
	d, err := apidiff.Read(raw)
	var format *apidiff.FormatError
	if errors.As(err, &format) {
		return nil, &UsageError{
			Err:  fmt.Errorf("%s is not a snapshot: %w", name, err),
			Hint: "'mcpq snapshot' makes one; the result of list-tools and the like will do too",
		}
	}
	return d, err
}

// showChanges finds out, before anything is read, how changes are printed.
func (r *runner) showChanges() (func(ctx context.Context, changes []apidiff.Change, breaking int) error, error) {
	flags := &r.grammar.PrintFlags
	if flags.Format == formatGitHub {
		if flags.filters() || flags.Pretty {
			return nil, usagef("--format github prints annotations, which neither --jq nor --pretty goes with")
		}
		flags.Format = string(output.FormatText)
		return func(_ context.Context, changes []apidiff.Change, _ int) error {
			return r.printer.Page(annotations(changes))
		}, r.preparePrinter()
	}
	if flags.Format == string(output.FormatText) && !flags.filters() {
		return func(_ context.Context, changes []apidiff.Change, _ int) error {
			return r.printer.Page(report(changes, r.printer.Coloured()))
		}, r.preparePrinter()
	}
	return func(ctx context.Context, changes []apidiff.Change, breaking int) error {
		items := make([]json.RawMessage, len(changes))
		for i := range changes {
			items[i] = changes[i].JSON()
		}
		breaks := json.RawMessage("false")
		if breaking > 0 {
			breaks = json.RawMessage("true")
		}
		return r.print(ctx, rawjson.Object{}.Set("breaking", breaks).Set("changes", rawjson.Array(items)).Raw())
	}, r.preparePrinter()
}
