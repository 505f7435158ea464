package check

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const text = `
# a comment
server: "demo:"
steps:
  - &first
    call: add
    arguments: {a: 1e400, b: 12345678901234567890}
    expect: [.a, .b]
  - <<: *first
    name: again
    timeout: 1m
  - {notify: notifications/x}
  - {method: x, error: true}
`
	f, err := Read("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if f.Server != "demo:" || len(f.Steps) != 4 {
		t.Fatalf("%+v", f)
	}
	first, again := f.Steps[0], f.Steps[1]
	if got, want := string(first.Operation.Call.Arguments), `{"a":1e400,"b":12345678901234567890}`; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
	if first.Name != "call add" || first.Line != 5 || len(first.Expect) != 2 {
		t.Errorf("%+v", first)
	}
	if again.Name != "again" || again.Timeout.Minutes() != 1 || again.Operation.Call == nil || again.Operation.Call.Name != "add" {
		t.Errorf("%+v", again)
	}
}

func TestReadRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "f: there is nothing in it",
		"[]":                     "f: it is no mapping with steps",
		"{}":                     "f: it has no steps",
		`{"steps":[]}`:           "f: it has no steps",
		`{"steps":{}}`:           "f: steps is no list",
		"steps: 5":               "f:1: steps: it is no list",
		"step: []":               `f: it has a member "step", which means nothing here`,
		"server: [a]\nsteps: []": `f: server is ["a"] instead of what -s takes`,
		"steps: [5]":             "f:1: step 1: it is no mapping",
		"steps:\n- call: a\n- {call: a, isError: yes}":                         `f:3: step 2: isError is "yes" instead of true or false`,
		"steps: [{call: a, error: 5, isError: true}]":                          "f:1: step 1: isError and error exclude each other: the one is a result",
		"steps: [{call: a, error: x}]":                                         `f:1: step 1: error is "x" instead of a code, or true for any`,
		"steps: [{call: a, error: 1.5}]":                                       `f:1: step 1: error is 1.5 instead of a code, or true for any`,
		"steps: [{call: a, timeout: soon}]":                                    `f:1: step 1: timeout is "soon" instead of a time such as 5s`,
		"steps: [{call: a, timeout: -1}]":                                      `f:1: step 1: timeout is -1 instead of a time such as 5s`,
		"steps: [{call: a, expect: 5}]":                                        "f:1: step 1: expect has 5 instead of a jq expression",
		"steps: [{notify: notifications/x, expect: .a}]":                       "f:1: step 1: a notification has no answer to expect anything of",
		"steps: [{call: a, read: b}]":                                          `f:1: step 1: it has both "call" and "read": one line is one operation`,
		"steps: [{name: a}]":                                                   "f:1: step 1: it does not say what to do: it has none of method, notify, call, read, get-prompt",
		"steps:\n  - call: a\n    arguments: {x: .inf}\n":                      "f:3: steps[0].arguments.x: JSON has no number .inf",
		"steps: [{call: a, id: 7}]":                                            `f:1: step 1: it has a member "id", which means nothing here`,
		"steps: [" + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "]": "f:1: it nests too deep",
	} {
		_, err := Read("f", []byte(text))
		var format *FormatError
		if !errors.As(err, &format) || err.Error() != want {
			t.Errorf("%.60q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		step   string
		answer Answer
		want   string
	}{
		{`{call: a}`, Answer{Result: json.RawMessage(`{}`)}, ""},
		{`{call: a}`, Answer{Failed: errors.New("it is gone")}, "it is gone"},
		{`{call: a}`, Answer{Result: json.RawMessage(`{}`), IsError: true}, "the tool says that it failed"},
		{`{call: a, isError: true}`, Answer{Result: json.RawMessage(`{}`)}, "the tool does not say that it failed"},
		{`{call: a, isError: true}`, Answer{Result: json.RawMessage(`{}`), IsError: true}, ""},
		{`{call: a, isError: true}`, Answer{Error: json.RawMessage(`{}`), Code: "-1", Message: "no"}, "the server answered with error -1: no"},
		{`{call: a, error: true}`, Answer{Error: json.RawMessage(`{}`), Code: "-1"}, ""},
		{`{call: a, error: -2}`, Answer{Error: json.RawMessage(`{}`), Code: "-1", Message: "no"}, "the server answered with error -1 instead of -2: no"},
		{`{call: a, error: -2, expect: .code == -2}`, Answer{Error: json.RawMessage(`{"code":-2}`), Code: "-2"}, ""},
		{`{call: a, error: true}`, Answer{Result: json.RawMessage(`{}`)}, "the server answered with a result instead of an error"},
		{`{call: a, expect: .n}`, Answer{Result: json.RawMessage(`{"n":0}`)}, ""},
		{`{call: a, expect: .n}`, Answer{Result: json.RawMessage(`{}`)}, ".n is null"},
		{`{call: a, expect: ".n[]"}`, Answer{Result: json.RawMessage(`{"n":[]}`)}, ".n[] gives no value"},
		{`{call: a, expect: [.n, .m]}`, Answer{Result: json.RawMessage(`{"n":1,"m":false}`)}, ".m is false"},
		{`{notify: b}`, Answer{}, ""},
	} {
		f, err := Read("f", []byte("steps: ["+c.step+"]"))
		if err != nil {
			t.Fatal(err)
		}
		o := f.Steps[0].Judge(context.Background(), &c.answer, 0)
		if o.Problem != c.want || o.Passed() != (c.want == "") {
			t.Errorf("%s on %+v: %q, want %q", c.step, c.answer, o.Problem, c.want)
		}
	}
}

func TestReportsAreSafe(t *testing.T) {
	o := &Outcome{
		Step:    &Step{File: "f<>.yaml", Name: "a # b\n\x1b]52;c;x\x07"},
		Problem: "\x1b[2J & \u202e",
		Got:     json.RawMessage(`"` + strings.Repeat("é", maxShown) + "\u009b" + `"`),
	}
	tap := o.TAP(1)
	if strings.ContainsAny(tap, "\x1b\x07\u202e\u009b") || strings.Count(tap, "\n") != 6 || !strings.Contains(tap, `a \# b`) {
		t.Errorf("%q", tap)
	}
	junit := JUnit([]*File{{Name: "f<>.yaml"}}, []*Outcome{o})
	if strings.ContainsAny(junit, "\x1b\x07") || !strings.Contains(junit, `name="f&lt;&gt;.yaml"`) {
		t.Errorf("%q", junit)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"steps: [{call: a}]", `{"steps":[{"call":"a","expect":".x"}]}`, "steps:\n- &a {call: b}\n- *a\n", "steps: [{method: x, error: -1}]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 2048 {
			return
		}
		file, err := Read("f", text)
		if err != nil {
			return
		}
		for _, s := range file.Steps {
			s.Judge(context.Background(), &Answer{Result: json.RawMessage(`{"a":[1]}`)}, 0).TAP(1)
		}
	})
}
