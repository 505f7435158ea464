package form

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// one parses a form of a single field named f.
func one(t *testing.T, schema string) (*Form, *Field) {
	t.Helper()
	f, err := Parse(context.Background(), json.RawMessage(`{"type":"object","properties":{"f":`+schema+`},"required":["f"]}`))
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Fields[0]
}

// What is typed becomes a value that fits the field, or a reason why not. Every
// kind of both generations is here.
func TestRead(t *testing.T) {
	const (
		old    = `{"type":"string","enum":["r","g"],"enumNames":["Red one","Green one"]}`
		titled = `{"type":"string","oneOf":[{"const":"r","title":"Red, dark"},{"const":"g","title":"Green"}]}`
		multi  = `{"type":"array","items":{"enum":["a","b","c"]},"minItems":1,"maxItems":2}`
		anyOf  = `{"type":"array","items":{"anyOf":[{"const":"a","title":"Alpha"},{"const":"b","title":"Alef"}]}}`
	)
	tests := []struct {
		name, schema, typed, want, reason string
	}{
		{"text", `{"type":"string"}`, "héllo  ", `"héllo  "`, ""},
		{"text that looks like a number", `{"type":"string"}`, "007", `"007"`, ""},
		{"empty text", `{"type":"string"}`, `""`, `""`, ""},
		{"escaped text", `{"type":"string"}`, `\-`, `"-"`, ""},
		{"escaped backslash", `{"type":"string"}`, `\\x`, `"\\x"`, ""},
		{"too short", `{"type":"string","minLength":3}`, "ab", "", "got 2 characters, want at least 3"},
		{"too long", `{"type":"string","maxLength":3}`, "äöüß", "", "got 4 characters, want at most 3"},
		{"characters are counted", `{"type":"string","maxLength":3}`, "äöü", `"äöü"`, ""},
		{"pattern", `{"type":"string","pattern":"^[a-z]+$"}`, "A1", "", `got "A1", want a match of "^[a-z]+$"`},
		{"email", `{"type":"string","format":"email"}`, "a@b.example", `"a@b.example"`, ""},
		{"no email", `{"type":"string","format":"email"}`, "Ada <a@b.example>", "", `f: got "Ada <a@b.example>", want an email address`},
		{"uri", `{"type":"string","format":"uri"}`, "https://example.com/x", `"https://example.com/x"`, ""},
		{"urn", `{"type":"string","format":"uri"}`, "urn:isbn:1", `"urn:isbn:1"`, ""},
		{"no uri", `{"type":"string","format":"uri"}`, "example.com", "", `f: got "example.com", want a URI such as https://example.com/`},
		{"date", `{"type":"string","format":"date"}`, "2024-02-29", `"2024-02-29"`, ""},
		{"no date", `{"type":"string","format":"date"}`, "2023-02-29", "", `f: got "2023-02-29", want a date such as 2026-01-31`},
		{"date-time", `{"type":"string","format":"date-time"}`, "2024-02-29T10:00:00.5+02:00", `"2024-02-29T10:00:00.5+02:00"`, ""},
		{"no date-time", `{"type":"string","format":"date-time"}`, "2024-02-29 10:00", "", `f: got "2024-02-29 10:00", want a date and time such as 2026-01-31T12:00:00Z`},
		{"unknown format", `{"type":"string","format":"colour"}`, "x", `"x"`, ""},

		{"integer", `{"type":"integer"}`, " 42 ", "42", ""},
		{"large integer", `{"type":"integer"}`, "12345678901234567890", "12345678901234567890", ""},
		{"signed", `{"type":"integer"}`, "+5", "5", ""},
		{"no integer", `{"type":"integer"}`, "1.5", "", "got number, want integer"},
		{"no number at all", `{"type":"integer"}`, "x", "", "type a whole number"},
		{"bounds", `{"type":"integer","minimum":0,"maximum":150}`, "151", "", "got 151, want at most 150"},
		{"lower bound", `{"type":"integer","minimum":0}`, "-1", "", "got -1, want at least 0"},
		{"number", `{"type":"number"}`, "0.50", "0.50", ""},
		{"exponent", `{"type":"number"}`, "1e3", "1e3", ""},
		{"not a number", `{"type":"number"}`, "true", "", "type a number, such as 12 or 0.5"},
		{"nothing", `{"type":"number"}`, "+", "", "type a number, such as 12 or 0.5"},

		{"yes", `{"type":"boolean"}`, "Y", "true", ""},
		{"no", `{"type":"boolean"}`, "false", "false", ""},
		{"neither", `{"type":"boolean"}`, "maybe", "", "answer yes or no"},

		{"enum by value", `{"type":"string","enum":["r","g"]}`, "g", `"g"`, ""},
		{"enum by number", `{"type":"string","enum":["r","g"]}`, "2", `"g"`, ""},
		{"enum out of range", `{"type":"string","enum":["r","g"]}`, "3", "", "there are the numbers 1 to 2"},
		{"enum of digits has no numbers", `{"type":"string","enum":["10","1"]}`, "1", `"1"`, ""},
		{"enum of numbers", `{"type":"number","enum":[10,1]}`, "10", `10`, ""},
		{"enumNames", old, "red one", `"r"`, ""},
		{"enumNames by value", old, "r", `"r"`, ""},
		{"oneOf by title", titled, "Red, dark", `"r"`, ""},
		{"oneOf by beginning", titled, "gr", `"g"`, ""},
		{"oneOf of nothing", titled, "blue", "", `"blue" is none of the choices`},

		{"several", multi, "a, 3", `["a","c"]`, ""},
		{"the same twice", multi, "a,1,a", `["a"]`, ""},
		{"too many", multi, "a,b,c", "", "got 3 items, want at most 2"},
		{"too few", multi, "[]", "", "got 0 items, want at least 1"},
		{"none of several", multi, ",", "", "choose at least one, or type [] for none"},
		{"several titled", anyOf, "Alpha,alef", `["a","b"]`, ""},
		{"unclear", anyOf, "al", "", `"al" can mean Alpha or Alef`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			form, field := one(t, tt.schema)
			value, err := field.Read(tt.typed)
			if err == nil {
				err = form.checkField(context.Background(), field, value)
			}
			reason := ""
			if err != nil {
				reason, value = err.Error(), nil
			}
			if diff := cmp.Diff([]string{tt.want, tt.reason}, []string{string(value), reason}); diff != "" {
				t.Errorf("value and reason (-want +got):\n%s", diff)
			}
			if reason == "" {
				content := json.RawMessage(`{"f":` + string(value) + `}`)
				if err := form.Check(context.Background(), content); err != nil {
					t.Errorf("what was read does not pass as an answer: %v", err)
				}
			}
		})
	}
}

func TestShow(t *testing.T) {
	tests := []struct{ schema, value, want string }{
		{`{"type":"string"}`, `"a\u001b"`, "a\x1b"},
		{`{"type":"string"}`, `""`, `""`},
		{`{"type":"boolean"}`, `true`, "yes"},
		{`{"type":"number"}`, `0.50`, "0.50"},
		{`{"type":"string","oneOf":[{"const":"r","title":"Red"}]}`, `"r"`, "Red"},
		{`{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g"}]}}`, `["g","r"]`, "g, Red"},
		{`{"type":"array","items":{"enum":["r"]}}`, `[]`, "none"},
	}
	for _, tt := range tests {
		_, field := one(t, tt.schema)
		if got := field.Show(json.RawMessage(tt.value)); got != tt.want {
			t.Errorf("%s of %s: got %q, want %q", tt.value, tt.schema, got, tt.want)
		}
	}
}

func TestSecret(t *testing.T) {
	tests := []struct {
		field Field
		want  bool
	}{
		{Field{Name: "password"}, true},
		{Field{Name: "x", Title: "API key"}, true},
		{Field{Name: "api_key"}, true},
		{Field{Name: "x", Description: "Your access-token, please"}, true},
		{Field{Name: "PIN"}, true},
		{Field{Name: "spinner", Title: "Monkey keyboard"}, false},
		{Field{Name: "name", Description: "Your name"}, false},
	}
	for _, tt := range tests {
		if got := tt.field.Secret(); got != tt.want {
			t.Errorf("%+v: got %v", tt.field, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"nothing", ``, "requestedSchema is not an object"},
		{"no object", `[]`, "requestedSchema is not an object"},
		{"of a list", `{"type":"array"}`, "requestedSchema is not of type object"},
		{"nested", `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`, `the field "a" is of no type that can be asked for`},
		{"open list", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`, `the list "a" does not say what can be chosen`},
		{"no type", `{"type":"object","properties":{"a":{}}}`, `the field "a" is of no type that can be asked for`},
		{"no schema", `{"type":"object","properties":{"a":1}}`, `schema cannot be used: it is not valid: /properties/a: got a number, want a schema`},
		{"required", `{"type":"object","properties":{},"required":1}`, `schema cannot be used: it is not valid: required: got a number, want an array`},
		{"properties", `{"type":"object","properties":[]}`, `schema cannot be used: it is not valid: properties: got an array, want an object`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(context.Background(), json.RawMessage(tt.schema))
			var unusable *SchemaError
			if !errors.As(err, &unusable) || unusable.Reason != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"string","minLength":1},"e":{"type":"string","format":"email"},` +
		`"l":{"type":"array","items":{"enum":["a"]}}},"required":["n"]}`
	tests := []struct{ content, want string }{
		{`{"n":"x"}`, ""},
		{`{"n":"x","e":"a@b.example","l":["a"]}`, ""},
		{`[]`, "the content is not an object"},
		{`{}`, "missing required property n"},
		{`{"n":""}`, "n: got 0 characters, want at least 1"},
		{`{"n":1}`, "n: got number, want string"},
		{`{"n":"x","e":"no"}`, `e: got "no", want an email address`},
		{`{"n":"x","l":["b"]}`, `l[0]: got "b", want "a"`},
		{`{"n":null}`, "n: only strings, numbers, booleans and lists of strings can be answered"},
		{`{"n":"x","l":[1]}`, "l: only strings, numbers, booleans and lists of strings can be answered"},
		{`{"n":"x","m":1}`, `the form has no field "m"`},
	}
	f, err := Parse(context.Background(), json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		err := f.Check(context.Background(), json.RawMessage(tt.content))
		got := ""
		var unfit *AnswerError
		if errors.As(err, &unfit) {
			got = unfit.Reason
		} else if err != nil {
			got = "of another kind: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.content, got, tt.want)
		}
	}
}
