package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///tool.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///tool.json")
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	return s
}

// TestCheckAgreesWithSchema compares the server's own check of arguments with
// what an independent validator makes of the schema it publishes.
func TestCheckAgreesWithSchema(t *testing.T) {
	values := []string{`""`, `"eu"`, `"de"`, `0`, `1`, `-1`, `1.0`, `1.5`, `1e2`, `12345678901234567890`, `3601`, `1001`, `true`, `null`, `{}`, `[1]`}
	for _, tool := range toolTable() {
		schema := compile(t, string(inputSchema(tool.params)))
		cases := []string{`{}`, `{"other":1}`}
		for _, p := range tool.params {
			for _, v := range values {
				one := map[string]json.RawMessage{p.name: json.RawMessage(v)}
				for _, q := range tool.params {
					if q.required && q.name != p.name {
						one[q.name] = json.RawMessage(map[string]string{"string": `"x"`, "number": `1`}[q.kind])
					}
				}
				b, err := json.Marshal(one)
				if err != nil {
					t.Fatal(err)
				}
				cases = append(cases, string(b))
			}
		}
		for _, c := range cases {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(c)))
			if err != nil {
				t.Fatal(err)
			}
			want := schema.Validate(v)
			var raw map[string]json.RawMessage
			json.Unmarshal([]byte(c), &raw)
			_, got := checkArguments(tool.params, raw)
			if (want == nil) != (got == nil) {
				t.Errorf("%s %s: we say %v, the schema says %v", tool.name, c, got, want)
			}
		}
		for _, p := range tool.params {
			if p.fallback != "" {
				if problem := p.check(json.RawMessage(p.fallback)); problem != "" {
					t.Errorf("%s: default of %s %s", tool.name, p.name, problem)
				}
			}
		}
	}
}

func TestOutputFitsSchema(t *testing.T) {
	schema := compile(t, New(Options{}).tool("add").output)
	p := streamPeer(t, New(Options{}), version2026July)
	for _, args := range []string{`{"a":1,"b":2}`, `{"a":1e4000,"b":-1}`, `{"a":-0.125,"b":0}`} {
		var res struct{ StructuredContent json.RawMessage }
		json.Unmarshal(p.call("tools/call", fmt.Sprintf(`{"name":"add","arguments":%s}`, args)).must(t), &res)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(res.StructuredContent))
		if err != nil {
			t.Fatalf("%v: %s", err, res.StructuredContent)
		}
		if err := schema.Validate(v); err != nil {
			t.Error(err)
		}
	}
}
