package apidiff

import (
	"encoding/json"
	"testing"
)

// FuzzCompare compares any two documents: it must not fail, nothing may differ
// from itself, and what is added one way is removed the other way.
func FuzzCompare(f *testing.F) {
	f.Add(`{"tools":[{"name":"t","inputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"type":"string"},{"$ref":"#"}]}}}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"enum":[1,"x"],"minimum":0}},"required":["a"],"additionalProperties":false}}]}`)
	f.Add(`{"capabilities":{"tools":{"listChanged":true}},"protocolVersion":"2025-11-25","supportedVersions":["a"],"serverInfo":{"name":"x"}}`,
		`{"capabilities":{},"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}],"instructions":"\u0000"}`)
	f.Add(`{"tools":[{"name":"t","outputSchema":{"allOf":[{"type":["null","number"]},{"prefixItems":[true,false]}],"patternProperties":{"x":{"not":{}}}},"annotations":{"readOnlyHint":true}}]}`,
		`{"tools":[{"name":"t","outputSchema":{"oneOf":[{"items":[]},{"contains":{}}],"if":{},"then":false,"maximum":1e400,"exclusiveMaximum":true},"execution":{"taskSupport":"required"}}]}`)
	f.Add(`{"resources":[{"uri":"u","mimeType":"a","annotations":{"lastModified":"x"}},{"uri":"u"}]}`, `{"resourceTemplates":[{"uriTemplate":"{+x}"}],"resources":[]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		old, err := Read([]byte(a))
		if err != nil {
			return
		}
		if changes, err := Compare(old, old); err != nil || len(changes) > 0 {
			t.Fatalf("%q is not like itself: %v, %v", a, changes, err)
		}
		new, err := Read([]byte(b))
		if err != nil {
			return
		}
		there, err := Compare(old, new)
		if err != nil {
			return
		}
		for i := range there {
			if raw := there[i].JSON(); !json.Valid(raw) {
				t.Errorf("no JSON: %q", raw)
			}
			if there[i].Breaking != (there[i].Weight == Breaks) {
				t.Errorf("breaks, and does not: %q", there[i].JSON())
			}
		}
		back, err := Compare(new, old)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := whole(there, added), whole(back, removed); x != y {
			t.Errorf("%d items were added, and %d removed the other way", x, y)
		}
	})
}

// whole counts items that came or went.
func whole(changes []Change, how string) int {
	n := 0
	for _, c := range changes {
		if c.Path == "" && c.Change == how {
			n++
		}
	}
	return n
}
