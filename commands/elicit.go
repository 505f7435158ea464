package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpq/commands/form"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// elicitation is what the params of elicitation/create have in common.
type elicitation struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
	URL             string          `json:"url"`
}

// elicited is the result of an elicitation.
func elicited(action string, content json.RawMessage) json.RawMessage {
	o := rawjson.Object{{Key: "action", Value: rawjson.Quote(action)}}
	if content != nil {
		o = o.Set("content", content)
	}
	return o.Raw()
}

// elicitForm answers a form as --elicit says.
func (r *runner) elicitForm(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	how := r.answers.elicit
	if how == elicitDecline || how == elicitCancel {
		return elicited(how, nil), nil
	}
	var p elicitation
	_ = json.Unmarshal(params, &p) // what is missing shows below
	f, err := form.Parse(ctx, p.RequestedSchema)
	if err == nil {
		err = f.CheckNames(r.answers.data)
	}
	var answer *form.Answer
	switch {
	case err != nil:
	case how == elicitAccept:
		answer = &form.Answer{Action: form.Accept, Content: f.Defaults(r.answers.data).Raw()}
		err = f.Check(ctx, answer.Content)
	default:
		answer, err = r.fillIn(ctx, f, p.Message)
	}
	var unfit *form.AnswerError
	var unusable *form.SchemaError
	switch {
	case err == nil:
		return elicited(answer.Action, answer.Content), nil
	case errors.As(err, &unfit):
		// Nothing but the end of the run is right: the server would go on
		// with an answer that was not meant.
		r.stop(&UsageError{Err: fmt.Errorf("the form %q is not answered: %w", brief(p.Message), err), Hint: fieldsHint(f)})
		return elicited(form.Cancel, nil), nil
	case errors.As(err, &unusable) && how == elicitAccept:
		r.stop(&mcp.ProtocolError{Method: "elicitation/create", Reason: unusable.Error(), Err: err})
		return elicited(form.Cancel, nil), nil
	case errors.As(err, &unusable):
		r.messages.Warningf("%v; it is cancelled", unusable)
		return elicited(form.Cancel, nil), nil
	}
	return nil, err
}

// fieldsHint says what --elicit-data has to give.
func fieldsHint(f *form.Form) string { return "--elicit-data JSON answers it; " + fieldNames(f) }

// fieldNames lists the fields of a form, those marked that may be left out.
func fieldNames(f *form.Form) string {
	var names []string
	for _, field := range f.Fields {
		name := string(rawjson.Quote(field.Name))
		if !field.Required {
			name += "?"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "it has no fields"
	}
	return "its fields are " + strings.Join(names, ", ")
}

// fillIn has a person fill in the form.
func (r *runner) fillIn(ctx context.Context, f *form.Form, message string) (*form.Answer, error) {
	ctx, cancel := r.untilEnd(ctx)
	defer cancel()
	if err := r.atTerminal(ctx); err != nil {
		return nil, err
	}
	defer r.leaveTerminal()
	answer, err := f.Ask(ctx, r.terminal, form.Question{Server: r.serverName(), Message: message, Given: r.answers.data})
	return answer, r.dismissed(err, &answer)
}

// dismissed is what becomes of a question whose context has ended: with the
// run it is cancelled, so that the server need not wait; one that the server
// has taken back gets no answer.
func (r *runner) dismissed(err error, answer **form.Answer) error {
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		*answer = &form.Answer{Action: form.Cancel}
		return nil
	}
	r.messages.Warningf("the server took its question back")
	return err
}

// elicitByCommand has the command of --elicit-exec answer, in either mode.
// Whatever goes wrong is a cancellation.
func (r *runner) elicitByCommand(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	answer, err := r.execAnswer(ctx, r.answers.elicitExec, params)
	if err == nil {
		answer, err = checkElicited(ctx, params, answer)
	}
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil && r.ctx.Err() == nil:
		return nil, context.Cause(ctx)
	case r.ctx.Err() == nil:
		r.messages.Warningf("--elicit-exec: %v; the elicitation is cancelled", err)
	}
	return elicited(form.Cancel, nil), nil
}

// checkElicited holds the answer of a command against what was asked.
func checkElicited(ctx context.Context, params, answer json.RawMessage) (json.RawMessage, error) {
	object, err := rawjson.ParseObject(answer)
	if err != nil {
		return nil, errors.New("the answer is not an object")
	}
	raw, _ := object.Get("action")
	action, _ := rawjson.Unquote(raw)
	switch action {
	case form.Accept:
	case form.Decline, form.Cancel:
		return elicited(action, nil), nil
	default:
		return nil, fmt.Errorf("the answer's \"action\" is not accept, decline or cancel")
	}
	var p elicitation
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if p.Mode == "url" {
		return elicited(action, nil), nil
	}
	content, ok := object.Get("content")
	if !ok {
		content = json.RawMessage("{}")
	}
	f, err := form.Parse(ctx, p.RequestedSchema)
	if err == nil {
		err = f.Check(ctx, content)
	}
	if err != nil {
		return nil, err
	}
	return object.Set("content", content).Raw(), nil
}
