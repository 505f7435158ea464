package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// atMost is far more than any of the work here takes.
const atMost = 10 * time.Second

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// doubling is a schema of n levels, each of which tries the next one twice.
func doubling(n int, level, last string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":`+strings.ReplaceAll(level, "NEXT", fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1))+",", i)
	}
	fmt.Fprintf(&b, `"d%d":%s}}`, n, last)
	return b.String()
}

// TestHostile gives schemas built to take for ever, for all memory or for a
// crash. Each must end, within limits that are generous for a loaded machine,
// in an answer or an UnsupportedError.
func TestHostile(t *testing.T) {
	wide := func(n int, format string) string {
		var b strings.Builder
		b.WriteString(`{"properties":{`)
		for i := range n {
			fmt.Fprintf(&b, format+",", i)
		}
		return b.String() + `"z":true}}`
	}
	nested := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	tests := []struct{ name, schema, instance string }{
		{"anyOf twice, all fail", doubling(60, `{"anyOf":[NEXT,NEXT]}`, `{"type":"null"}`), `{}`},
		{"allOf twice, all fit", doubling(60, `{"allOf":[NEXT,NEXT]}`, `{}`), `{}`},
		{"oneOf twice", doubling(60, `{"oneOf":[NEXT,NEXT]}`, `{"type":"object"}`), `{}`},
		{"not and anyOf", doubling(60, `{"not":{"anyOf":[NEXT,NEXT]}}`, `{"type":"null"}`), `{}`},
		{"draft-07", strings.Replace(doubling(60, `{"anyOf":[NEXT,NEXT]}`, `{"type":"null"}`), `{`, `{"$schema":"http://json-schema.org/draft-07/schema#","allOf":[{"$ref":"#/$defs/d0"}],"x":{},`, 1), `{}`},
		{"patterns", doubling(60, `{"patternProperties":{"a":NEXT,"a|b":NEXT}}`, `false`), nested(60, `{"a":`, `1`, `}`)},
		{"unevaluated", doubling(40, `{"anyOf":[NEXT,NEXT],"unevaluatedProperties":false}`, `{"properties":{"a":true}}`), `{"a":1}`},
		{"circle", `{"$ref":"#"}`, `{}`},
		{"circle by way of allOf", `{"allOf":[{"$ref":"#"}]}`, `{}`},
		{"circle of dynamic references", `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, `{}`},
		{"long chain on a deep value", doubling(3000, `{"allOf":[NEXT]}`, `{"properties":{"a":{"$ref":"#/$defs/d0"}}}`), nested(500, `{"a":`, `1`, `}`)},
		{"many properties", wide(4_000, `"p%d":{"type":"string"}`), `{"p1":1}`},
		{"too many properties", wide(99_000, `"p%d":{}`), `{}`},
		{"many ids", wide(400, `"p%d":{"$id":"i%[1]d"}`), `{}`},
		{"too many ids", wide(9_000, `"p%d":{"$id":"i%[1]d"}`), `{}`},
		{"many references to odd places", wide(5_000, `"p%d":{"$ref":"#/x/p%[1]d","x":{}}`), `{}`},
		{"deep schema", nested(100_000, `{"not":`, `{}`, `}`), `{}`},
		{"rather deep schema", nested(250, `{"not":`, `{}`, `}`), `{}`},
		{"deep value", `{}`, nested(9_000, `[`, ``, `]`)},
		{"large schema", `{"description":"` + strings.Repeat("x", 5<<20) + `"}`, `{}`},
		{"huge exponent", `{"properties":{"n":{"minimum":1}}}`, `{"n":1e999999999}`},
		{"huge exponent for an integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1e999999999}`},
		{"huge exponent in the schema", `{"properties":{"n":{"multipleOf":1e-999999}}}`, `{"n":3}`},
		{"division by nothing", `{"properties":{"n":{"multipleOf":1e-9999999999}}}`, `{"n":3}`},
		{"pattern of repetitions", `{"properties":{"s":{"pattern":"((((a{1,100}){1,100}){1,100}){1,100})"}}}`, `{"s":"aaaa"}`},
		{"pattern that backtracks elsewhere", `{"properties":{"s":{"pattern":"^(a+)+$"}}}`, `{"s":"` + strings.Repeat("a", 50_000) + `!"}`},
		{"enum with long numbers", `{"enum":[` + strings.Repeat(`1e999999,`, 2000) + `1]}`, `1e999998`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			err := Validate(t.Context(), json.RawMessage(tt.schema), json.RawMessage(tt.instance))
			took := time.Since(start)
			var u *UnsupportedError
			var v *ViolationError
			if err != nil && !errors.As(err, &u) && !errors.As(err, &v) {
				t.Errorf("got %T %v", err, err)
			}
			if took > atMost {
				t.Errorf("took %v", took)
			}
			t.Logf("%v: %.200v", took.Round(time.Millisecond), err)
		})
	}
}

// FuzzValidate looks for schemas that crash.
func FuzzValidate(f *testing.F) {
	f.Add(`{"type":"object","required":["a"]}`, `{}`)
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"type":"null"},{"enum":[1]}]}}}`, `{"a":[1e400]}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]},"items":[{}]}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, schema, instance string) {
		err := Validate(t.Context(), json.RawMessage(schema), json.RawMessage(instance))
		if err == nil {
			return
		}
		if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("not one safe line: %q", err)
		}
	})
}
