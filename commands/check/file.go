// Package check is what 'mcpq check' reads, files of steps and what is expected
// of them, and the reports it gives: TAP, JUnit and JSON.
//
// A file is YAML or JSON:
//
//	server: "demo:"                # as -s; the command line comes first
//	steps:
//	  - name: adds exactly         # may be left out
//	    call: add                  # or read, get-prompt, method: as for 'mcpq run'
//	    arguments: {a: 2, b: 3}
//	    expect: .structuredContent.sum == 5
//	  - call: fail
//	    isError: true
//	    expect: [.content | length == 1, '.content[0].type == "text"']
//	  - method: no/such
//	    error: -32601
//	    timeout: 5s
package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"mcpq/commands/batch"
	"mcpq/internal/rawjson"
	"mcpq/internal/yamltree"
	"mcpq/output"
)

// MaxSize bounds a file, in bytes.
const MaxSize = 4 << 20

// File is a list of steps for one server.
type File struct {
	Name   string
	Server string // as for -s; "" leaves it to the command line
	Steps  []*Step
}

// Step is one operation, and what is expected of it. Without more it is that it
// succeeds.
type Step struct {
	File string
	Line int // in the file; 0 if it is not known
	Name string

	Operation batch.Operation
	Expect    []*output.Filter // each must give true on the result, or on the error
	IsError   bool             // the tool is expected to say that it failed
	Error     bool             // a JSON-RPC error is expected
	Code      json.Number      // of that error; "" is any
	Timeout   time.Duration    // 0: as --timeout says
}

// FormatError is a file that is no list of steps.
type FormatError struct {
	File   string
	Line   int    // 0 if it is not known
	Step   string // which; "" for the file
	Reason string
	Err    error
}

func (e *FormatError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if e.Step != "" {
		where += ": " + e.Step
	}
	return where + ": " + e.Reason
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Read reads a file. The error is a *FormatError.
func Read(name string, text []byte) (*File, error) {
	f := &File{Name: name}
	fail := func(line int, err error) error {
		return &FormatError{File: name, Line: line, Reason: err.Error(), Err: err}
	}
	if len(text) > MaxSize {
		return nil, fail(0, fmt.Errorf("it is larger than %d MiB", MaxSize>>20))
	}
	steps, err := f.members(text)
	if err != nil {
		line := 0
		if at, ok := err.(*yamltree.Error); ok {
			line = at.Line
		}
		return nil, fail(line, err)
	}
	if len(steps) == 0 {
		return nil, fail(0, fmt.Errorf("it has no steps"))
	}
	for i, raw := range steps {
		step, err := readStep(raw.json)
		if err != nil {
			return nil, &FormatError{File: name, Line: raw.line, Step: fmt.Sprintf("step %d", i+1), Reason: err.Error(), Err: err}
		}
		step.File, step.Line = name, raw.line
		f.Steps = append(f.Steps, step)
	}
	return f, nil
}

// rawStep is a step as it is written.
type rawStep struct {
	json json.RawMessage
	line int
}

// members finds the steps and sets everything else. JSON is read as such: its
// strings have escapes that those of YAML have not.
func (f *File) members(text []byte) ([]rawStep, error) {
	if object, err := rawjson.ParseObject(text); err == nil {
		var steps []rawStep
		for _, m := range object {
			if m.Key == "steps" {
				list, err := rawjson.Elements(m.Value)
				if err != nil {
					return nil, fmt.Errorf("steps is no list")
				}
				for _, one := range list {
					steps = append(steps, rawStep{json: one})
				}
			} else if err := f.set(m.Key, m.Value); err != nil {
				return nil, err
			}
		}
		return steps, nil
	}
	doc, err := yamltree.Parse(text)
	if err != nil {
		return nil, err
	}
	root, _, err := doc.Resolve("", doc.Root)
	if err != nil {
		return nil, err
	}
	switch root.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		return nil, fmt.Errorf("it is no mapping with steps")
	}
	pairs, err := doc.Pairs("", root)
	if err != nil {
		return nil, err
	}
	var steps []rawStep
	for _, p := range pairs {
		if p.Key == "steps" {
			steps, err = stepsOf(doc, p.Value)
		} else {
			var value json.RawMessage
			if value, err = doc.JSON(p.Key, p.Value); err == nil {
				err = f.set(p.Key, value)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return steps, nil
}

func stepsOf(doc *yamltree.Document, node ast.Node) ([]rawStep, error) {
	node, _, err := doc.Resolve("steps", node)
	if err != nil {
		return nil, err
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return nil, &yamltree.Error{Path: "steps", Line: yamltree.Line(node), Reason: "it is no list"}
	}
	var steps []rawStep
	for i, one := range list.Values {
		raw, err := doc.JSON(fmt.Sprintf("steps[%d]", i), one)
		if err != nil {
			return nil, err
		}
		steps = append(steps, rawStep{raw, yamltree.Line(one)})
	}
	return steps, nil
}

// set takes a member of the file itself.
func (f *File) set(key string, value json.RawMessage) error {
	switch key {
	case "server":
		text, ok := rawjson.Unquote(value)
		if !ok || text == "" {
			return fmt.Errorf("server is %.60s instead of what -s takes", value)
		}
		f.Server = text
		return nil
	case "name", "description", "$schema": // for people and editors
		return nil
	}
	return fmt.Errorf("it has a member %.60q, which means nothing here", key)
}

// readStep reads a step. What is not about expectations is the operation.
func readStep(raw json.RawMessage) (*Step, error) {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("it is no mapping")
	}
	s := new(Step)
	operation := rawjson.Object{}
	for _, m := range object {
		var err error
		switch m.Key {
		case "name":
			err = s.setText(&s.Name, m)
		case "expect":
			s.Expect, err = expectations(m.Value)
		case "isError":
			s.IsError, err = truth(m)
		case "error":
			err = s.setError(m.Value)
		case "timeout":
			err = s.setTimeout(m.Value)
		case "id", "jsonrpc":
			err = fmt.Errorf("it has a member %q, which means nothing here", m.Key)
		default:
			operation = append(operation, m)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.IsError && s.Error {
		return nil, fmt.Errorf("isError and error exclude each other: the one is a result")
	}
	if s.Operation, err = batch.Decode(operation.Raw()); err != nil {
		return nil, err
	}
	if s.Operation.Notify && (len(s.Expect) > 0 || s.IsError || s.Error) {
		return nil, fmt.Errorf("a notification has no answer to expect anything of")
	}
	if s.Name == "" {
		s.Name = nameOf(operation)
	}
	return s, nil
}

// nameOf names a step by what it does.
func nameOf(operation rawjson.Object) string {
	for _, m := range operation {
		if text, ok := rawjson.Unquote(m.Value); ok {
			return m.Key + " " + text
		}
	}
	return ""
}

func (s *Step) setText(to *string, m rawjson.Member) error {
	text, ok := rawjson.Unquote(m.Value)
	if !ok {
		return fmt.Errorf("%s is %.60s instead of a text", m.Key, m.Value)
	}
	*to = strings.TrimSpace(text)
	return nil
}

func truth(m rawjson.Member) (bool, error) {
	switch string(m.Value) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%s is %.60s instead of true or false", m.Key, m.Value)
}

// setError takes the code that is expected, or true for any.
func (s *Step) setError(value json.RawMessage) error {
	switch {
	case string(value) == "true":
		s.Error = true
	case string(value) == "false":
	case len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9') && !strings.ContainsAny(string(value), ".eE"):
		s.Error, s.Code = true, json.Number(value)
	default:
		return fmt.Errorf("error is %.60s instead of a code, or true for any", value)
	}
	return nil
}

func (s *Step) setTimeout(value json.RawMessage) error {
	text, ok := rawjson.Unquote(value)
	if !ok {
		text = string(value) + "s" // a number is of seconds, as on the command line
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("timeout is %.60s instead of a time such as 5s", value)
	}
	s.Timeout = d
	return nil
}

// expectations compiles one expression, or a list of them.
func expectations(value json.RawMessage) ([]*output.Filter, error) {
	list := []json.RawMessage{value}
	if value[0] == '[' {
		var err error
		if list, err = rawjson.Elements(value); err != nil {
			return nil, err
		}
	}
	var all []*output.Filter
	for _, one := range list {
		text, ok := rawjson.Unquote(one)
		if !ok {
			return nil, fmt.Errorf("expect has %.60s instead of a jq expression", one)
		}
		f, err := output.CompileFilter(text)
		if err != nil {
			return nil, fmt.Errorf("expect: %w", err)
		}
		all = append(all, f)
	}
	return all, nil
}
