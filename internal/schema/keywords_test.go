package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// keywordCase is a schema with values that fit it and values that do not.
type keywordCase struct {
	in         string // dialects: "4 6 7 2019 2020", "6+", …
	schema     string
	fit, unfit []string
}

var dialectURIs = []struct {
	dialect dialect
	uri     string
}{
	{draft4, "http://json-schema.org/draft-04/schema#"},
	{draft6, "http://json-schema.org/draft-06/schema#"},
	{draft7, "http://json-schema.org/draft-07/schema#"},
	{draft19, "https://json-schema.org/draft/2019-09/schema"},
	{draft20, "https://json-schema.org/draft/2020-12/schema"},
}

func (c keywordCase) dialects() []dialect {
	var all []dialect
	for _, d := range dialectURIs {
		name := fmt.Sprint(int(d.dialect))
		least, isLeast := strings.CutSuffix(c.in, "+")
		var n int
		if fmt.Sscan(least, &n); isLeast && int(d.dialect) >= n {
			all = append(all, d.dialect)
		} else if !isLeast && strings.Contains(" "+c.in+" ", " "+name+" ") {
			all = append(all, d.dialect)
		}
	}
	return all
}

// withDialect puts a $schema in front of the keywords of an object.
func withDialect(schema string, d dialect) string {
	for _, known := range dialectURIs {
		if rest, ok := strings.CutPrefix(schema, "{"); ok && known.dialect == d {
			if rest != "}" {
				rest = "," + rest
			}
			return `{"$schema":"` + known.uri + `"` + rest
		}
	}
	return schema
}

// TestKeywords checks every keyword in every dialect that has it, and that the
// oracle agrees with the table.
func TestKeywords(t *testing.T) {
	for _, c := range allCases() {
		if len(c.dialects()) == 0 || len(c.fit)+len(c.unfit) == 0 {
			t.Errorf("case without a dialect or value: %s", c.schema)
		}
		for _, d := range c.dialects() {
			schema := withDialect(c.schema, d)
			other := consult(schema)
			check := func(instance string, want bool) {
				err := Validate(t.Context(), json.RawMessage(schema), json.RawMessage(instance))
				var unfit *ViolationError
				if err != nil && !errors.As(err, &unfit) {
					t.Errorf("%s\nvalue %s: %v", schema, instance, err)
				} else if (err == nil) != want {
					t.Errorf("%s\nvalue %s: want fits %v, got %v", schema, instance, want, err)
				}
				if fits, err := other.judge(instance); err != nil || fits != want {
					t.Errorf("%s\nvalue %s: want fits %v, oracle says %v, %v", schema, instance, want, fits, err)
				}
			}
			for _, instance := range c.fit {
				check(instance, true)
			}
			for _, instance := range c.unfit {
				check(instance, false)
			}
		}
	}
}
