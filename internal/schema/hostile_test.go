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
	list := func(n int, format string) string {
		all := make([]string, n)
		for i := range all {
			if all[i] = format; strings.Contains(format, "%") {
				all[i] = fmt.Sprintf(format, i)
			}
		}
		return strings.Join(all, ",")
	}
	nested := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	tests := []struct{ name, schema, instance, want string }{
		{"anyOf twice, all fail", doubling(60, `{"anyOf":[NEXT,NEXT]}`, `{"type":"null"}`), `{}`, "too long"},
		{"allOf twice, all fit", doubling(60, `{"allOf":[NEXT,NEXT]}`, `{}`), `{}`, "too long"},
		{"oneOf twice", doubling(60, `{"oneOf":[NEXT,NEXT]}`, `{"type":"object"}`), `{}`, "too long"},
		{"not and anyOf", doubling(60, `{"not":{"anyOf":[NEXT,NEXT]}}`, `{"type":"null"}`), `{}`, "too long"},
		{"draft-07", strings.Replace(doubling(60, `{"anyOf":[NEXT,NEXT]}`, `{"type":"null"}`), `{`, `{"$schema":"http://json-schema.org/draft-07/schema#","allOf":[{"$ref":"#/$defs/d0"}],"x":{},`, 1), `{}`, "too long"},
		{"patterns", doubling(60, `{"patternProperties":{"a":NEXT,"a|b":NEXT}}`, `false`), nested(60, `{"a":`, `1`, `}`), "too long"},
		{"unevaluated", doubling(40, `{"anyOf":[NEXT,NEXT],"unevaluatedProperties":false}`, `{"properties":{"a":true}}`), `{"a":1}`, "too long"},
		{"circle", `{"$ref":"#"}`, `{}`, "refers to itself"},
		{"circle by way of allOf", `{"allOf":[{"$ref":"#"}]}`, `{}`, "refers to itself"},
		{"circle of dynamic references", `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, `{}`, "refers to itself"},
		{"long chain on a deep value", doubling(3000, `{"allOf":[NEXT]}`, `{"properties":{"a":{"$ref":"#/$defs/d0"}}}`), nested(500, `{"a":`, `1`, `}`), "nest too deep"},
		{"many properties", wide(4_000, `"p%d":{"type":"string"}`), `{"p1":1}`, "p1: got number, want string"},
		{"very many properties", wide(99_000, `"p%d":{}`), `{}`, "<nil>"},
		{"many ids", wide(400, `"p%d":{"$id":"i%[1]d"}`), `{}`, "<nil>"},
		{"very many ids", wide(9_000, `"p%d":{"$id":"i%[1]d"}`), `{}`, "<nil>"},
		{"many references to odd places", wide(5_000, `"p%d":{"$ref":"#/x/p%[1]d","x":{}}`), `{}`, "<nil>"},
		{"deep schema", nested(100_000, `{"not":`, `{}`, `}`), `{}`, "max depth"},
		{"rather deep schema", nested(250, `{"not":`, `{}`, `}`), `{}`, "<nil>"},
		{"deep value", `{}`, nested(9_000, `[`, ``, `]`), "deeper than 512"},
		{"large schema", `{"description":"` + strings.Repeat("x", 5<<20) + `"}`, `{}`, "larger than 4 MiB"},
		{"huge exponent", `{"properties":{"n":{"minimum":1}}}`, `{"n":1e999999999}`, "out of bounds"},
		{"huge exponent for an integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1e999999999}`, "out of bounds"},
		{"huge exponent in the schema", `{"properties":{"n":{"multipleOf":1e-999999}}}`, `{"n":3}`, "out of bounds"},
		{"division by nothing", `{"properties":{"n":{"multipleOf":1e-9999999999}}}`, `{"n":3}`, "out of bounds"},
		{"pattern of repetitions", `{"properties":{"s":{"pattern":"((((a{1,100}){1,100}){1,100}){1,100})"}}}`, `{"s":"aaaa"}`, "<nil>"},
		{"pattern that backtracks elsewhere", `{"properties":{"s":{"pattern":"^(a+)+$"}}}`, `{"s":"` + strings.Repeat("a", 50_000) + `!"}`, "want a match of"},
		{"many patterns", wide(900, `"p%d":{"pattern":"a{1000}b%[1]d"}`), `{` + list(900, `"p%d":"aaa"`) + `}`, "too long"},
		{"too many patterns", wide(9_000, `"p%d":{"pattern":"a"}`), `{}`, "1000 regular expressions"},
		{"long identifier that others are relative to", `{"$id":"http://x/` + strings.Repeat("y", 1<<20) + `/",` + wide(9_000, `"p%d":{"$id":"i%[1]d"}`)[1:], `{}`, "too long"},
		{"long names that are missing", `{"items":{"required":["` + strings.Repeat("y", 1<<20) + `"]}}`, `[` + list(100_000, `{}`) + `]`, "too long"},
		{"long names that lead to failures", `{"additionalProperties":{"items":false}}`, `{"` + strings.Repeat("y", 8<<20) + `":[` + list(1_000, `1`) + `]}`, "too long"},
		{"long enum and many values", `{"items":{"enum":[` + list(20_000, `"v%d"`) + `]}}`, `[` + list(20_000, `"x%d"`) + `]`, "too long"},
		{"long numbers compared with each other", `{"items":{"enum":[` + list(400, `1%d`+strings.Repeat("7", 9_000)) + `]}}`, `[` + list(1_000, `1%d`+strings.Repeat("8", 9_000)) + `]`, "too long"},
		{"long numbers divided", `{"items":{"multipleOf":3` + strings.Repeat("7", 9_000) + `}}`, `[` + list(1_000, `1%de9999`) + `]`, "too long"},
		{"many equal items within each other", `{"$defs":{"u":{"uniqueItems":true,"items":{"$ref":"#/$defs/u"}}},"$ref":"#/$defs/u"}`, nested(500, `[0,`, list(10_000, `"%d"`), `]`), "too long"},
		{"many types", `{"items":{"type":[` + list(50_000, `"null"`) + `]}}`, `[` + list(10_000, `%d`) + `]`, "[0]: got number, want null"},
		{"large value", `{"items":{"type":"integer","minimum":-1}}`, `[` + list(200_000, `%d`) + `]`, "<nil>"},
		{"enum with long numbers", `{"enum":[` + strings.Repeat(`1e999999,`, 2000) + `1]}`, `1e999998`, "out of bounds"},
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
			if !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
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
