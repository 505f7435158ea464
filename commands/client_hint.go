package commands

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"mcpq/commands/form"
	"mcpq/mcp"
)

// Error codes that ask something of the client: a capability that was not
// declared (2026-07-28) and pages to be visited (2025-11-25).
const (
	codeMissingCapability = -32021
	codeURLRequired       = -32042
)

// What a server may want of its client.
const (
	wantForm     = "form"
	wantURL      = "url"
	wantSampling = "sampling"
	wantTools    = "sampling with tools"
	wantRoots    = "roots"
)

// answerHint names the flags that would answer what the server wanted, when err
// says that it wanted something that was not declared to it.
func (r *runner) answerHint(err error) string {
	if err == nil || r.answers == nil {
		return ""
	}
	var wants []string
	var input *mcp.InputRequiredError
	var rpc *mcp.RPCError
	var tool *ToolFailedError
	switch {
	case errors.As(err, &input):
		for _, request := range input.Requests {
			wants = append(wants, wantOf(request))
		}
		if len(wants) == 1 && wants[0] == wantForm && r.flagFor(wantForm) != "" {
			return r.flagFor(wantForm) + fieldsOf(input.Requests)
		}
	case errors.As(err, &rpc) && rpc.Err.Code == codeMissingCapability:
		wants = missingCapabilities(rpc.Err.Data)
	case errors.As(err, &rpc) && rpc.Err.Code == codeURLRequired:
		wants = []string{wantURL}
	case r.refused.Load(): // the hint was given then
	case errors.As(err, &rpc):
		wants = wantsIn(rpc.Err.Message)
	case errors.As(err, &tool):
		wants = wantsIn(tool.Said)
	}
	return r.hintFor(wants)
}

// fieldsOf names the fields of the one form that is asked for.
func fieldsOf(requests map[string]mcp.InputRequest) string {
	for _, request := range requests {
		var p elicitation
		_ = json.Unmarshal(request.Params, &p) // what is missing shows below
		if f, err := form.Parse(context.Background(), p.RequestedSchema); err == nil {
			return "; " + fieldNames(f)
		}
	}
	return ""
}

// hintFor words the flags for all wants that nothing answers yet.
func (r *runner) hintFor(wants []string) string {
	var hints []string
	for _, want := range wants {
		if h := r.flagFor(want); h != "" && !slices.Contains(hints, h) {
			hints = append(hints, h)
		}
	}
	slices.Sort(hints)
	return strings.Join(hints, "; ")
}

// flagFor names the flags for one want; "" if it was declared, and something
// else went wrong.
func (r *runner) flagFor(want string) string {
	a := r.answers
	switch want {
	case wantForm:
		if a.elicit == "" && a.elicitExec == "" {
			return "--elicit-data JSON, --elicit accept, decline or cancel, and --elicit-exec CMD answer elicitation; on a terminal --elicit ask is the default"
		}
	case wantURL:
		if a.elicit != elicitAsk && a.elicitExec == "" {
			return "a web page can be visited from a terminal (--elicit ask) or with --elicit-exec CMD"
		}
	case wantSampling:
		if a.sampleExec == "" && a.sample == nil {
			return "--sample-exec CMD and --sample-file FILE answer sampling"
		}
	case wantTools:
		if a.sampleExec == "" {
			return "--sample-exec CMD answers sampling with tools"
		}
	case wantRoots:
		if len(a.roots) == 0 {
			return "--root DIR tells the server of a root"
		}
	}
	return ""
}

func wantOf(request mcp.InputRequest) string {
	switch request.Method {
	case "elicitation/create":
		var p elicitation
		if json.Unmarshal(request.Params, &p) == nil && p.Mode == "url" {
			return wantURL
		}
		return wantForm
	case "sampling/createMessage":
		var p struct {
			Tools json.RawMessage `json:"tools"`
		}
		if json.Unmarshal(request.Params, &p) == nil && p.Tools != nil {
			return wantTools
		}
		return wantSampling
	case "roots/list":
		return wantRoots
	}
	return ""
}

// missingCapabilities reads the data of the error about them.
func missingCapabilities(data json.RawMessage) (wants []string) {
	var d struct {
		Required struct {
			Elicitation, Sampling map[string]json.RawMessage
			Roots                 json.RawMessage
		} `json:"requiredCapabilities"`
	}
	if json.Unmarshal(data, &d) != nil {
		return nil
	}
	if e := d.Required.Elicitation; e != nil {
		_, url := e["url"]
		_, form := e["form"]
		if url {
			wants = append(wants, wantURL)
		}
		if form || !url {
			wants = append(wants, wantForm)
		}
	}
	if s := d.Required.Sampling; s != nil {
		if _, tools := s["tools"]; tools {
			wants = append(wants, wantTools)
		} else {
			wants = append(wants, wantSampling)
		}
	}
	if d.Required.Roots != nil {
		wants = append(wants, wantRoots)
	}
	return wants
}

// wantsIn finds what a server's own words say that it misses. They are only
// good for a hint.
func wantsIn(text string) (wants []string) {
	text = strings.ToLower(text)
	for word, want := range map[string]string{
		"elicit": wantForm, "sampling": wantSampling, "createmessage": wantSampling,
		"roots capability": wantRoots, "roots not supported": wantRoots, "support roots": wantRoots, "roots/list": wantRoots,
	} {
		if strings.Contains(text, word) {
			wants = append(wants, want)
		}
	}
	return wants
}

// warnUnanswered tells of a request of the server that got an error: once, since
// a server may go on asking.
func (r *runner) warnUnanswered(err *mcp.UnansweredError) {
	again := r.refused.Swap(true)
	if wantOf(err.Request) == "" || again && r.grammar.Verbose == 0 {
		return
	}
	r.messages.Warningf("%v", err)
	if h := r.hintFor([]string{wantOf(err.Request)}); h != "" {
		r.messages.Hintf("%s", h)
	}
}
