package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// Handlers are what a server may ask of, or tell, the client. Each may be nil:
// then the capability is not declared, and a server that asks all the same gets
// an error. They serve both eras alike.
type Handlers struct {
	// Log takes log messages of the server.
	Log func(LogMessage)

	// Progress takes progress of requests in flight.
	Progress func(Progress)

	// Notification takes every notification, also those above.
	Notification func(method string, params json.RawMessage)

	// Warn takes what had to be ignored, and why.
	Warn func(error)

	// Roots gives the folders the server may work in; their URIs begin with
	// file://.
	Roots func(ctx context.Context) ([]Root, error)

	// Elicit answers elicitation/create in form mode: the request's params
	// give the result object. While this handler or one of those below runs,
	// the time limits of requests in flight stand still.
	Elicit func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

	// ElicitURL answers elicitation/create in url mode. It is also asked about
	// each visit that a server of 2025-11-25 makes a condition of a request
	// (error -32042); after consent to all of them the request is made again.
	ElicitURL func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

	// AwaitVisits waits with a person who has consented to the visits that a
	// request requires (error -32042), and tells whether to try the request
	// again. done is closed when the server says that the visits are over,
	// which it may never do. Where it is set, visits have no other time limit.
	// Nil is to try once, wait for the server's word within the time limit of
	// the request, and try once more.
	AwaitVisits func(ctx context.Context, done <-chan struct{}) (again bool, err error)

	// Sample answers sampling/createMessage. SampleTools tells that it can
	// take tools.
	Sample      func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)
	SampleTools bool

	// Tasks lets servers of 2025-11-25 make tasks of the requests above: they
	// get an answer at once and ask for the outcome later.
	Tasks bool
}

// Root is a folder that a server may work in.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// LogMessage is a notifications/message.
type LogMessage struct {
	Level  string          `json:"level"`
	Logger string          `json:"logger"`
	Data   json.RawMessage `json:"data"`
}

// Progress is a notifications/progress of a request in flight.
type Progress struct {
	Method   string      // the request's
	Progress json.Number // as spelled by the server
	Total    json.Number // "" when unknown
	Message  string
	Params   json.RawMessage
}

// RefusedError is a handler's word that the person or program behind it does
// not want to answer.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// codeRefused is what sampling's page gives for a user's refusal.
const codeRefused = -1

// capabilities declares what h can do, in the words of the version.
func (h *Handlers) capabilities(version string, extensions []string) json.RawMessage {
	f := featuresOf(version)
	var members []string
	if h.Roots != nil {
		members = append(members, `"roots":{}`)
	}
	if h.Sample != nil {
		tools := ""
		if h.SampleTools && f.samplingTools {
			tools = `"tools":{}`
		}
		members = append(members, `"sampling":{`+tools+`}`)
	}
	if f.elicitation && (h.Elicit != nil || h.ElicitURL != nil && f.elicitationModes) {
		var modes []string
		if f.elicitationModes && h.Elicit != nil {
			modes = append(modes, `"form":{}`)
		}
		if f.elicitationModes && h.ElicitURL != nil {
			modes = append(modes, `"url":{}`)
		}
		members = append(members, `"elicitation":{`+strings.Join(modes, ",")+`}`)
	}
	if f.taskRequests && h.servesTasks() {
		members = append(members, h.taskCapability())
	}
	if len(extensions) > 0 && f.extensions {
		var ids []string
		for _, id := range extensions {
			ids = append(ids, string(rawjson.Quote(id))+`:{}`)
		}
		members = append(members, `"extensions":{`+strings.Join(ids, ",")+`}`)
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// Requests that a server makes.
const (
	methodRoots  = "roots/list"
	methodSample = "sampling/createMessage"
	methodElicit = "elicitation/create"
)

// answer makes the result for a request of the server, whether it came as a
// request of its own or inside an input_required result.
func (h *Handlers) answer(ctx context.Context, f features, method string, params json.RawMessage) (json.RawMessage, error) {
	handle, err := h.handler(f, method, params)
	if err != nil {
		return nil, err
	}
	return handle.result(ctx, method, params)
}

type handlerFunc func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

// result runs a handler. What it gives may come from another program, and is
// made fit to be sent.
func (handle handlerFunc) result(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	raw, err := handle(ctx, params)
	if err != nil {
		return nil, err
	}
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("the answer to %s is not a JSON object: %w", method, err)
	}
	return object.Raw(), nil
}

// handler finds who answers a request in a version with the features f. The
// error, if there is nobody, is what the server is told.
func (h *Handlers) handler(f features, method string, params json.RawMessage) (handlerFunc, error) {
	unsupported := func(what string) error {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: what + " not supported"}
	}
	switch method {
	case "ping":
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage("{}"), nil }, nil
	case methodRoots:
		if h.Roots == nil {
			return nil, unsupported("Roots")
		}
		return h.roots, nil
	case methodSample:
		if h.Sample == nil {
			return nil, unsupported("Sampling")
		}
		if err := checkSampling(params, h.SampleTools && f.samplingTools); err != nil {
			return nil, err
		}
		return h.Sample, nil
	case methodElicit:
		if !f.elicitation || h.Elicit == nil && (h.ElicitURL == nil || !f.elicitationModes) {
			return nil, unsupported("Elicitation")
		}
		return h.elicit(f, params)
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found: " + method}
}

func (h *Handlers) roots(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
	roots, err := h.Roots(ctx)
	if err != nil {
		return nil, err
	}
	if roots == nil {
		roots = []Root{}
	}
	return json.Marshal(map[string][]Root{"roots": roots})
}

// elicit finds the handler for the mode that is asked for.
func (h *Handlers) elicit(f features, params json.RawMessage) (handlerFunc, error) {
	var p struct {
		Mode string `json:"mode"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params are not those of elicitation/create"}
	}
	switch {
	case (p.Mode == "" || p.Mode == "form") && h.Elicit != nil:
		return h.Elicit, nil
	case p.Mode == "url" && f.elicitationModes && h.ElicitURL != nil:
		return h.ElicitURL, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("Elicitation mode %q is not supported", p.Mode)}
}
