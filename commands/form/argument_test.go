package form

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Arguments are asked for as their schema says, through references and
// combinations, and what no form knows is typed as JSON.
func TestArguments(t *testing.T) {
	const defs = `"$defs":{"colour":{"enum":["red","green"],"title":"Colour"},"deep":{"$ref":"#/$defs/deeper"},"deeper":{"type":"boolean"},"loop":{"$ref":"#/$defs/loop"}}`
	tests := []struct {
		name, schema, typed, want, shows string
	}{
		{"text", `{"type":"string"}`, "007\n", `"007"`, "1/1 f (text, required)"},
		{"reference to a choice", `{"$ref":"#/$defs/colour"}`, "2\n", `"green"`, "1/1 Colour (choose one, required)\n  1) red\n  2) green\n"},
		{"what stands beside a reference", `{"$ref":"#/$defs/colour","title":"Paint","description":"Which?"}`, "red\n", `"red"`, "1/1 Paint (choose one, required)\n  Which?\n"},
		{"all of one", `{"allOf":[{"$ref":"#/$defs/deep"}],"description":"Sure?"}`, "y\n", "true", "(yes or no, required)\n  Sure?\n"},
		{"null beside a number", `{"anyOf":[{"type":"integer","maximum":9},{"type":"null"}]}`, "12\n3\n", "3", "(whole number, at most 9, or null, required)"},
		{"null itself", `{"type":["integer","null"]}`, "null\n", "null", "(whole number, or null, required)"},
		{"null beside a text", `{"type":["string","null"]}`, "null\n", `"null"`, "(text, required)"},
		{"null among titles", `{"oneOf":[{"const":1,"title":"One"},{"const":2},{"type":"null"}]}`, "One\n", "1", "(choose one, or null, required)"},
		{"bounds", `{"type":"number","minimum":0.5,"exclusiveMaximum":2}`, "2\n1.50\n", "1.50", "(number, at least 0.5, less than 2, required)"},
		{"list", `{"type":"array","items":{"type":"integer"}}`, "1,2\n[1,2]\n", "[1,2]", "JSON, array"},
		{"object", `{"type":"object","properties":{"k":{"type":"integer"}}}`, "{\"k\":\"x\"}\n{\"k\": 1e0}\n", `{"k":1e0}`, "f.k: got string, want integer"},
		{"object with required members", `{"type":"object","required":["k"]}`, "{}\n{\"k\":1}\n", `{"k":1}`, "(JSON, object, with k, required)"},
		{"several kinds", `{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`, "maybe\ntrue\n", "true", "JSON or text"},
		{"anything", `{}`, "two words\n", `"two words"`, "JSON or text"},
		{"no schema", `true`, "5\n", "5", "JSON or text"},
		{"dangling reference", `{"$ref":"#/$defs/none"}`, ":c\n", "cancel", "JSON or text"},
		{"circle", `{"$ref":"#/$defs/loop"}`, ":c\n", "cancel", "JSON or text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := ForArguments(t.Context(), json.RawMessage(`{"type":"object","properties":{"f":`+tt.schema+`},`+defs+`,"required":["f"]}`), []string{"f"})
			if err != nil {
				t.Fatal(err)
			}
			s := &screen{Reader: strings.NewReader(tt.typed)}
			answer, err := f.Ask(context.Background(), NewTerminal(s, false), Question{Message: "?"})
			if err != nil {
				t.Fatal(err)
			}
			want := `{"f":` + tt.want + `}`
			if tt.want == Cancel {
				want = ""
			}
			if diff := cmp.Diff(want, string(answer.Content)); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, s.String())
			}
			if !strings.Contains(s.String(), tt.shows) {
				t.Errorf("does not show %q:\n%s", tt.shows, s.String())
			}
		})
	}
}

// More than a person would answer is not asked for.
func TestTooManyArguments(t *testing.T) {
	var names []string
	for i := range maxFields + 1 {
		names = append(names, fmt.Sprint(i))
	}
	if _, err := ForArguments(t.Context(), json.RawMessage(`{}`), names); err == nil {
		t.Error("all are asked for")
	}
}

// A schema that leads far and wide for every argument is not followed for ever.
func TestArgumentsOfHostileSchema(t *testing.T) {
	var names []string
	var properties, defs strings.Builder
	for i := range maxFields {
		names = append(names, fmt.Sprint(i))
		fmt.Fprintf(&properties, `"%d":{"$ref":"#/$defs/d0"},`, i)
	}
	for i := range maxSimplified {
		fmt.Fprintf(&defs, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	input := json.RawMessage(`{"properties":{` + properties.String() + `"z":{}},"$defs":{` + defs.String() + `"x":{"description":"` + strings.Repeat("x", 3<<20) + `"}}}`)
	start := time.Now()
	if _, err := ForArguments(t.Context(), input, names); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 10*time.Second { // far more than it takes
		t.Errorf("took %v", took)
	}
}

func TestMissing(t *testing.T) {
	got := Missing(json.RawMessage(`{"required":["a","b","c","b"]}`), json.RawMessage(`{"c":1}`))
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
	for _, schema := range []string{`{}`, `true`, `{"required":{}}`, `{`, ``} {
		if got := Missing(json.RawMessage(schema), json.RawMessage(`{}`)); got != nil {
			t.Errorf("%s: %q", schema, got)
		}
	}
}
