package form

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// Question is what stands above a form.
type Question struct {
	Server  string // who asks
	Message string
	Given   rawjson.Object // values of fields to begin with, over the defaults

	// Edit has a person write a text in an editor; nil if there is none.
	Edit func(ctx context.Context, text string) (string, error)
}

// Answer is what a person made of it.
type Answer struct {
	Action  string          // accept, decline or cancel
	Content json.RawMessage // nil unless it is accept
}

// The actions of an Answer.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// Ask shows the form on the terminal, field after field, lets the person review
// and change everything, and returns what is to be sent. The end of input is
// a cancellation. The error is the cause of ctx.
func (f *Form) Ask(ctx context.Context, t *Terminal, q Question) (*Answer, error) {
	a := &asking{form: f, t: t, values: f.Defaults(q.Given), edit: q.Edit}
	if f.argument {
		return a.arguments(ctx, q)
	}
	t.Print("", t.Bold(output.SafeLine(q.Server)+" asks:"))
	t.Quote(q.Message)
	if len(f.Fields) > 0 {
		t.Print(t.Dim("  (Enter takes what is in [ ]; :b goes back, :d declines, :c cancels, :? helps)"))
	}
	action, err := a.run(ctx)
	switch {
	case errors.Is(err, ErrClosed):
		return &Answer{Action: Cancel}, nil
	case err != nil:
		return nil, err
	case action != Accept:
		return &Answer{Action: action}, nil
	}
	return &Answer{Accept, a.content()}, nil
}

// asking is one form being filled in.
type asking struct {
	form   *Form
	t      *Terminal
	values rawjson.Object
	edit   func(ctx context.Context, text string) (string, error)
}

func (a *asking) run(ctx context.Context) (action string, err error) {
	for i := 0; i < len(a.form.Fields); {
		step, err := a.field(ctx, i)
		if err != nil {
			return "", err
		}
		switch step {
		case commandBack:
			i = max(i-1, 0)
		case Decline, Cancel:
			return step, nil
		default:
			i++
		}
	}
	return a.review(ctx)
}

// What can be typed at a field besides its value.
const (
	commandBack    = ":b"
	commandDecline = ":d"
	commandCancel  = ":c"
	commandHelp    = ":?"
	commandEdit    = ":e"
	leaveOut       = "-"
)

const explanation = `  Enter     take the value in [ ]; without one, leave the field out
  -         leave the field out although it has a value
  ""        an empty text
  \TEXT     TEXT as it is, even if it is one of these
  :b        back to the field before
  :d        decline: tell the server that you do not want to answer
  :c        cancel: close the form without an answer (Ctrl-D does the same)`

// field asks for one field until its value is valid. It returns an action or
// command, or "" when the field is done.
func (a *asking) field(ctx context.Context, i int) (string, error) {
	f := a.form.Fields[i]
	a.head(i)
	for {
		prompt := "> "
		value, has := a.values.Get(f.Name)
		if has {
			prompt = "[" + output.SafeLine(f.Show(value)) + "] > "
		}
		text, err := a.line(ctx, f, prompt)
		if err != nil {
			return "", err
		}
		switch typed := strings.TrimSpace(text); typed {
		case commandBack:
			return commandBack, nil
		case commandEdit:
			if value, err = a.edited(ctx, f, value); err != nil {
				a.t.Warn(output.SafeLine(err.Error()))
				continue
			}
		case commandDecline, ":decline":
			if a.form.argument {
				return Cancel, nil
			}
			return Decline, nil
		case commandCancel, ":cancel", ":q":
			return Cancel, nil
		case commandHelp, ":h", ":help":
			a.t.Print(a.explanation())
			continue
		case "", leaveOut:
			if typed == "" && has {
				break // the value is checked like any other
			}
			if f.Required {
				a.t.Warn("this field is required")
				continue
			}
			a.values = a.values.Delete(f.Name)
			return "", nil
		default:
			value, err = a.read(ctx, f, text)
			if err != nil {
				a.t.Warn(output.SafeLine(err.Error()))
				continue
			}
		}
		err = a.form.checkField(ctx, f, value)
		var unfit *AnswerError
		switch {
		case errors.As(err, &unfit):
			a.t.Warn(output.SafeLine(unfit.Reason))
			continue
		case err != nil:
			return "", err
		}
		a.values = a.values.Set(f.Name, value)
		return "", nil
	}
}

// head shows what a field is.
func (a *asking) head(i int) {
	f := a.form.Fields[i]
	title := a.t.Bold(output.SafeLine(f.Title))
	a.t.Print("", fmt.Sprintf("%d/%d %s %s", i+1, len(a.form.Fields), title, a.t.Dim("("+output.SafeLine(f.hint())+")")))
	if a.edit != nil && f.long {
		a.t.Print(a.t.Dim("  (Enter opens an editor; a line can be typed here)"))
	}
	if f.Description != "" {
		a.t.Quote(f.Description)
	}
	if f.Secret() {
		a.t.Warn("this looks like a password, key or token; a server must not ask for one in a form, and the server will see it")
	}
	width := len(strconv.Itoa(len(f.Options)))
	for n, o := range f.Options {
		label := "  - "
		if f.numbered() {
			label = fmt.Sprintf("  %*d) ", width, n+1)
		}
		a.t.Print(label + output.SafeLine(o.Title))
	}
}

// review shows what is about to be sent and lets it be changed.
func (a *asking) review(ctx context.Context) (string, error) {
	for {
		a.t.Print("")
		for i, f := range a.form.Fields {
			shown := a.t.Dim("(left out)")
			if value, ok := a.values.Get(f.Name); ok {
				shown = output.SafeLine(f.Show(value))
			}
			a.t.Print(fmt.Sprintf("  %d) %s: %s", i+1, output.SafeLine(f.Title), shown))
		}
		prompt := "Send this? [y]es, [d]ecline, [c]ancel: "
		if n := len(a.form.Fields); n > 0 {
			prompt = fmt.Sprintf("Send this? [y]es, 1-%d to change, [d]ecline, [c]ancel: ", n)
		}
		text, err := a.t.ReadLine(ctx, prompt)
		if err != nil {
			return "", err
		}
		text = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), ":")
		if n, err := strconv.Atoi(text); err == nil && 1 <= n && n <= len(a.form.Fields) {
			if step, err := a.field(ctx, n-1); err != nil || step == Decline || step == Cancel {
				return step, err
			}
			continue
		}
		switch text {
		case "y", "yes":
			err := a.form.Check(ctx, a.content())
			var unfit *AnswerError
			if errors.As(err, &unfit) {
				a.t.Warn(output.SafeLine(unfit.Reason))
				continue
			}
			return Accept, err
		case "d", "decline", "n", "no":
			return Decline, nil
		case "c", "cancel", "q":
			return Cancel, nil
		}
	}
}

// content is the answer, its members in the order of the form.
func (a *asking) content() json.RawMessage {
	content := rawjson.Object{}
	for _, f := range a.form.Fields {
		if value, ok := a.values.Get(f.Name); ok {
			content = content.Set(f.Name, value)
		}
	}
	return content.Raw()
}
