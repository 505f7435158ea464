package args

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestHostileSchemas(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString(`{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range 80 {
		fmt.Fprintf(&doubling, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%[2]d"}],"allOf":[{"$ref":"#/$defs/d%[2]d"}]},`, i, i+1)
	}
	doubling.WriteString(`"d80":{"type":"integer","additionalProperties":{"$ref":"#/$defs/d0"}}}}`)
	var ids strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&ids, `"d%d":{"$id":"i%[1]d"},`, i)
	}
	enum := `{"enum":[` + strings.Repeat("1e999999,", 50_000) + "1]}"
	for name, schema := range map[string]string{
		"doubling": doubling.String(),
		"circle":   `{"$ref":"#","anyOf":[{"$ref":"#"}],"properties":{"a":{"$ref":"#"}}}`,
		"ids":      `{"$id":"http://x/` + strings.Repeat("y", 1<<20) + `/","properties":{"a":{"$ref":"i1"}},"$defs":{` + ids.String() + `"z":{}}}`,
		"deep":     `{"properties":{"a":` + strings.Repeat(`{"allOf":[`, 4000) + strings.Repeat(`]}`, 4000) + `}}`,
		"enums":    `{"properties":{"a":{"allOf":[` + enum + "," + enum + `]}}}`,
		"patterns": `{"properties":{"b":{"patternProperties":{"` + strings.Repeat("(a|b)*", 500) + `":{"type":"integer"},"(":{}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			// What comes out is not the point: that it does is.
			for _, token := range []string{"a=1e999998", "a[a][a][a][a]=5", "b[aaaaaaaaaaaaaaaaaaaaaaaa]=5"} {
				got, err := Build(t.Context(), "", []string{token}, json.RawMessage(schema), Source{})
				var e *Error
				if err != nil && !errors.As(err, &e) || err == nil && !json.Valid(got) {
					t.Errorf("%s: got %s, %v", token, got, err)
				}
			}
		})
	}
}

// TestHostileForMany gives schemas of which every value alone is cheap enough,
// and many values.
func TestHostileForMany(t *testing.T) {
	var members, patterns []string
	for i := range 90_000 {
		members = append(members, strconv.Itoa(i))
	}
	for i := range 99 {
		patterns = append(patterns, fmt.Sprintf(`"%s$":{"type":"integer"}`, strings.Repeat(fmt.Sprintf("(a|b|%d)*", i), 100)))
	}
	var same, names []string
	for i := range 300 {
		same = append(same, "a[]=89999")
		names = append(names, fmt.Sprintf("aaa%d=5", i))
	}
	for name, tt := range map[string]struct {
		schema string
		tokens []string
	}{
		"enum":     {`{"properties":{"a":{"type":"array","items":{"enum":[` + strings.Join(members, ",") + `]}}}}`, same},
		"patterns": {`{"patternProperties":{` + strings.Join(patterns, ",") + `}}`, names},
	} {
		t.Run(name, func(t *testing.T) {
			types := newSchema(json.RawMessage(tt.schema))
			start := time.Now()
			if _, err := Build(t.Context(), "", tt.tokens, json.RawMessage(tt.schema), Source{}); err != nil {
				t.Error(err)
			}
			// The count is what bounds it; the clock is for a machine that is slow.
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			for range 2_000_000 {
				if !types.spend(workPerStep) {
					return
				}
			}
			t.Error("the work never ends")
		})
	}
}
