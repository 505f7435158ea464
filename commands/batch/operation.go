package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mcpq/internal/rawjson"
)

// Operation is what a line asks for: a call of a tool, any other request, or a
// notification.
type Operation struct {
	ID     json.RawMessage // as it was written; nil if the line has none
	Method string
	Params json.RawMessage // a JSON object; nil for none, and where Call says it all

	Call   *Call // of tools/call with a name, however it was written
	Notify bool  // it is a notification
	Short  bool  // the line did not spell the method out
}

// Call is a call of a tool.
type Call struct {
	Name      string
	Arguments json.RawMessage // a JSON object; nil for none
}

// FormatError is a line that is no operation.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return e.Reason }

func wrong(format string, args ...any) error {
	return &FormatError{Reason: fmt.Sprintf(format, args...)}
}

// Decode makes an operation of a line. The parts of it are parts of the line
// where that has no white space to drop. A line that is none is a *FormatError,
// and the operation then has the id if that could be read.
func Decode(line []byte) (Operation, error) {
	object, err := rawjson.ParseObject(line)
	if err != nil {
		return Operation{}, notObject(line, err)
	}
	m, err := sort(object)
	op := Operation{ID: m.id}
	if err == nil {
		err = m.operation(&op)
	}
	return op, err
}

// notObject says what is wrong with a line that is no JSON object.
func notObject(line []byte, err error) error {
	begin := bytes.TrimLeft(line, " \t\r")
	if err == io.ErrUnexpectedEOF && len(begin) > 0 && (begin[0] == '{' || begin[0] == '[') {
		return wrong("the JSON ends too early: an operation is an object on a line of its own, as 'jq -c' writes it")
	}
	return wrong("not a JSON object: %.200v", err)
}

// members are those that an operation may have.
type members struct {
	id, params, arguments json.RawMessage
	verb                  string // the member that says what to do
	object                string // its value
}

// sort finds the members of an object. The id is found whatever is wrong with
// the others.
func sort(object rawjson.Object) (*members, error) {
	m := new(members)
	var failed error
	seen := make(map[string]bool, len(object))
	for _, member := range object {
		err := m.take(member)
		if seen[member.Key] {
			err = wrong("it has more than one member %q", member.Key)
		}
		seen[member.Key] = true
		if failed == nil {
			failed = err
		}
	}
	return m, failed
}

func (m *members) take(member rawjson.Member) error {
	switch member.Key {
	case "id":
		m.id = member.Value
	case "params":
		m.params = member.Value
	case "arguments":
		m.arguments = member.Value
	case "jsonrpc":
		if string(member.Value) != `"2.0"` {
			return wrong("jsonrpc is %.40s instead of \"2.0\"", member.Value)
		}
	case "method", "notify", "call", "read", "get-prompt":
		name, ok := rawjson.Unquote(member.Value)
		switch {
		case m.verb != "":
			return wrong("it has both %q and %q: one line is one operation", m.verb, member.Key)
		case !ok || name == "":
			return wrong("%s is %.40s instead of a name", member.Key, member.Value)
		}
		m.verb, m.object = member.Key, name
	default:
		return wrong("it has a member %.80q, which means nothing here", member.Key)
	}
	return nil
}

// operation fills op in.
func (m *members) operation(op *Operation) error {
	switch {
	case m.verb == "":
		return wrong("it does not say what to do: it has none of method, notify, call, read, get-prompt")
	case m.params != nil && m.params[0] != '{':
		return wrong("params is %.40s instead of an object", m.params)
	case m.arguments != nil && m.arguments[0] != '{':
		return wrong("arguments is %.40s instead of an object", m.arguments)
	}
	key := map[string]string{"call": "name", "get-prompt": "name", "read": "uri"}[m.verb]
	switch {
	case key == "" && m.arguments != nil:
		return wrong("arguments do not go with %q: they are part of params", m.verb)
	case key == "":
		op.Method, op.Params, op.Notify = m.object, m.params, m.verb == "notify"
		op.Call = callIn(op)
		return op.checkNotify(m.verb)
	case m.params != nil:
		return wrong("params do not go with %q", m.verb)
	case m.verb == "read" && m.arguments != nil:
		return wrong("arguments do not go with \"read\"")
	}
	op.Short = true
	if m.verb == "call" {
		op.Method, op.Call = methodCall, &Call{Name: m.object, Arguments: m.arguments}
		return nil
	}
	op.Method = map[string]string{"get-prompt": "prompts/get", "read": "resources/read"}[m.verb]
	params := rawjson.Object{}.Set(key, rawjson.Quote(m.object))
	if m.arguments != nil {
		params = params.Set("arguments", m.arguments)
	}
	op.Params = params.Raw()
	return nil
}

const methodCall = "tools/call"

// callIn finds the call in params; nil if they are not those of one, which is
// then for the server to say.
func callIn(op *Operation) *Call {
	if op.Method != methodCall || op.Notify {
		return nil
	}
	object, err := rawjson.ParseObject(op.Params)
	if err != nil {
		return nil
	}
	raw, _ := object.Get("name")
	name, ok := rawjson.Unquote(raw)
	arguments, given := object.Get("arguments")
	if !ok || given && arguments[0] != '{' {
		return nil
	}
	return &Call{Name: name, Arguments: arguments}
}

// checkNotify refuses a notification that was written as a request: no answer
// to it would ever come.
func (o *Operation) checkNotify(verb string) error {
	if verb == "method" && strings.HasPrefix(o.Method, "notifications/") {
		return wrong("%.80s is a notification: write \"notify\" instead of \"method\"", o.Method)
	}
	return nil
}
