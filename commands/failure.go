package commands

import (
	"encoding/json"
	"errors"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
	"mcpq/output"
)

// errorsJSON is the value of --errors that makes a failure a line of JSON.
const errorsJSON = "json"

// newMessages makes the messages on stderr, before the command line is parsed.
func (r *runner) newMessages(args []string) *output.Messages {
	m := output.NewMessages(r.env.Err)
	m.Redact(output.Redaction{Text: r.secrets.text, JSON: r.secrets.json, Begun: r.secrets.begun})
	color := output.ColorAuto
	if c := wordValue(args, "--color"); c != "" {
		color = output.Color(c)
	}
	m.Colour(r.env.ErrTTY && terminalColour(color, r.env))
	return m
}

// wordValue finds the value of a flag among the words of the command line: for
// what has to be known also when they cannot be parsed.
func wordValue(args []string, flag string) string {
	value := ""
	for i, a := range args {
		if a == "--" {
			break
		}
		if v, ok := strings.CutPrefix(a, flag+"="); ok {
			value = v
		} else if a == flag && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return value
}

// failure is what is told of an error.
type failure struct {
	Kind    string          `json:"kind"`
	Exit    int             `json:"exit"`
	Code    *int64          `json:"code,omitempty"`   // of a JSON-RPC error
	Status  int             `json:"status,omitempty"` // of an HTTP error
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"` // of a JSON-RPC error
	Hint    string          `json:"hint,omitempty"`
}

// failureOf gathers what an error says.
func failureOf(err error) *failure {
	f := &failure{Exit: exitCode(err), Message: err.Error()}
	f.Kind = kindOf(f.Exit)
	var (
		rpc     *jsonrpc.Error
		missing *mcp.CapabilityError
		unknown *mcp.UnknownToolError
		http    *transport.HTTPError
	)
	// Some requests are not sent because their answer is known: the code is that
	// of the answer.
	code := func(c int64) { f.Code = &c }
	switch {
	case errors.As(err, &rpc):
		code(rpc.Code)
		f.Data = rpc.Data
	case errors.As(err, &missing):
		code(jsonrpc.CodeMethodNotFound)
	case errors.As(err, &unknown):
		code(jsonrpc.CodeInvalidParams)
	}
	if errors.As(err, &http) {
		f.Status = http.Status
	}
	return f
}

// report tells of a failure: in text with the hints on lines of their own, or
// in one line of JSON.
func (r *runner) report(err error, asJSON bool) {
	if saidByCode(err) {
		return
	}
	f := failureOf(err)
	var hints []string
	var write *output.WriteError
	if f.Exit == exitBug && !errors.As(err, &write) && !diskFails(err) { // a full disk is nobody's mistake
		hints = append(hints, "this is not expected to happen; please report it")
	}
	for _, h := range []string{hint(err), r.answerHint(err)} {
		if h != "" {
			hints = append(hints, h)
		}
	}
	if asJSON {
		f.Hint = strings.Join(hints, "; ")
		r.messages.JSON(f.encode(&r.secrets))
		return
	}
	r.messages.Errorf("%s", f.Message)
	for _, h := range hints {
		r.messages.Hintf("%s", h)
	}
}

// encode makes the line of JSON.
func (f *failure) encode(s *secrets) json.RawMessage {
	return rawjson.Object{}.Set("error", f.object(s)).Raw()
}

// object is the failure in JSON. What the server wrote into data stays as it is.
func (f *failure) object(s *secrets) json.RawMessage {
	safe := *f
	safe.Message, safe.Hint = s.text(f.Message), s.text(f.Hint)
	safe.Data = s.json(f.Data)
	object, err := marshal(&safe)
	if err != nil { // data has come as part of a JSON document
		panic(err)
	}
	return object
}
