package schema

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidate(t *testing.T) {
	const add = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`
	tests := []struct {
		name, schema, instance string
		want                   []string // reasons; none if it fits
	}{
		{"fits", add, `{"a":1,"b":2}`, nil},
		{"integer with a zero fraction", add, `{"a":1.0,"b":2e3}`, nil},
		{"missing", add, `{"a":1}`, []string{"missing required argument b"}},
		{"missing both", add, `{}`, []string{"missing required argument a", "missing required argument b"}},
		{"wrong type", add, `{"a":"x","b":2}`, []string{"a: got string, want integer"}},
		{"deeper first", add, `{"a":1.5,"c":2}`, []string{"a: got number, want integer", "unknown argument c", "missing required argument b"}},
		{"name with controls", `{"additionalProperties":false}`, `{"\u001b[2J":1}`, []string{`unknown argument "\x1b[2J"`}},
		{"nested", `{"properties":{"a":{"items":{"required":["x"]}}}}`, `{"a":[{"x":1},{}]}`, []string{"a[1]: missing required property x"}},
		{"odd name", `{"properties":{"a b":{"properties":{"c.d":{"type":"null"}}}}}`, `{"a b":{"c.d":1}}`, []string{`["a b"]["c.d"]: got number, want null`}},
		{"enum", `{"properties":{"f":{"enum":["json","text",1]}}}`, `{"f":"jsno"}`, []string{`f: got "jsno", want one of "json", "text", 1`}},
		{"const", `{"properties":{"f":{"const":null}}}`, `{"f":0}`, []string{`f: got 0, want null`}},
		{"optional", `{"properties":{"f":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`, `{"f":"x"}`, []string{`f: got string, want integer or null`}},
		{"one branch left", `{"properties":{"f":{"oneOf":[{"type":"object","required":["x"]},{"type":"null"}]}}}`, `{"f":{}}`, []string{`f: missing required property x`}},
		{"no branch", `{"properties":{"f":{"anyOf":[{"minimum":5},{"multipleOf":4}]}}}`, `{"f":3}`, []string{`f: fits none of the forms that are allowed`}},
		{"two branches", `{"oneOf":[{},{}]}`, `{}`, []string{`fits more than one of the forms of which it must be one`}},
		{"big integers differ", `{"properties":{"n":{"maximum":9007199254740992}}}`, `{"n":9007199254740993}`, []string{`n: got 9007199254740993, want at most 9007199254740992`}},
		{"bigger integers", `{"properties":{"n":{"type":"integer","const":123456789012345678901234567890}}}`, `{"n":123456789012345678901234567890}`, nil},
		{"huge number", `{"properties":{"n":{"type":"number","minimum":1}}}`, `{"n":1e400}`, nil},
		{"fraction", `{"properties":{"n":{"multipleOf":0.1}}}`, `{"n":0.3}`, nil},
		{"minus zero", `{"properties":{"n":{"type":"integer","minimum":0}}}`, `{"n":-0}`, nil},
		{"length in characters", `{"properties":{"s":{"maxLength":2}}}`, `{"s":"äöü"}`, []string{"s: got 3 characters, want at most 2"}},
		{"pattern", `{"properties":{"s":{"pattern":"^[a-z]+$"}}}`, `{"s":"A"}`, []string{`s: got "A", want a match of "^[a-z]+$"`}},
		{"pattern in ECMA spelling", `{"properties":{"s":{"pattern":"^\\u0041\\cA$"}}}`, `{"s":"A\u0001"}`, nil},
		{"pattern with a look-ahead checks nothing", `{"required":["s"],"properties":{"s":{"pattern":"^(?!x)"}}}`, `{"s":"x"}`, nil},
		{"the rest of that schema is checked", `{"required":["s"],"properties":{"s":{"pattern":"^(?!x)"}}}`, `{}`, []string{"missing required argument s"}},
		{"format is no assertion", `{"properties":{"s":{"format":"uri"}}}`, `{"s":"not a uri"}`, nil},
		{"nor in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"s":{"format":"email"},"r":{"format":"regex"}}}`, `{"s":"x","r":"("}`, nil},
		{"draft-04", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"n":{"minimum":1,"exclusiveMinimum":true}}}`, `{"n":1}`, []string{"n: got 1, want more than 1"}},
		{"draft-06", `{"$schema":"http://json-schema.org/draft-06/schema#","properties":{"n":{"const":1}}}`, `{"n":2}`, []string{"n: got 2, want 1"}},
		{"draft-07 tuple", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"t":{"items":[{"type":"string"}],"additionalItems":false}}}`, `{"t":["a",1]}`, []string{"t: the last 1 items are too many"}},
		{"2019-09", `{"$schema":"https://json-schema.org/draft/2019-09/schema","dependentRequired":{"a":["b"]}}`, `{"a":1}`, []string{"missing argument b, required with a"}},
		{"2020-12 prefixItems", `{"properties":{"t":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"t":["a",1]}`, []string{"t[1]: nothing is allowed here"}},
		{"local reference", `{"$defs":{"i":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/i"}}}`, `{"a":true}`, []string{"a: got boolean, want integer"}},
		{"reference by $id", `{"$id":"https://example.com/root","$defs":{"i":{"$id":"int","type":"integer"}},"properties":{"a":{"$ref":"int"}}}`, `{"a":true}`, []string{"a: got boolean, want integer"}},
		{"anchor", `{"$defs":{"i":{"$anchor":"int","type":"integer"}},"properties":{"a":{"$ref":"#int"}}}`, `{"a":true}`, []string{"a: got boolean, want integer"}},
		{"recursive", `{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`, `{"next":{"next":{"x":1}}}`, []string{"next.next: unknown property x"}},
		{"unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, []string{"b: nothing is allowed here"}},
		{"a reference outside that no value gets to", `{"properties":{"b":{"$ref":"http://127.0.0.1:1/x.json"}}}`, `{"a":1}`, nil},
		{"true", `true`, `{"a":1}`, nil},
		{"false", `false`, `{}`, []string{"nothing is allowed here"}},
		{"unique", `{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[1,2,1.0]}`, []string{"a: items 0 and 2 are equal"}},
		{"not", `{"not":{"required":["a"]}}`, `{"a":1}`, []string{"is what it must not be"}},
		{"property names", `{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, []string{`the name "ab" is not allowed`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(t.Context(), json.RawMessage(tt.schema), json.RawMessage(tt.instance))
			var got []string
			var v *ViolationError
			if errors.As(err, &v) {
				if v.Error() != v.Violations[0].Reason || v.Path != v.Violations[0].Path || v.Dotted != v.Violations[0].Dotted {
					t.Errorf("head %+v is not the first violation", v)
				}
				for _, x := range v.Violations {
					got = append(got, x.Reason)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestViolationParts(t *testing.T) {
	err := Validate(t.Context(), json.RawMessage(`{"properties":{"a/b":{"items":{"required":["~"]}}}}`), json.RawMessage(`{"a/b":[{}]}`))
	var v *ViolationError
	if !errors.As(err, &v) {
		t.Fatal(err)
	}
	want := Violation{Path: "/a~1b/0", Dotted: `a/b[0]`, Keyword: "required", Name: "~", Reason: `a/b[0]: missing required property "~"`}
	if diff := cmp.Diff(want, v.Violations[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestValidateResultSaysProperty(t *testing.T) {
	err := ValidateResult(t.Context(), json.RawMessage(`{"required":["b"]}`), json.RawMessage(`{}`))
	if err == nil || err.Error() != "missing required property b" {
		t.Error(err)
	}
}

func TestUnsupported(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"dialect", `{"$schema":"https://example.com/dialect"}`, `dialect "https://example.com/dialect"`},
		{"dialect that is no string", `{"$schema":5}`, "$schema is not a string"},
		{"not JSON", `{`, "not JSON"},
		{"empty", ``, "not JSON"},
		{"null", `null`, "neither an object nor a boolean"},
		{"not a schema", `{"type":"integr"}`, "not valid"},
		{"http reference", `{"$ref":"http://127.0.0.1:1/x.json"}`, "http://127.0.0.1:1/x.json"},
		{"file reference", `{"$ref":"file:///etc/passwd"}`, "file:///etc/passwd"},
		{"relative reference", `{"$ref":"other.json"}`, "other.json"},
		{"reference against an http $id", `{"$id":"https://example.com/a","$ref":"b"}`, "https://example.com/b"},
		{"file $id", `{"$id":"file:///etc/","$ref":"passwd"}`, "file:///etc/passwd"},
		{"dangling reference", `{"$ref":"#/$defs/none"}`, "not valid"},
		{"nested dialect", `{"properties":{"a":{"$id":"a","$schema":"https://example.com/d"}}}`, "https://example.com/d"},
		{"circle", `{"$ref":"#"}`, "refers to itself"},
		{"circle among alternatives", `{"anyOf":[{"$ref":"#"},{"type":"null"}]}`, "refers to itself"},
		{"huge number", `{"minimum":1e999999999}`, "1e999999999"},
		{"pattern that picks schemas", `{"patternProperties":{"^(?=a)":false}}`, "^(?=a)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(t.Context(), json.RawMessage(tt.schema), json.RawMessage(`{"a":1}`))
			var u *UnsupportedError
			if !errors.As(err, &u) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want an UnsupportedError with %q", err, tt.want)
			}
		})
	}
}

// TestNotValid checks that a schema which means nothing is told apart, with the
// place of what is wrong.
func TestNotValid(t *testing.T) {
	tests := []struct{ schema, want string }{
		{`{"properties":{"a":{"minLength":-1}}}`, "/properties/a: minLength: got -1, want a whole number that is not negative"},
		{`{"maxItems":1.5}`, "maxItems: got 1.5, want a whole number that is not negative"},
		{`{"required":"a"}`, "required: got a string, want an array"},
		{`{"required":[1]}`, "required: got a number, want a string"},
		{`{"properties":[]}`, "properties: got an array, want an object"},
		{`{"allOf":[{},[]]}`, "/allOf/1: got an array, want a schema"},
		{`{"items":[{}]}`, "/items: got an array, want a schema"},
		{`{"type":[]}`, "type: no type is named"},
		{`{"type":["string",1]}`, "type: 1 is not a type"},
		{`{"multipleOf":0}`, "multipleOf: got 0, want a number above 0"},
		{`{"uniqueItems":1}`, "uniqueItems: got a number, want a boolean"},
		{`{"dependentRequired":{"a":{}}}`, "/dependentRequired/a: got an object, want an array"},
		{`{"exclusiveMinimum":true}`, "exclusiveMinimum: got a boolean, want a number"},
		{`{"$schema":"http://json-schema.org/draft-04/schema","exclusiveMinimum":1}`, "exclusiveMinimum: got a number, want a boolean"},
		{`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, `/$defs/b: the identifier "mcpq:///x" is there twice`},
		{`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, `/$defs/b: the anchor "x" is there twice`},
		{`{"$id":"%zz"}`, `the identifier "%zz" is not a URI`},
		{`{"$ref":1}`, "$ref: got a number, want a string"},
	}
	for _, tt := range tests {
		_, err := Compile(t.Context(), json.RawMessage(tt.schema))
		var u *UnsupportedError
		if want := "schema cannot be used: it is not valid: " + tt.want; !errors.As(err, &u) || err.Error() != want {
			t.Errorf("%s: got %v, want %s", tt.schema, err, want)
		}
	}
}

func TestInstanceNotJSON(t *testing.T) {
	err := Validate(t.Context(), json.RawMessage(`{}`), json.RawMessage(`{`))
	var v *ViolationError
	if err == nil || errors.As(err, &v) {
		t.Error(err)
	}
}

func TestCompiledOnce(t *testing.T) {
	s, err := Compile(t.Context(), json.RawMessage(`{"type":"object"}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if err := s.Validate(t.Context(), json.RawMessage(`{}`)); err != nil {
				t.Error(err)
			}
			if err := s.Validate(t.Context(), json.RawMessage(`[]`)); err == nil || err.Error() != "got array, want object" {
				t.Error(err)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := Validate(ctx, json.RawMessage(`{}`), json.RawMessage(`{}`)); err != cause {
		t.Error(err)
	}
}

func TestIgnored(t *testing.T) {
	s, err := Compile(t.Context(), json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{
		"a":{"pattern":"(?!x)"},"b":{"pattern":"(a)\\1"},"c":{"pattern":"ok"},"d":{"pattern":"(?!x)"},"e":{"format":"regex"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"(?!x)", `(a)\1`}
	if err := s.Validate(t.Context(), json.RawMessage(`{"a":"x","b":"x","e":"(?=a)"}`)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, s.Ignored()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
