package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"mcpq/mcp/jsonrpc"
)

func answerNothing(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"cancel"}`), nil
}

func noRoots(context.Context) ([]Root, error) { return nil, nil }

// Only what a handler is set for is declared, in the words of the version.
func TestCapabilities(t *testing.T) {
	all := Handlers{Roots: noRoots, Elicit: answerNothing, ElicitURL: answerNothing, Sample: answerNothing, SampleTools: true}
	url := Handlers{ElicitURL: answerNothing, SampleTools: true}
	for _, c := range []struct {
		name     string
		handlers Handlers
		want     map[string]string // by version
	}{
		{"nothing", Handlers{}, map[string]string{
			Version20241105: `{}`, Version20250618: `{}`, Version20251125: `{}`, Version20260728: `{"extensions":{"com.example/x":{}}}`}},
		{"everything", all, map[string]string{
			Version20241105: `{"roots":{},"sampling":{}}`,
			Version20250326: `{"roots":{},"sampling":{}}`,
			Version20250618: `{"roots":{},"sampling":{},"elicitation":{}}`,
			Version20251125: `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`,
			Version20260728: `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"extensions":{"com.example/x":{}}}`}},
		{"urls alone", url, map[string]string{
			Version20250618: `{}`, Version20251125: `{"elicitation":{"url":{}}}`,
			Version20260728: `{"elicitation":{"url":{}},"extensions":{"com.example/x":{}}}`}},
	} {
		for version, want := range c.want {
			if got := c.handlers.capabilities(version, []string{"com.example/x"}); string(got) != want {
				t.Errorf("%s in %s: got %s, want %s", c.name, version, got, want)
			}
		}
	}
}

// Who answers a request of the server, in a version.
func TestAnswer(t *testing.T) {
	all := Handlers{Roots: noRoots, Elicit: answerNothing, ElicitURL: answerNothing, Sample: answerNothing}
	forms := Handlers{Elicit: answerNothing}
	const url = `{"mode":"url","message":"m","url":"https://example.com"}`
	for _, c := range []struct {
		name     string
		handlers Handlers
		version  string
		method   string
		params   string
		code     int64 // 0: answered
	}{
		{"ping", Handlers{}, Version20241105, "ping", ``, 0},
		{"roots", all, Version20241105, methodRoots, ``, 0},
		{"no roots", forms, Version20251125, methodRoots, ``, jsonrpc.CodeMethodNotFound},
		{"sampling", all, Version20241105, methodSample, `{"messages":[]}`, 0},
		{"no sampling", forms, Version20251125, methodSample, `{"messages":[]}`, jsonrpc.CodeMethodNotFound},
		{"sampling without params", all, Version20241105, methodSample, ``, jsonrpc.CodeInvalidParams},
		{"form", all, Version20250618, methodElicit, `{}`, 0},
		{"form by name", all, Version20251125, methodElicit, `{"mode":"form"}`, 0},
		{"form, too early", all, Version20250326, methodElicit, `{}`, jsonrpc.CodeMethodNotFound},
		{"no form", Handlers{}, Version20251125, methodElicit, `{}`, jsonrpc.CodeMethodNotFound},
		{"no form, but urls", Handlers{ElicitURL: answerNothing}, Version20251125, methodElicit, `{}`, jsonrpc.CodeInvalidParams},
		{"urls, too early", Handlers{ElicitURL: answerNothing}, Version20250618, methodElicit, url, jsonrpc.CodeMethodNotFound},
		{"url", all, Version20251125, methodElicit, url, 0},
		{"url, too early", all, Version20250618, methodElicit, url, jsonrpc.CodeInvalidParams},
		{"no url", forms, Version20251125, methodElicit, url, jsonrpc.CodeInvalidParams},
		{"url, stateless", all, Version20260728, methodElicit, url, 0},
		{"another mode", all, Version20251125, methodElicit, `{"mode":"voice"}`, jsonrpc.CodeInvalidParams},
		{"something else", all, Version20251125, "tasks/get", `{}`, jsonrpc.CodeMethodNotFound},
	} {
		got, err := c.handlers.answer(context.Background(), featuresOf(c.version), c.method, rawOrNil(c.params))
		var rpc *jsonrpc.Error
		switch {
		case c.code == 0 && (err != nil || !json.Valid(got)):
			t.Errorf("%s: %s, %v", c.name, got, err)
		case c.code != 0 && (!errors.As(err, &rpc) || rpc.Code != c.code):
			t.Errorf("%s: %s, %v; want the code %d", c.name, got, err, c.code)
		}
	}
	if got, err := all.answer(context.Background(), featuresOf(Version20251125), methodRoots, nil); err != nil || string(got) != `{"roots":[]}` {
		t.Errorf("no roots to tell: %s, %v", got, err)
	}
}
