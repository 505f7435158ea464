package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// sampler answers sampling/createMessage, nil when no flag says how.
func (r *runner) sampler() func(context.Context, json.RawMessage) (json.RawMessage, error) {
	switch a := r.answers; {
	case a.sample != nil:
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { return r.fitSample(a.sample) }
	case a.sampleExec != "":
		return r.sampleByCommand
	}
	return nil
}

// sampleByCommand has the command answer. Whatever it does wrong counts as the
// user's refusal: the server must not be told more of it.
func (r *runner) sampleByCommand(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	raw, err := r.execAnswer(ctx, r.answers.sampleExec, params)
	if err == nil {
		raw, err = sampleResult(raw)
	}
	if err == nil {
		raw, err = r.fitSample(raw)
	}
	switch {
	case err == nil:
		return raw, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	r.messages.Warningf("--sample-exec: %v", err)
	return nil, &mcp.RefusedError{Reason: "--sample-exec gave no answer"}
}

// sampleResult holds an answer against the form of a CreateMessageResult.
func sampleResult(raw []byte) (json.RawMessage, error) {
	result, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, errors.New("the answer is not a JSON object")
	}
	role, _ := result.Get("role")
	if role := string(role); role != `"assistant"` && role != `"user"` {
		return nil, errors.New(`the answer's "role" is not "assistant"`)
	}
	model, _ := result.Get("model")
	if name, ok := rawjson.Unquote(model); !ok || name == "" {
		return nil, errors.New(`the answer's "model" is not the name of a model`)
	}
	content, _ := result.Get("content")
	blocks, err := rawjson.Elements(content)
	if err != nil {
		blocks = []json.RawMessage{content}
	}
	for _, block := range blocks {
		o, err := rawjson.ParseObject(block)
		kind, _ := o.Get("type")
		if _, ok := rawjson.Unquote(kind); err != nil || !ok {
			return nil, errors.New(`the answer's "content" is not a block with a type`)
		}
	}
	if stop, ok := result.Get("stopReason"); ok {
		if _, ok := rawjson.Unquote(stop); !ok {
			return nil, errors.New(`the answer's "stopReason" is not a string`)
		}
	}
	return result.Raw(), nil
}

// fitSample gives the content the form that the version has: one block stands
// alone, and before 2025-11-25 there is no other way.
func (r *runner) fitSample(raw json.RawMessage) (json.RawMessage, error) {
	result, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, err
	}
	content, _ := result.Get("content")
	blocks, err := rawjson.Elements(content)
	if err != nil {
		return raw, nil // one block
	}
	if len(blocks) == 1 {
		return result.Set("content", blocks[0]).Raw(), nil
	}
	if version := r.version(); version < mcp.Version20251125 {
		return nil, fmt.Errorf("the answer has %d blocks of content, and %s allows one", len(blocks), version)
	}
	return raw, nil
}

// version is that of the session, or what is offered while it is opened.
func (r *runner) version() string {
	if c := r.session.Load(); c != nil {
		return c.Info().ProtocolVersion
	}
	return mcp.LatestStateful
}
