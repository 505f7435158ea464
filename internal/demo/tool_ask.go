package demo

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// askKey names the one input request of the ask tool.
const askKey = "who"

// ask gets a name from the user: by a request to the client in the stateful
// era, by an input-required result and a second call in the stateless one.
func ask(ctx context.Context, c *call, args arguments) (result, error) {
	form := askForm(args.text("question"), c.rules)
	if c.rules.stateless {
		return askByRetry(c, form)
	}
	if !c.rules.elicitation {
		return failure("protocol version " + c.rules.version + " cannot ask the user"), nil
	}
	if !c.client.canFillForms() {
		return failure("the client did not declare the elicitation capability"), nil
	}
	raw, err := c.session.ask(ctx, c.send, "elicitation/create", form)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return failure(fmt.Sprintf("the client refused to ask: %v", err)), nil
	}
	return greetAnswer(raw)
}

func askForm(question string, r rules) map[string]any {
	form := map[string]any{
		"message": question,
		"requestedSchema": map[string]any{
			"type": "object",
			// Forms are asked in this order; a map would be in that of the alphabet.
			"properties": json.RawMessage(`{
				"name": {"type": "string", "title": "Name", "description": "Your name", "minLength": 1, "maxLength": 80},
				"colour": {"type": "string", "title": "Colour", "enum": ["red", "green", "blue"]},
				"loud": {"type": "boolean", "title": "Loud", "default": false}
			}`),
			"required": []string{"name"},
		},
	}
	if r.elicitModes {
		form["mode"] = "form"
	}
	return form
}

// inputRequired is the result that asks for input and a second call.
type inputRequired struct {
	envelope
	Requests map[string]any `json:"inputRequests"`
	State    string         `json:"requestState"`
}

func askByRetry(c *call, form map[string]any) (result, error) {
	var p struct {
		Arguments      json.RawMessage
		InputResponses map[string]json.RawMessage
		RequestState   *string
	}
	if err := decodeParams(c.params, &p); err != nil {
		return nil, err
	}
	state := c.server.sign("ask\n" + form["message"].(string))
	if p.RequestState != nil && !hmac.Equal([]byte(*p.RequestState), []byte(state)) {
		return nil, rpcErrorf(codeInvalidParams, "requestState does not belong to this call")
	}
	if raw, ok := p.InputResponses[askKey]; ok {
		if p.RequestState == nil {
			return nil, rpcErrorf(codeInvalidParams, "inputResponses came without the requestState")
		}
		return greetAnswer(raw)
	}
	if !c.client.canFillForms() {
		return nil, &rpcError{Code: codeMissingCapability, Message: "the ask tool needs the elicitation capability",
			Data: map[string]any{"requiredCapabilities": map[string]any{"elicitation": map[string]any{"form": struct{}{}}}}}
	}
	return &inputRequired{
		envelope: envelope{ResultType: "input_required"},
		Requests: map[string]any{askKey: map[string]any{"method": "elicitation/create", "params": form}},
		State:    state,
	}, nil
}

// sign binds a request state to this server and to the call it was made for,
// so that a state from elsewhere, or for another question, is refused.
func (s *Server) sign(what string) string {
	mac := hmac.New(sha256.New, s.stateKey())
	mac.Write([]byte(what))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// greetAnswer turns what the user answered into the tool's result. An answer
// that does not fit the form is the client's mistake and is told as such.
func greetAnswer(raw json.RawMessage) (result, error) {
	var a struct {
		Action  string
		Content map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return failure("the answer is not an elicitation result"), nil
	}
	switch a.Action {
	case "decline":
		return textResult("You declined to answer."), nil
	case "cancel":
		return textResult("You dismissed the question."), nil
	case "accept":
	default:
		return failure(fmt.Sprintf("the answer has the unknown action %q", a.Action)), nil
	}
	loud := false
	if v, ok := a.Content["loud"]; ok {
		if kindOf(v) != "boolean" {
			return failure("loud must be a boolean"), nil
		}
		loud = v[0] == 't'
		delete(a.Content, "loud")
	}
	args, err := checkArguments([]param{
		{name: "name", kind: "string", required: true},
		{name: "colour", kind: "string", choices: []string{"red", "green", "blue"}},
	}, a.Content)
	if err != nil {
		return failure("the answer does not fit the form: " + err.Error()), nil
	}
	text := "Hello, " + args.text("name")
	if colour := args.text("colour"); colour != "" {
		text += ", who likes " + colour
	}
	if loud {
		text += "!!!"
	}
	return textResult(text), nil
}
