package schema

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// maker writes random schemas, and values of the kind they speak of: few names
// and few numbers, so that they meet.
type maker struct {
	*rand.Rand
	dialect dialect
}

func (m maker) pick(from ...string) string { return from[m.IntN(len(from))] }

func (m maker) some(n int, write func(i int) string) string {
	all := make([]string, m.IntN(n))
	for i := range all {
		all[i] = write(i)
	}
	return strings.Join(all, ",")
}

func (m maker) name() string { return m.pick(`"a"`, `"b"`, `"ab"`, `"c"`) }

func (m maker) number() string {
	return m.pick("0", "1", "2", "3", "-1", "1.0", "0.5", "1e1", "1.50", "20e-1", "-0", "12345678901234567890")
}

func (m maker) value(depth int) string {
	switch n := m.IntN(8); {
	case n < 2 && depth > 0:
		return "{" + m.some(4, func(int) string { return m.name() + ":" + m.value(depth-1) }) + "}"
	case n < 4 && depth > 0:
		return "[" + m.some(4, func(int) string { return m.value(depth - 1) }) + "]"
	case n < 6:
		return m.number()
	}
	return m.pick(`"a"`, `"ab"`, `"é"`, `""`, "null", "true", "false")
}

func (m maker) values() []string {
	all := make([]string, 10)
	for i := range all {
		all[i] = m.value(3)
	}
	return all
}

func (m maker) schema(depth int) string {
	if m.dialect > draft4 && m.IntN(12) == 0 {
		return m.pick("true", "false")
	}
	seen := map[string]bool{}
	var keywords []string
	for range 1 + m.IntN(4) {
		keyword, value := m.keyword(depth)
		if keyword == "$ref" && m.dialect < draft19 {
			return `{"$ref":` + value + "}" // the oracle does not ignore all that is beside it
		}
		if !seen[keyword] {
			seen[keyword] = true
			keywords = append(keywords, `"`+keyword+`":`+value)
		}
	}
	return "{" + strings.Join(keywords, ",") + "}"
}

// keyword writes one keyword, known in the dialect or not.
func (m maker) keyword(depth int) (name, value string) {
	sub := func() string { return m.schema(depth - 1) }
	subs := func() string { return "[" + sub() + "," + sub() + "]" }
	named := func() string { return "{" + m.name() + ":" + sub() + "}" }
	names := func() string { return m.pick(`["a"]`, `["b"]`, `["a","c"]`, `["ab","b"]`) }
	if n := m.IntN(20); depth > 0 && n < 14 {
		switch n {
		case 0:
			return m.pick("not", "if", "then", "else"), sub()
		case 1, 2:
			return m.pick("allOf", "anyOf", "oneOf"), subs()
		case 3, 4:
			return m.pick("properties", "dependentSchemas", "dependencies", "properties"), named()
		case 5:
			return "patternProperties", `{"` + m.pick("^a", "b$", ".", "") + `":` + sub() + "}"
		case 6:
			return m.pick("additionalProperties", "additionalItems", "contains"), sub()
		case 7, 8:
			return m.pick("unevaluatedProperties", "unevaluatedItems"), sub()
		case 9:
			if m.dialect < draft20 && m.IntN(2) == 0 {
				return "items", subs()
			}
			return "items", sub()
		case 10:
			return m.pick("prefixItems"), subs()
		case 11:
			return m.pick("dependentRequired", "dependencies"), "{" + m.name() + ":" + names() + "}"
		case 12:
			return "propertyNames", sub()
		default:
			if m.dialect == draft20 && m.IntN(2) == 0 {
				return "$dynamicRef", `"#y"`
			}
			return "$ref", m.pick(`"#/definitions/x"`, `"#/definitions/y"`, `"#y"`, `"#"`, `"sub"`)
		}
	}
	switch m.IntN(9) {
	case 0, 1:
		return "type", `"` + m.pick("integer", "number", "string", "array", "object", "null", "boolean") + `"`
	case 2:
		return "enum", "[" + m.value(1) + ",[" + m.value(1) + "]]"
	case 3:
		return "const", m.value(1)
	case 4:
		return m.pick("minimum", "maximum"), m.number()
	case 5:
		if m.dialect == draft4 {
			return "multipleOf", m.pick("0.5", "2", "1e-1")
		}
		return m.pick("exclusiveMinimum", "exclusiveMaximum"), m.number()
	case 6:
		return m.pick("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"), m.pick("0", "1", "2")
	case 7:
		return m.pick("required"), names()
	}
	return m.pick("uniqueItems"), "true"
}

// document writes a whole schema.
func (m maker) document() string {
	id, anchor := `"$id"`, `"$anchor":"y"`
	switch {
	case m.dialect == draft4:
		id, anchor = `"id"`, `"id":"#y"`
	case m.dialect < draft19:
		anchor = `"$id":"#y"`
	case m.dialect == draft20:
		anchor = `"$dynamicAnchor":"y"`
	}
	parts := fmt.Sprintf(`"definitions":{"x":%s,"y":{%s,"allOf":[%s]},"z":{%s:"sub","definitions":{"x":%s,"y":{%s,"not":%s}},"allOf":[%s]}}`,
		m.schema(2), anchor, m.schema(1), id, m.schema(1), anchor, m.schema(1), m.schema(2))
	return withDialect("{"+parts+`,"allOf":[`+m.schema(4)+","+m.schema(3)+"]}", m.dialect)
}

// FuzzRandom compares the two implementations on random schemas.
func FuzzRandom(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := maker{rand.New(rand.NewPCG(seed, 1)), dialectURIs[seed%uint64(len(dialectURIs))].dialect}
		schema := m.document()
		if isKnown(schema) {
			t.Skip()
		}
		compare(t, schema, m.values()...)
	})
}

// TestRandomIsJudged keeps the random schemas from being ones that nobody can
// judge, or to which there is one answer only.
func TestRandomIsJudged(t *testing.T) {
	judged, fit, all := 0, 0, 0
	for seed := range uint64(100) {
		m := maker{rand.New(rand.NewPCG(seed, 1)), dialectURIs[seed%uint64(len(dialectURIs))].dialect}
		schema := m.document()
		other := consult(schema)
		for _, instance := range m.values() {
			all++
			if fits, err := other.judge(instance); err == nil {
				judged++
				if fits {
					fit++
				}
			}
		}
	}
	if judged < all/3 || fit < judged/10 || fit > judged*9/10 {
		t.Errorf("of %d values %d are judged and %d fit", all, judged, fit)
	}
	t.Logf("of %d values %d are judged and %d fit", all, judged, fit)
}
