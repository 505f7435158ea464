package mcp

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The vectors are those of 2026-07-28, basic/transports/streamable-http.
func TestEncodeHeader(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"us-west1", "us-west1"},
		{"", ""},
		{"inner space ~!", "inner space ~!"},
		{"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{" padded ", "=?base64?IHBhZGRlZCA=?="},
		{"end ", "=?base64?ZW5kIA==?="},
		{"line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
		{"a\tb", "=?base64?YQli?="},
		{"\x7f", "=?base64?fw==?="},
		{"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"=?base64?open", "=?base64?open"},
	} {
		if got := encodeHeader(c.value); got != c.want {
			t.Errorf("encodeHeader(%q) = %q, want %q", c.value, got, c.want)
		}
	}
}

func TestParamHeader(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"n":{"type":"integer","x-mcp-header":"N"},
		"b":{"type":["boolean","null"],"x-mcp-header":"b-flag"},
		"plain":{"type":"string"},
		"a.b":{"type":"object","properties":{"in\u006eer":{"type":"string","x-mcp-header":"Deep"}}}}}`
	for _, c := range []struct {
		name, arguments string
		want            http.Header
		refused         string
	}{
		{"none", ``, http.Header{}, ""},
		{"all", `{"region":"us","n":42,"b":true,"plain":"p","a.b":{"inner":"x"}}`,
			http.Header{"Mcp-Param-Region": {"us"}, "Mcp-Param-N": {"42"}, "Mcp-Param-B-Flag": {"true"}, "Mcp-Param-Deep": {"x"}}, ""},
		{"null is absent", `{"region":null,"b":false}`, http.Header{"Mcp-Param-B-Flag": {"false"}}, ""},
		{"the empty string is not", `{"region":""}`, http.Header{"Mcp-Param-Region": {""}}, ""},
		{"encoded", `{"region":"\u4e16"}`, http.Header{"Mcp-Param-Region": {"=?base64?5LiW?="}}, ""},
		{"numbers in canonical spelling", `{"n":4.20e1}`, http.Header{"Mcp-Param-N": {"42"}}, ""},
		{"negative", `{"n":-7}`, http.Header{"Mcp-Param-N": {"-7"}}, ""},
		{"the largest", `{"n":9007199254740991}`, http.Header{"Mcp-Param-N": {"9007199254740991"}}, ""},
		{"too large", `{"n":9007199254740992}`, nil, "n"},
		{"much too large", `{"n":1e400}`, nil, "n"},
		{"a fraction", `{"n":1.5}`, nil, "n"},
		{"not what the schema wants", `{"region":["us"],"a.b":7}`, http.Header{}, ""},
		{"repeated: the last one", `{"region":"a","region":"b"}`, http.Header{"Mcp-Param-Region": {"b"}}, ""},
	} {
		got, err := paramHeader(json.RawMessage(schema), rawOrNil(c.arguments))
		var refused *ArgumentError
		if errors.As(err, &refused) != (c.refused != "") || refused != nil && refused.Argument != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if got, err := paramHeader(json.RawMessage(`{"type":"object"}`), json.RawMessage(`{"a":1}`)); got != nil || err != nil {
		t.Errorf("no marks: %v, %v", got, err)
	}
}

func TestHeaderMarks(t *testing.T) {
	property := func(s string) string { return `{"type":"object","properties":{"p":` + s + `}}` }
	for _, c := range []struct{ name, schema, want, refused string }{
		{"string", property(`{"type":"string","x-mcp-header":"A"}`), "A=p", ""},
		{"integer", property(`{"type":"integer","x-mcp-header":"A"}`), "A=p", ""},
		{"boolean", property(`{"type":"boolean","x-mcp-header":"A"}`), "A=p", ""},
		{"string or null", property(`{"type":["string","null"],"x-mcp-header":"A"}`), "A=p", ""},
		{"nested", property(`{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}`), "A=p/q", ""},
		{"all of a token", property("{\"type\":\"string\",\"x-mcp-header\":\"a0!#$%&'*+-.^_`|~\"}"), "a0!#$%&'*+-.^_`|~=p", ""},
		{"a property of that name", `{"properties":{"x-mcp-header":{"type":"array"}}}`, "", ""},
		{"a marked property of that name", `{"properties":{"x-mcp-header":{"type":"string","x-mcp-header":"A"}}}`, "A=x-mcp-header", ""},
		{"data", property(`{"type":"object","default":{"x-mcp-header":"a b"},"const":{"x-mcp-header":1},"enum":[{"x-mcp-header":""}],"examples":[{"x-mcp-header":""}]}`), "", ""},
		{"empty", property(`{"type":"string","x-mcp-header":""}`), "", "header name"},
		{"space", property(`{"type":"string","x-mcp-header":"a b"}`), "", "header name"},
		{"colon", property(`{"type":"string","x-mcp-header":"a:b"}`), "", "header name"},
		{"line end", property(`{"type":"string","x-mcp-header":"a\r\nb"}`), "", "header name"},
		{"not ASCII", property(`{"type":"string","x-mcp-header":"é"}`), "", "header name"},
		{"no string", property(`{"type":"string","x-mcp-header":true}`), "", "not a string"},
		{"number", property(`{"type":"number","x-mcp-header":"A"}`), "", "type"},
		{"array", property(`{"type":"array","x-mcp-header":"A"}`), "", "type"},
		{"object", property(`{"type":"object","x-mcp-header":"A"}`), "", "type"},
		{"only null", property(`{"type":"null","x-mcp-header":"A"}`), "", "type"},
		{"a type among others", property(`{"type":["string","array"],"x-mcp-header":"A"}`), "", "type"},
		{"no type", property(`{"x-mcp-header":"A"}`), "", "type"},
		{"twice", `{"properties":{"p":{"type":"string","x-mcp-header":"Aa"},"q":{"type":"string","x-mcp-header":"aA"}}}`, "", "twice"},
		{"the root", `{"type":"string","x-mcp-header":"A"}`, "", "plain property"},
		{"items", property(`{"items":{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}}`), "", "plain property"},
		{"prefixItems", property(`{"prefixItems":[{"type":"string","x-mcp-header":"A"}]}`), "", "plain property"},
		{"anyOf", `{"anyOf":[{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}]}`, "", "plain property"},
		{"oneOf", property(`{"oneOf":[{"type":"string","x-mcp-header":"A"}]}`), "", "plain property"},
		{"allOf", property(`{"allOf":[{"type":"string","x-mcp-header":"A"}]}`), "", "plain property"},
		{"not", property(`{"not":{"type":"string","x-mcp-header":"A"}}`), "", "plain property"},
		{"then", `{"then":{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}}`, "", "plain property"},
		{"$defs", `{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`, "", "plain property"},
		{"dependencies", `{"dependencies":{"p":{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}}}`, "", "plain property"},
		{"additionalProperties", property(`{"additionalProperties":{"type":"string","x-mcp-header":"A"}}`), "", "plain property"},
		{"patternProperties", `{"patternProperties":{".":{"type":"string","x-mcp-header":"A"}}}`, "", "plain property"},
		{"deep", strings.Repeat(`{"properties":{"p":`, 300) + `{"type":"string","x-mcp-header":"A"}` + strings.Repeat("}}", 300), "", "nested"},
		{"no schema", `true`, "", ""},
	} {
		marks, err := headerMarks(json.RawMessage(c.schema))
		var got []string
		for _, m := range marks {
			got = append(got, m.name+"="+strings.Join(m.path, "/"))
		}
		switch {
		case c.refused == "" && (err != nil || strings.Join(got, " ") != c.want):
			t.Errorf("%s: got %v, %v; want %s", c.name, got, err, c.want)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: got %v, %v; want an error with %q", c.name, got, err, c.refused)
		}
	}
}

func FuzzHeaderMarks(f *testing.F) {
	f.Add([]byte(`{"properties":{"p":{"type":"string","x-mcp-header":"A"}}}`))
	f.Add([]byte(`{"items":[{"x-mcp-header":1}],"properties":{"x-mcp-header":{}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		marks, err := headerMarks(schema)
		if err != nil {
			return
		}
		for _, m := range marks {
			if !isToken(m.name) || len(m.path) == 0 {
				t.Errorf("mark %+v of %s", m, schema)
			}
		}
	})
}
