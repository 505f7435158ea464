package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpq/commands/form"
	"mcpq/commands/manual"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/output"
)

// RefusedError is a call that --confirm did not let through. Nothing was sent.
type RefusedError struct {
	Tool   string
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("tool %q was not called: %s", e.Tool, e.Reason)
}

// confirm asks a person whether a tool may be called. One that says it is
// read-only needs no answer; without a terminal any other is refused.
func (c *CallCmd) confirm(ctx context.Context, r *runner, tool *mcp.Tool, arguments json.RawMessage) error {
	var annotations json.RawMessage
	if tool != nil {
		object, err := rawjson.ParseObject(tool.Raw)
		if err != nil {
			return &mcp.ToolError{Tool: c.Tool, Err: err}
		}
		annotations, _ = object.Get("annotations")
	}
	if hints, err := rawjson.ParseObject(annotations); err == nil {
		if raw, _ := hints.Get("readOnlyHint"); string(raw) == "true" {
			return nil
		}
	}
	if !r.openTerminal() {
		return &RefusedError{c.Tool, "it is not read-only, and there is no terminal to confirm it on"}
	}
	if err := r.atTerminal(ctx); err != nil {
		return err
	}
	defer r.leaveTerminal()
	t := r.terminal
	t.Print("", t.Bold("Call tool "+output.SafeLine(c.Tool)+" of "+output.SafeLine(r.serverName())+"?"))
	words := manual.Hints(annotations)
	if len(words) == 0 {
		words = []string{"it does not say what it may change"}
	}
	t.Print("  " + strings.Join(words, "\n  "))
	if members, err := rawjson.ParseObject(arguments); err == nil {
		for _, m := range members {
			t.Quote(m.Key + ": " + string(m.Value))
		}
	}
	answer, err := t.Choose(ctx, "[y]es, [n]o: ", "yes", "no")
	switch {
	case errors.Is(err, form.ErrClosed), err == nil && answer == "no":
		return &RefusedError{c.Tool, "you said no"}
	}
	return err
}
