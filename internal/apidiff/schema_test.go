package apidiff

import (
	"fmt"
	"strings"
	"testing"
)

// told compares two schemas and writes each change on a line: what the path is
// below the schema, and whether it breaks.
func told(t *testing.T, input bool, old, new string) string {
	t.Helper()
	key := "outputSchema"
	if input {
		key = "inputSchema"
	}
	doc := func(schema string) *Definitions {
		d, err := Read(fmt.Appendf(nil, `{"tools":[{"name":"t",%q:%s}]}`, key, schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		return d
	}
	changes, err := Compare(doc(old), doc(new))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range changes {
		path := strings.TrimPrefix(strings.TrimPrefix(c.Path, key), ".")
		line := strings.TrimSpace(path + " " + c.Change)
		if c.Breaking {
			line += "!"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// TestSchemas is the table of the package comment, keyword by keyword. A ! is a
// change that breaks.
func TestSchemas(t *testing.T) {
	object := func(rest string) string { return `{"type":"object",` + rest + `}` }
	a := func(schema string) string { return object(`"properties":{"a":` + schema + `}`) }
	for _, c := range []struct{ name, old, new, input, output string }{
		{"property added", object(`"properties":{}`), a(`{}`), "properties.a added", "properties.a added"},
		{"required one added", object(`"properties":{}`), object(`"properties":{"a":{}},"required":["a"]`), "properties.a added!", "properties.a added"},
		{"property removed", a(`{}`), object(`"properties":{}`), "properties.a removed!", "properties.a removed!"},
		{"required one removed", object(`"properties":{"a":{}},"required":["a"]`), object(`"properties":{}`), "properties.a removed!", "properties.a removed!"},
		{"required", a(`{}`), object(`"properties":{"a":{}},"required":["a"]`), "properties.a required!", "properties.a required"},
		{"optional", object(`"properties":{"a":{}},"required":["a"]`), a(`{}`), "properties.a optional", "properties.a optional!"},
		{"required without a property", object(`"required":[]`), object(`"required":["z"]`), "required required!", "required required"},
		{"odd name", object(`"properties":{}`), object(`"properties":{"a.b \"":{}}`), `properties["a.b \""] added`, `properties["a.b \""] added`},

		{"type narrowed", a(`{"type":"number"}`), a(`{"type":"integer"}`), "properties.a.type narrowed!", "properties.a.type narrowed"},
		{"type widened", a(`{"type":"integer"}`), a(`{"type":"number"}`), "properties.a.type widened", "properties.a.type widened!"},
		{"another type", a(`{"type":"string","minLength":1}`), a(`{"type":"object","properties":{"b":{}}}`), "properties.a.type changed!", "properties.a.type changed!"},
		{"overlapping types", a(`{"type":["string","null"]}`), a(`{"type":["string","integer"]}`), "properties.a.type changed!", "properties.a.type changed!"},
		{"nullable", a(`{"type":"string"}`), a(`{"type":["string","null"]}`), "properties.a.type widened", "properties.a.type widened!"},
		{"nullable by anyOf", a(`{"type":"string"}`), a(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), "properties.a.anyOf widened", "properties.a.anyOf widened!"},
		{"nullable by anyOf with more", a(`{"type":"string","minLength":1}`), a(`{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}`), "properties.a.anyOf widened", "properties.a.anyOf widened!"},
		{"no longer nullable", a(`{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}`), a(`{"type":"string","minLength":1}`), "properties.a.anyOf narrowed!", "properties.a.anyOf narrowed"},
		{"the same types otherwise", a(`{"type":["null","string"]}`), a(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), "", ""},
		{"type is new", a(`{}`), a(`{"type":"string"}`), "properties.a.type narrowed!", "properties.a.type narrowed"},
		{"type from enum", a(`{"enum":["a"]}`), a(`{"enum":["a"],"type":"string"}`), "", ""},
		{"an unknown type", a(`{"type":"string"}`), a(`{"type":"text"}`), "properties.a.type changed!", "properties.a.type changed!"},

		{"enum lost", a(`{"enum":["x","y"]}`), a(`{"enum":["y"]}`), "properties.a.enum narrowed!", "properties.a.enum narrowed"},
		{"enum gained", a(`{"enum":["x"]}`), a(`{"enum":["y","x"]}`), "properties.a.enum widened", "properties.a.enum widened!"},
		{"enum both", a(`{"enum":["x"]}`), a(`{"enum":["y"]}`), "properties.a.enum narrowed!; properties.a.enum widened", "properties.a.enum narrowed; properties.a.enum widened!"},
		{"enum is new", a(`{"type":"string"}`), a(`{"type":"string","enum":["x"]}`), "properties.a.enum narrowed!", "properties.a.enum narrowed"},
		{"const to enum", a(`{"const":1}`), a(`{"enum":[1.0,2]}`), "properties.a.enum widened", "properties.a.enum widened!"},
		{"order of enum", a(`{"enum":["x","y"]}`), a(`{"enum":["y","\u0078"]}`), "", ""},

		{"minimum raised", a(`{"minimum":0}`), a(`{"minimum":1}`), "properties.a.minimum narrowed!", "properties.a.minimum narrowed"},
		{"maximum raised", a(`{"maximum":0}`), a(`{"maximum":1}`), "properties.a.maximum widened", "properties.a.maximum widened!"},
		{"minimum exclusive", a(`{"minimum":0}`), a(`{"exclusiveMinimum":0}`), "properties.a.exclusiveMinimum narrowed!", "properties.a.exclusiveMinimum narrowed"},
		{"maximum no longer exclusive", a(`{"maximum":5,"exclusiveMaximum":true}`), a(`{"maximum":5}`), "properties.a.maximum widened", "properties.a.maximum widened!"},
		{"huge bounds", a(`{"minimum":1e999999999}`), a(`{"minimum":2e999999999}`), "properties.a.minimum changed!", "properties.a.minimum changed!"},
		{"the same number", a(`{"minimum":1,"maximum":100}`), a(`{"minimum":1.0,"maximum":1e2}`), "", ""},
		{"beyond floats", a(`{"maximum":9007199254740993}`), a(`{"maximum":9007199254740992}`), "properties.a.maximum narrowed!", "properties.a.maximum narrowed"},
		{"length", a(`{"minLength":0,"maxLength":9}`), a(`{"maxLength":8}`), "properties.a.maxLength narrowed!", "properties.a.maxLength narrowed"},
		{"items counted", a(`{"minItems":2}`), a(`{}`), "properties.a.minItems widened", "properties.a.minItems widened!"},
		{"unique", a(`{"uniqueItems":false}`), a(`{"uniqueItems":true}`), "properties.a.uniqueItems narrowed!", "properties.a.uniqueItems narrowed"},
		{"pattern is new", a(`{}`), a(`{"pattern":"x"}`), "properties.a.pattern narrowed!", "properties.a.pattern narrowed"},
		{"pattern changed", a(`{"pattern":"y"}`), a(`{"pattern":"x"}`), "properties.a.pattern changed!", "properties.a.pattern changed!"},
		{"format is gone", a(`{"format":"uri"}`), a(`{}`), "properties.a.format widened", "properties.a.format widened!"},

		{"closed", object(`"additionalProperties":true`), object(`"additionalProperties":false`), "additionalProperties narrowed!", "additionalProperties narrowed"},
		{"opened", object(`"additionalProperties":false`), object(`"title":"T"`), "additionalProperties widened; title added", "additionalProperties widened; title added"},
		{"values of a map", object(`"additionalProperties":{"type":"number"}`), object(`"additionalProperties":{"type":"integer"}`), "additionalProperties.type narrowed!", "additionalProperties.type narrowed"},
		{"values of any kind", object(`"additionalProperties":{"type":"number"}`), object(`"additionalProperties":{}`), "additionalProperties.type widened", "additionalProperties.type widened!"},
		{"names", object(`"propertyNames":{"maxLength":1}`), object(`"propertyNames":{"maxLength":2}`), "propertyNames.maxLength widened", "propertyNames.maxLength widened!"},
		{"pattern of names is new", object(`"patternProperties":{}`), object(`"patternProperties":{"^x":{"type":"string"}}`), `patternProperties["^x"] narrowed!`, `patternProperties["^x"] narrowed`},
		{"pattern of names in a closed object", object(`"additionalProperties":false`), object(`"additionalProperties":false,"patternProperties":{"x":{}}`), "patternProperties.x widened", "patternProperties.x widened!"},
		{"items", a(`{"items":{"type":"number"}}`), a(`{"items":{"type":"string"}}`), "properties.a.items.type changed!", "properties.a.items.type changed!"},
		{"items are new", a(`{}`), a(`{"items":{"type":"object","properties":{"b":{}}}}`), "properties.a.items narrowed!", "properties.a.items narrowed"},
		{"a place", a(`{"prefixItems":[{"maximum":1},{}]}`), a(`{"prefixItems":[{"maximum":2},{}]}`), "properties.a.prefixItems[0].maximum widened", "properties.a.prefixItems[0].maximum widened!"},
		{"places", a(`{"items":[{}]}`), a(`{"items":[{},{}]}`), "properties.a.items changed!", "properties.a.items changed!"},
		{"never", a(`{}`), a(`false`), "properties.a narrowed!", "properties.a narrowed"},
		{"always", a(`{}`), a(`true`), "", ""},

		{"anyOf in another order", a(`{"anyOf":[{"minimum":1},{"type":"null"}]}`), a(`{"anyOf":[{"type":"null"},{"minimum":1.0}]}`), "", ""},
		{"anyOf gained", a(`{"anyOf":[{"minimum":1},{"const":1}]}`), a(`{"anyOf":[{"const":2},{"minimum":1},{"const":1}]}`), "properties.a.anyOf widened", "properties.a.anyOf widened!"},
		{"one of anyOf", a(`{"anyOf":[{"minimum":1},{"const":1}]}`), a(`{"anyOf":[{"const":1},{"minimum":2}]}`), "properties.a.anyOf[1].minimum narrowed!", "properties.a.anyOf[1].minimum narrowed"},
		{"two of anyOf", a(`{"anyOf":[{"minimum":1},{"maximum":1}]}`), a(`{"anyOf":[{"maximum":2},{"minimum":2}]}`), "properties.a.anyOf changed!", "properties.a.anyOf changed!"},
		{"two types of anyOf", a(`{"anyOf":[{"minimum":1,"type":"number"},{"const":"x"}]}`), a(`{"anyOf":[{"enum":["x","y"]},{"minimum":2,"type":"number"}]}`),
			"properties.a.anyOf[0].enum widened; properties.a.anyOf[1].minimum narrowed!", "properties.a.anyOf[0].enum widened!; properties.a.anyOf[1].minimum narrowed"},
		{"nullable and otherwise", a(`{"type":"array","items":{"enum":[1]}}`), a(`{"anyOf":[{"type":"array","items":{"enum":[1,2]}},{"type":"null"}]}`),
			"properties.a.anyOf widened; properties.a.anyOf[0].items.enum widened", "properties.a.anyOf widened!; properties.a.anyOf[0].items.enum widened!"},
		{"oneOf gained", a(`{"oneOf":[{"minimum":1},{"const":1}]}`), a(`{"oneOf":[{"const":2},{"minimum":1},{"const":1}]}`), "properties.a.oneOf changed!", "properties.a.oneOf changed!"},
		{"words in oneOf", a(`{"oneOf":[{"minimum":1},{"const":1}]}`), a(`{"oneOf":[{"const":1,"title":"One"},{"minimum":1}]}`), "properties.a.oneOf[0].title added", "properties.a.oneOf[0].title added"},
		{"allOf gained", a(`{"allOf":[{"pattern":"a"},{"pattern":"b"}]}`), a(`{"allOf":[{"pattern":"b"},{"pattern":"a"},{"pattern":"c"}]}`), "properties.a.allOf narrowed!", "properties.a.allOf narrowed"},
		{"allOf put together", a(`{"allOf":[{"type":"string"}],"minLength":1}`), a(`{"type":"string","minLength":1}`), "", ""},
		{"not", a(`{"not":{"const":1}}`), a(`{"not":{"const":2}}`), "properties.a.not changed!", "properties.a.not changed!"},
		{"words in not", a(`{"not":{"const":1}}`), a(`{"not":{"const":1,"title":"x"}}`), "properties.a.not changed", "properties.a.not changed"},
		{"dependent", object(`"dependentRequired":{"a":["b"]}`), object(`"title":"T"`), "dependentRequired widened; title added", "dependentRequired widened!; title added"},

		{"reference put in", `{"$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x"}}}`, `{"properties":{"a":{"type":"string"}}}`, "", ""},
		{"definition renamed", `{"$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x"}}}`, `{"definitions":{"y~/":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/y~0~1"}}}`, "", ""},
		{"definition changed", `{"$defs":{"x":{"maximum":2}},"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"}}}`, `{"$defs":{"x":{"maximum":1}},"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"}}}`,
			"properties.a.maximum narrowed!; properties.b.maximum narrowed!", "properties.a.maximum narrowed; properties.b.maximum narrowed"},
		{"anchor", `{"$defs":{"x":{"$anchor":"n","maximum":2}},"properties":{"a":{"$ref":"#n"}}}`, `{"properties":{"a":{"maximum":2}}}`, "", ""},
		{"dynamic anchor", `{"$defs":{"x":{"$dynamicAnchor":"n","maximum":2}},"properties":{"a":{"$dynamicRef":"#n"}}}`, `{"$defs":{"x":{"$dynamicAnchor":"n","maximum":1}},"properties":{"a":{"$dynamicRef":"#n"}}}`,
			"properties.a.$dynamicRef changed!", "properties.a.$dynamicRef changed!"},
		{"closed beside allOf", `{"allOf":[{"properties":{"a":{}}}],"properties":{"b":{}},"additionalProperties":false}`, `{"properties":{"a":{},"b":{}},"additionalProperties":false}`,
			"allOf widened; properties.a added", "allOf widened!; properties.a added"},
		{"allOf with properties", `{"allOf":[{"properties":{"a":{}},"required":["a"]}],"properties":{"b":{}}}`, `{"properties":{"a":{},"b":{}},"required":["a"]}`, "", ""},
		{"conditions in allOf", `{"allOf":[{"if":{"const":1},"then":{"maximum":1}},{"if":{"const":2},"then":{"maximum":2}}]}`, `{"allOf":[{"if":{"const":2},"then":{"maximum":2}},{"if":{"const":1},"then":{"maximum":0}}]}`,
			"allOf[1].then changed!", "allOf[1].then changed!"},
		{"unused definition", `{"$defs":{"x":{"maximum":2}}}`, `{"$defs":{"x":{"maximum":1}}}`, "", ""},
		{"reference outside", a(`{"$ref":"https://example.com/a"}`), a(`{"$ref":"https://example.com/b"}`), "properties.a.$ref changed!", "properties.a.$ref changed!"},
		{"words beside a reference", `{"$defs":{"x":{"description":"a"}},"properties":{"a":{"$ref":"#/$defs/x","description":"b"}}}`, `{"properties":{"a":{"description":"b"}}}`, "", ""},
		{"itself", `{"properties":{"a":{"$ref":"#"},"n":{"maximum":2}}}`, `{"properties":{"a":{"$ref":"#"},"n":{"maximum":1}}}`, "properties.n.maximum narrowed!", "properties.n.maximum narrowed"},
		{"nothing but itself", `{"$ref":"#"}`, `{"$ref":"#","title":"T"}`, "$ref changed; title added", "$ref changed; title added"},

		{"default", a(`{"default":1}`), a(`{"default":2}`), "properties.a.default changed", "properties.a.default changed"},
		{"description", a(`{"description":"x"}`), a(`{}`), "properties.a.description removed", "properties.a.description removed"},
		{"property called description", object(`"properties":{"description":{"type":"string"}}`), object(`"properties":{}`), "properties.description removed!", "properties.description removed!"},
		{"unknown keyword", a(`{"x-mcp-header":"A"}`), a(`{"x-mcp-header":"B"}`), `properties.a["x-mcp-header"] changed`, `properties.a["x-mcp-header"] changed`},
		{"no schema", a(`{}`), a(`7`), "properties.a changed!", "properties.a changed!"},
		{"order of members", `{"type":"object","properties":{"a":{},"b":{}}}`, ` { "properties":{"b":{},"a":{}},"type":"object"} `, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(t, true, c.old, c.new); got != c.input {
				t.Errorf("input: got  %q\n                want %q", got, c.input)
			}
			if got := told(t, false, c.old, c.new); got != c.output {
				t.Errorf("output: got  %q\n                 want %q", got, c.output)
			}
			for _, schema := range []string{c.old, c.new} {
				if got := told(t, true, schema, schema); got != "" {
					t.Errorf("%s is not like itself: %s", schema, got)
				}
			}
		})
	}
}
