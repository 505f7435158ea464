package manual

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"mcpq/output"
)

func tool(schema string) json.RawMessage {
	return json.RawMessage(`{"name":"t","inputSchema":` + schema + `}`)
}

func TestUsage(t *testing.T) {
	for schema, want := range map[string]string{
		`{}`:   "mcpq call t",
		`true`: "mcpq call t",
		`{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}`:                                     "mcpq call t a=INTEGER [b=TEXT]",
		`{"properties":{"a":{"type":["string","null"]},"b":{"type":["null","number"]}}}`:                                     "mcpq call t [a=TEXT] [b=NUMBER]",
		`{"properties":{"a":{"type":"array","items":{"enum":["x","y"],"type":"string"}}}}`:                                   "mcpq call t [a[]=CHOICE…]",
		`{"properties":{"a":{"type":"array"},"o":{"type":"object"},"x":{}}}`:                                                 "mcpq call t [a:=JSON] [o:=JSON] [x=VALUE]",
		`{"properties":{"o":{"type":"object","properties":{"k":{"type":"boolean"}}}}}`:                                       "mcpq call t [o[k]=true|false]",
		`{"properties":{"a":{"oneOf":[{"const":"x","title":"X"},{"const":"y"}]}}}`:                                           "mcpq call t [a=x|y]",
		`{"allOf":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"required":["a"]}],"$defs":{"n":{"type":"integer"}}}`:          "mcpq call t a=INTEGER",
		`{"properties":{"a=b[c]":{"type":"string"}}}`:                                                                        `mcpq call t ['a\=b\[c\]'=TEXT]`,
		`{"properties":{"a b":{"type":"string"},"c:d":{"type":"string"},"e:":{"type":"null"}}}`:                              `mcpq call t ['a b'=TEXT] [c:d=TEXT] ['e\:'=null]`,
		`{"properties":{"a":{"prefixItems":[{"type":"integer"},{"enum":[1,2]}],"type":"array","items":{"type":"boolean"}}}}`: "mcpq call t [a[]=INTEGER a[]=CHOICE]",
		`{"properties":{"o":{"type":"object","properties":{"k":{}}}}}`:                                                       "mcpq call t [o[k]=VALUE]",
		`{"properties":{"a":{"items":[{"type":"object"}],"type":"array"}}}`:                                                  "mcpq call t [a:=JSON]",
		`{"properties":{"a":{"type":"object","additionalProperties":{"type":"integer"}}}}`:                                   "mcpq call t [a[NAME]=INTEGER…]",
	} {
		if got := ToolUsage("t", json.RawMessage(schema)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", schema, got, want)
		}
	}
}

// TestExamplesFit holds examples against the schemas they were made for.
func TestExamplesFit(t *testing.T) {
	for schema, fits := range map[string]bool{
		`{"type":"object"}`: true,
		`{"properties":{"a":{"type":"integer","minimum":5,"multipleOf":4}},"required":["a"]}`:                        true,
		`{"properties":{"a":{"type":"number","exclusiveMaximum":0}},"required":["a"]}`:                               true,
		`{"properties":{"a":{"type":"string","minLength":30}},"required":["a"]}`:                                     true,
		`{"properties":{"a":{"type":"string","maxLength":2}},"required":["a"]}`:                                      true,
		`{"properties":{"a":{"type":"array","minItems":3,"items":{"type":"boolean"}}},"required":["a"]}`:             true,
		`{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}},"required":["a"]}`:                    true,
		`{"properties":{"a":{"type":"object","properties":{"b":{"enum":["x"]}},"required":["b"]}},"required":["a"]}`: true,
		`{"properties":{"a":{"type":"string","pattern":"^[0-9]{5}$"}},"required":["a"]}`:                             false,
		`{"properties":{"a":{"type":"string","pattern":"^[0-9]{5}$","examples":["01234"]}},"required":["a"]}`:        true,
	} {
		r := &reader{root: json.RawMessage(schema)}
		if _, ok := r.example(t.Context(), r.root); ok != fits {
			t.Errorf("%s: fits %v", schema, ok)
		}
	}
}

// TestNames describes arguments that no name is given for.
func TestNames(t *testing.T) {
	page, err := Tool(t.Context(), tool(`{"type":"object",
		"properties":{
			"pair":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"boolean"}},
			"ages":{"type":"object","additionalProperties":{"type":"integer"}},
			"rows":{"type":"object","additionalProperties":{"type":"object","properties":{"id":{"type":"integer"}}}}},
		"patternProperties":{"^n_":{"type":"number","description":"A measure."}},
		"additionalProperties":{"type":"string","maxLength":3},
		"required":["pair"]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `ARGUMENTS
    pair (list: integer, string, then true or false; required)
    ages (object of integers by name)
    rows (object of objects by name)
        rows[NAME] (object; any name)
            rows[NAME][id] (integer)
    NAME (number; any name matching ^n_)
        A measure.
    NAME (string; any other name; at most 3 characters)

EXAMPLE
    mcpq call t 'pair:=[1,"some pair"]'
`
	if _, got, _ := strings.Cut(page, "\n\n"); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestMany describes more than anybody reads: it ends soon.
func TestMany(t *testing.T) {
	var properties, required, choices []string
	for i := range 40_000 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
		required = append(required, fmt.Sprintf(`"p%d"`, i))
		choices = append(choices, strconv.Itoa(i))
	}
	start := time.Now()
	page, err := Tool(t.Context(), tool(`{"properties":{"a":{"enum":[`+strings.Join(choices, ",")+`]},`+strings.Join(properties, ",")+`},"required":[`+strings.Join(required, ",")+`]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page, "(40000 in all)") {
		t.Error("the choices are not cut")
	}
	if took := time.Since(start); took > 10*time.Second { // far more than it takes
		t.Errorf("took %v", took)
	}
}

// TestHostile describes schemas that repeat, contradict and multiply
// themselves: the page stays bounded and safe.
func TestHostile(t *testing.T) {
	wide := `{"properties":{"a":{"anyOf":[` + strings.Repeat(`{"$ref":"#"},`, 500) + `{}]}},"required":["a"]}`
	doubling := `{"$defs":{"d0":{"type":"string"}`
	for i := 1; i < 40; i++ {
		n, m := strconv.Itoa(i), strconv.Itoa(i-1)
		doubling += `,"d` + n + `":{"properties":{"l":{"$ref":"#/$defs/d` + m + `"},"r":{"$ref":"#/$defs/d` + m + `"}},"required":["l","r"]}`
	}
	doubling += `},"$ref":"#/$defs/d39"}`
	evil := "\\u001b]0;x\\u0007\\u202e"
	for name, schema := range map[string]string{
		"itself":    `{"$ref":"#"}`,
		"each":      `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"items":     `{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["a"],"$defs":{"n":{"type":"array","minItems":5,"items":{"$ref":"#/$defs/n"}}}}`,
		"wide":      wide,
		"doubling":  doubling,
		"wrong":     `{"properties":[1],"required":{"a":1},"type":7,"enum":"x","anyOf":{},"items":3,"allOf":"x"}`,
		"wrong too": `{"properties":{"a":5,"b":{"enum":[],"minimum":"x","maxLength":1e999,"items":[]},"c":{"const":null}},"required":["a","b","c"]}`,
		"evil":      `{"properties":{"` + evil + `":{"description":"` + evil + `","title":"` + evil + `","format":"` + evil + `","pattern":"` + evil + `","default":"` + evil + `","enum":["` + evil + `"],"type":["` + evil + `"]}},"required":["` + evil + `"]}`,
		"remote":    `{"$ref":"https://example.com/schema.json"}`,
	} {
		page, err := Tool(t.Context(), tool(schema), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(page) > 2<<20 {
			t.Errorf("%s: %d bytes", name, len(page))
		}
		if safe := output.Safe(page); safe != page {
			t.Errorf("%s: the page is not safe", name)
		}
		if strings.ContainsFunc(page, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("%s: control characters in the page", name)
		}
	}
}

// FuzzTool makes pages of anything.
func FuzzTool(f *testing.F) {
	f.Add([]byte(`{"name":"a","title":"b","description":"c\n d","inputSchema":{"properties":{"x":{"type":"array","items":{"$ref":"#"}}},"required":["x"]},"annotations":{"readOnlyHint":true},"outputSchema":{"oneOf":[{},{}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, width := range []int{0, 10} {
			page, err := Tool(t.Context(), raw, Options{Width: width, After: []string{"--", "x y"}})
			if err == nil && output.Safe(page) != page {
				t.Errorf("not safe: %q", page)
			}
			if page, err = Prompt(raw, Options{}); err == nil && output.Safe(page) != page {
				t.Errorf("not safe: %q", page)
			}
			if page, err = Template(raw, Options{}); err == nil && output.Safe(page) != page {
				t.Errorf("not safe: %q", page)
			}
		}
	})
}
