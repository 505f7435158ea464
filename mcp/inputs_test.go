package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"mcpq/mcp/jsonrpc"
)

// A server may only give its state, to be asked again later: it is asked ever
// more slowly, and not for ever.
func TestInputStateOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var states []string
		var gaps []time.Duration
		last := time.Now()
		client := answering(t, Options{}, func(m sent) string {
			var p struct{ RequestState string }
			must(json.Unmarshal(m.Params, &p))
			states = append(states, p.RequestState)
			gaps, last = append(gaps, time.Since(last)), time.Now()
			return `{"resultType":"input_required","requestState":"s` + string(rune('a'+len(states))) + `"}`
		})
		_, err := client.CallTool(t.Context(), &Call{Name: "x"})
		var broken *ProtocolError
		if !errors.As(err, &broken) || len(states) != maxRounds+1 {
			t.Errorf("after %d rounds: %v", len(states), err)
		}
		if states[0] != "" || states[1] != "sb" || states[2] != "sc" {
			t.Errorf("states %q", states)
		}
		if gaps[1] != 200*time.Millisecond || gaps[2] != 400*time.Millisecond || gaps[maxRounds] != 5*time.Second {
			t.Errorf("gaps %v", gaps)
		}
	})
}

// Waiting for a server's state ends with the caller's context.
func TestInputStateOnlyStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := answering(t, Options{}, func(sent) string { return `{"resultType":"input_required","requestState":"s"}` })
		ctx, done := during(time.Second)
		defer done()
		if _, err := client.CallTool(ctx, &Call{Name: "x"}); err != errStop {
			t.Errorf("got %v", err)
		}
	})
}

func TestInputRefused(t *testing.T) {
	refused := &RefusedError{Reason: "not today"}
	client := answering(t, Options{Handlers: Handlers{
		Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, refused },
	}}, func(sent) string {
		return `{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}}`
	})
	_, err := client.CallTool(context.Background(), &Call{Name: "x"})
	var required *InputRequiredError
	if !errors.As(err, &required) || required.Err != refused || required.Requests["k"].Method != methodSample {
		t.Errorf("got %v", err)
	}
}

// A sampling request against the rules is not shown to anybody.
func TestInputSamplingRules(t *testing.T) {
	client := answering(t, Options{Handlers: Handlers{
		Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			t.Error("it was asked")
			return nil, errors.New("asked")
		},
	}}, func(sent) string {
		return `{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}}}`
	})
	_, err := client.CallTool(context.Background(), &Call{Name: "x"})
	var required *InputRequiredError
	var rpc *jsonrpc.Error
	if !errors.As(err, &required) || !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("got %v", err)
	}
}

func FuzzInputRequired(f *testing.F) {
	f.Add([]byte(`{"inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}`))
	f.Add([]byte(`{"inputRequests":null,"requestState":null}`))
	f.Add([]byte(`{"requestState":"a","requestState":7}`))
	f.Fuzz(func(t *testing.T, result []byte) {
		requests, state, err := inputRequired("tools/call", result)
		if err != nil {
			return
		}
		var text string
		if state != nil && json.Unmarshal(state, &text) != nil {
			t.Errorf("state %s of %s", state, result)
		}
		if state == nil && requests == nil {
			t.Errorf("nothing to go on with in %s", result)
		}
	})
}
