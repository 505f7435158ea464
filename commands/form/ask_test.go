package form

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/internal/rawjson"
)

type screen struct {
	io.Reader
	bytes.Buffer
}

func (s *screen) Read(p []byte) (int, error) { return s.Reader.Read(p) }

const askSchema = `{"type":"object","properties":{
	"name":{"type":"string","title":"Your name","description":"As on\nthe door","minLength":1},
	"colour":{"type":"string","enum":["red","green"],"default":"green"},
	"age":{"type":"integer","minimum":0}},"required":["name","colour"]}`

func TestAsk(t *testing.T) {
	tests := []struct {
		name, typed, given string
		want               string // action and content
		shows              []string
	}{
		{"all given", "Ada\nred\n36\ny\n", "", `accept {"name":"Ada","colour":"red","age":36}`,
			[]string{"server x asks:", "  Who?", "1/3 Your name (text, at least 1 characters, required)", "  As on\n  the door", "  1) red", "3/3 age (whole number, at least 0, optional)"}},
		{"defaults and what is left out", "Ada\n\n\ny\n", "", `accept {"name":"Ada","colour":"green"}`, []string{"[green] > ", "  3) age: (left out)"}},
		{"required", "\n-\nAda\n-\n\n\ny\n", "", `accept {"name":"Ada","colour":"green"}`, []string{"! this field is required"}},
		{"asked until valid", "Ada\nblue\nred\n-1\nx\n1\ny\n", "", `accept {"name":"Ada","colour":"red","age":1}`,
			[]string{`! "blue" is none of the choices`, "! got -1, want at least 0", "! type a whole number"}},
		{"back", "Ada\n:b\nBob\n\n\ny\n", "", `accept {"name":"Bob","colour":"green"}`, []string{"[Ada] > "}},
		{"changed at the end", "Ada\n\n\n1\nBob\n3\n7\ny\n", "", `accept {"name":"Bob","colour":"green","age":7}`, []string{"1-3 to change", "  1) Your name: Bob"}},
		{"a value taken away at the end", "Ada\n\n5\n3\n-\ny\n", "", `accept {"name":"Ada","colour":"green"}`, nil},
		{"given values come first", "\n\n\ny\n", `{"colour":"red","name":"Eve"}`, `accept {"name":"Eve","colour":"red"}`, []string{"[Eve] > "}},
		{"a given value is checked", "Ada\n\n\n4\ny\n", `{"age":-4}`, `accept {"name":"Ada","colour":"green","age":4}`, []string{"! got -4, want at least 0"}},
		{"an empty line sends nothing", "Ada\n\n\n\n\nx\ny\n", "", `accept {"name":"Ada","colour":"green"}`, nil},
		{"declined at a field", "Ada\n:d\n", "", "decline ", nil},
		{"declined at the end", "Ada\n\n\nd\n", "", "decline ", nil},
		{"cancelled at a field", ":c\n", "", "cancel ", nil},
		{"cancelled at the end", "Ada\n\n\nc\n", "", "cancel ", nil},
		{"end of input", "Ada\n", "", "cancel ", nil},
		{"end of input at the end", "Ada\n\n\n", "", "cancel ", nil},
		{"explained", ":?\n:c\n", "", "cancel ", []string{"decline: tell the server"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse(context.Background(), json.RawMessage(strings.Replace(askSchema, `"colour":{`, `"colour":{"title":"Colour",`, 1)))
			if err != nil {
				t.Fatal(err)
			}
			var given rawjson.Object
			if tt.given != "" {
				if given, err = rawjson.ParseObject([]byte(tt.given)); err != nil {
					t.Fatal(err)
				}
			}
			s := &screen{Reader: strings.NewReader(tt.typed)}
			answer, err := f.Ask(context.Background(), NewTerminal(s, false), Question{Server: "server x", Message: "Who?", Given: given})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, answer.Action+" "+string(answer.Content)); diff != "" {
				t.Errorf("answer (-want +got):\n%s\n%s", diff, s.String())
			}
			for _, text := range tt.shows {
				if !strings.Contains(s.String(), text) {
					t.Errorf("%q is not shown:\n%s", text, s.String())
				}
			}
		})
	}
}

// Nothing that a server says steers the terminal.
func TestAskIsSafe(t *testing.T) {
	const hostile = `\u001b[2J\u202e\u0007`
	f, err := Parse(context.Background(), json.RawMessage(`{"type":"object","properties":{"a`+hostile+`":{"type":"string",
		"title":"t`+hostile+`","description":"d`+hostile+`","default":"v`+hostile+`","pattern":"`+hostile+`|."},
		"b":{"type":"string","oneOf":[{"const":"x`+hostile+`","title":"o`+hostile+`"}]},
		"password":{"type":"boolean"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{Reader: strings.NewReader("\nzzz\n\n\n")}
	message, _ := rawjson.Unquote([]byte(`"m` + hostile + `"`))
	if _, err := f.Ask(context.Background(), NewTerminal(s, false), Question{Server: message, Message: message}); err != nil {
		t.Fatal(err)
	}
	for i, r := range s.String() {
		if r < ' ' && r != '\n' || r == 0x202e {
			t.Fatalf("character %q at %d of:\n%q", r, i, s.String())
		}
	}
	if !strings.Contains(s.String(), "! this looks like a password") {
		t.Errorf("no warning:\n%s", s.String())
	}
}

// A question ends with its context, and what was asked for last is read by the
// next one.
func TestAskEnds(t *testing.T) {
	f, _ := one(t, `{"type":"string"}`)
	in, typing := io.Pipe()
	terminal := NewTerminal(&screen{Reader: in}, false)
	why := errors.New("taken back")
	ctx, cancel := context.WithCancelCause(context.Background())
	done := make(chan error)
	go func() {
		_, err := f.Ask(ctx, terminal, Question{})
		done <- err
	}()
	cancel(why)
	if err := <-done; !errors.Is(err, why) {
		t.Fatalf("got %v", err)
	}
	go func() { _, _ = io.WriteString(typing, "late\ny\n") }()
	answer, err := f.Ask(context.Background(), terminal, Question{})
	if err != nil || string(answer.Content) != `{"f":"late"}` {
		t.Errorf("got %v, %v", answer, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(askSchema, "1")
	f.Add(`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"const":"x","title":"y"}]}}}}`, "y, x")
	f.Add(`{"properties":{"a":{"enum":[1,null],"enumNames":["x"]}}}`, ":b")
	f.Fuzz(func(t *testing.T, schema, typed string) {
		form, err := Parse(context.Background(), json.RawMessage(schema))
		if err != nil {
			return
		}
		s := &screen{Reader: strings.NewReader(strings.Repeat(typed+"\n", 5) + strings.Repeat("\n", 300) + "y\n")}
		answer, err := form.Ask(context.Background(), NewTerminal(s, false), Question{})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Action == Accept {
			if err := form.Check(context.Background(), answer.Content); err != nil {
				t.Errorf("%s does not fit: %v", answer.Content, err)
			}
		}
	})
}
