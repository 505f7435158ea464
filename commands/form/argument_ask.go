package form

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// arguments asks for the arguments of a tool, which nobody but the person wants
// to see first: there is no review.
func (a *asking) arguments(ctx context.Context, q Question) (*Answer, error) {
	a.t.Print("", a.t.Bold(output.SafeLine(q.Message)))
	keys := "  (:b goes back, :c cancels, :? helps)"
	if a.edit != nil {
		keys = "  (:b goes back, :e opens an editor, :c cancels, :? helps)"
	}
	a.t.Print(a.t.Dim(keys))
	for i := 0; i < len(a.form.Fields); {
		step, err := a.field(ctx, i)
		switch {
		case errors.Is(err, ErrClosed):
			return &Answer{Action: Cancel}, nil
		case err != nil:
			return nil, err
		case step == commandBack:
			i = max(i-1, 0)
		case step == Cancel, step == Decline:
			return &Answer{Action: Cancel}, nil
		default:
			i++
		}
	}
	return &Answer{Accept, a.content()}, nil
}

const argumentExplanation = `  Enter     take the value in [ ]
  ""        an empty text
  \TEXT     TEXT as it is, even if it is one of these
  :b        back to the argument before
  :c        cancel: nothing is sent (Ctrl-D does the same)`

func (a *asking) explanation() string {
	text := explanation
	if a.form.argument {
		text = argumentExplanation
	}
	if a.edit != nil {
		text += "\n  :e        write the text in an editor ($VISUAL or $EDITOR)"
	}
	return text
}

// line asks for a line. For a text of several lines Enter alone is the way into
// the editor.
func (a *asking) line(ctx context.Context, f *Field, prompt string) (string, error) {
	text, err := a.t.ReadLine(ctx, prompt)
	_, has := a.values.Get(f.Name)
	if err == nil && f.long && a.edit != nil && !has && strings.TrimSpace(text) == "" {
		return commandEdit, nil
	}
	return text, err
}

// read makes what was typed a value of the field.
func (a *asking) read(ctx context.Context, f *Field, text string) (json.RawMessage, error) {
	if f.nullable && strings.TrimSpace(text) == "null" {
		return json.RawMessage("null"), nil
	}
	if f.Kind == JSON {
		return a.form.readJSON(ctx, f, text)
	}
	return f.Read(text)
}

// edited has the value of a field written in an editor.
func (a *asking) edited(ctx context.Context, f *Field, value json.RawMessage) (json.RawMessage, error) {
	if a.edit == nil {
		return nil, errors.New("there is no editor: set VISUAL or EDITOR")
	}
	text, err := a.edit(ctx, show(value))
	if err != nil {
		return nil, err
	}
	text = strings.TrimSuffix(text, "\n") // editors add it
	if f.Kind == Text {
		return rawjson.Quote(text), nil
	}
	return a.read(ctx, f, text)
}
