package apidiff

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMutations makes schemas at random, changes one thing in each, and asks for
// exactly that change, and for whether it breaks.
func TestMutations(t *testing.T) {
	const rounds = 4000
	made := make(map[string]int)
	for seed := range uint64(rounds) {
		m := &mutator{Rand: rand.New(rand.NewPCG(seed, 7)), defs: map[string]any{}}
		root := m.object(3)
		root["$defs"] = m.defs
		old := encode(t, root)
		places := schemasIn(root, m.defs, nil)
		kinds := mutations()
		// Any mutation that some place allows, in random order.
		m.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		m.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		kind := m.mutate(kinds, places)
		if kind == nil {
			t.Fatalf("seed %d: nothing can be changed in %s", seed, old)
		}
		made[kind.name]++
		new := encode(t, root)
		for _, input := range []bool{true, false} {
			want := kind.change
			if input && kind.input || !input && kind.output {
				want += "!"
			}
			s := mutated(t, input, old, new)
			if s != want {
				t.Errorf("seed %d: %s: got %q, want %q (input: %t)\n%s\n%s", seed, kind.name, s, want, input, old, new)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, kind := range mutations() {
		if made[kind.name] < 10 {
			t.Errorf("%s was tried %d times", kind.name, made[kind.name])
		}
	}
}

// mutated gives the only change between two schemas, wherever it is.
func mutated(t *testing.T, input bool, old, new string) string {
	key := "outputSchema"
	if input {
		key = "inputSchema"
	}
	doc := func(schema string) string { return fmt.Sprintf(`{"tools":[{"name":"t",%q:%s}]}`, key, schema) }
	changes := changesOf(t, doc(old), doc(new))
	if len(changes) == 0 {
		return "nothing"
	}
	s := changes[0].Change
	if changes[0].Breaking {
		s += "!"
	}
	for _, c := range changes[1:] { // what stands in a definition shows wherever that is referred to
		if c.Change != changes[0].Change || c.Breaking != changes[0].Breaking {
			s += fmt.Sprintf(", %s %s", c.Path, c.Change)
		}
	}
	return s
}

func encode(t *testing.T, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

type jsonObject = map[string]any

// mutator makes schemas and changes them.
type mutator struct {
	*rand.Rand
	defs map[string]any
}

func (m *mutator) chance(n int) bool { return m.IntN(n) == 0 }

func (m *mutator) object(depth int) jsonObject {
	properties, required := jsonObject{}, []any{}
	for _, name := range []string{"a", "b", "title", "d.e"} {
		if m.chance(3) {
			continue
		}
		properties[name] = m.schema(depth - 1)
		if m.chance(2) {
			required = append(required, name)
		}
	}
	s := jsonObject{"type": "object", "properties": properties, "required": required}
	switch m.IntN(4) {
	case 0:
		s["additionalProperties"] = false
	case 1:
		s["additionalProperties"] = jsonObject{"type": "number"}
	}
	return s
}

func (m *mutator) schema(depth int) jsonObject {
	var s jsonObject
	switch n := m.IntN(8); {
	case depth > 0 && n == 0:
		s = m.object(depth)
	case depth > 0 && n == 1:
		s = jsonObject{"type": "array", "items": m.schema(depth - 1), "minItems": 1, "maxItems": 9}
	case n == 2:
		s = jsonObject{"type": "string", "enum": []any{"x", "y", "z"}}
	case n == 3:
		s = jsonObject{"type": "integer", "minimum": 0, "exclusiveMaximum": 10.5}
	case n == 4 && depth > 0:
		s = jsonObject{"anyOf": []any{m.schema(0), jsonObject{"type": "boolean", "title": "Flag"}, jsonObject{"const": nil}}}
	case n == 5 && depth > 0:
		name := fmt.Sprintf("d%d", len(m.defs))
		m.defs[name] = jsonObject{} // its place is taken
		m.defs[name] = m.schema(depth - 1)
		return jsonObject{"$ref": "#/$defs/" + name}
	default:
		s = jsonObject{"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^a"}
	}
	if m.chance(2) {
		s["description"], s["default"] = "what it is", "d"
	}
	return s
}

// schemasIn lists all schemas that a mutation may work on: those with a type, and
// not where they would meet another choice of anyOf.
func schemasIn(s jsonObject, defs map[string]any, found []jsonObject) []jsonObject {
	if ref, ok := s["$ref"].(string); ok {
		return schemasIn(defs[ref[len("#/$defs/"):]].(jsonObject), defs, found)
	}
	found = append(found, s)
	if properties, ok := s["properties"].(jsonObject); ok {
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			found = schemasIn(properties[name].(jsonObject), defs, found)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if sub, ok := s[key].(jsonObject); ok {
			found = schemasIn(sub, defs, found)
		}
	}
	if choices, ok := s["anyOf"].([]any); ok {
		found = schemasIn(choices[0].(jsonObject), defs, found)
	}
	return found
}

// mutation changes a schema in one way. do is false if it cannot.
type mutation struct {
	name          string
	change        string
	input, output bool // whether it breaks
	do            func(m *mutator, s jsonObject) bool
}

func (m *mutator) mutate(kinds []mutation, places []jsonObject) *mutation {
	for i := range kinds {
		for _, s := range places {
			if kinds[i].do(m, s) {
				return &kinds[i]
			}
		}
	}
	return nil
}

func mutations() []mutation {
	set := func(key string, from, to any) func(*mutator, jsonObject) bool {
		return func(_ *mutator, s jsonObject) bool {
			was, there := s[key]
			if !there && from != nil || there && (from == nil || fmt.Sprint(was) != fmt.Sprint(from)) {
				return false
			}
			if s[key] = to; to == nil {
				delete(s, key)
			}
			return true
		}
	}
	property := func(do func(name string, s, properties jsonObject) bool) func(*mutator, jsonObject) bool {
		return func(m *mutator, s jsonObject) bool {
			properties, ok := s["properties"].(jsonObject)
			if !ok {
				return false
			}
			names := slices.Sorted(maps.Keys(properties))
			m.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for _, name := range append(names, "new") {
				if do(name, s, properties) {
					return true
				}
			}
			return false
		}
	}
	requiredIn := func(s jsonObject, name string) bool { return slices.Contains(s["required"].([]any), any(name)) }
	require := func(s jsonObject, name string) { s["required"] = append(s["required"].([]any), name) }
	release := func(s jsonObject, name string) {
		s["required"] = slices.DeleteFunc(slices.Clone(s["required"].([]any)), func(v any) bool { return v == name })
	}
	typed := func(s jsonObject) bool { return s["type"] != nil }
	return []mutation{
		{"add property", added, false, false, property(func(name string, _, p jsonObject) bool {
			if name != "new" {
				return false
			}
			p[name] = jsonObject{"type": "string"}
			return true
		})},
		{"add required property", added, true, false, property(func(name string, s, p jsonObject) bool {
			if name != "new" {
				return false
			}
			p[name] = jsonObject{"type": "string"}
			require(s, name)
			return true
		})},
		{"remove property", removed, true, true, property(func(name string, s, p jsonObject) bool {
			if p[name] == nil {
				return false
			}
			delete(p, name)
			release(s, name)
			return true
		})},
		{"require", required, true, false, property(func(name string, s, p jsonObject) bool {
			if p[name] == nil || requiredIn(s, name) {
				return false
			}
			require(s, name)
			return true
		})},
		{"release", optional, false, true, property(func(name string, s, p jsonObject) bool {
			if !requiredIn(s, name) {
				return false
			}
			release(s, name)
			return true
		})},
		{"close", narrowed, true, false, func(_ *mutator, s jsonObject) bool {
			if s["properties"] == nil || s["additionalProperties"] != nil {
				return false
			}
			s["additionalProperties"] = false
			return true
		}},
		{"open", widened, false, false, set("additionalProperties", false, nil)},
		{"narrow type", narrowed, true, false, set("type", "number", "integer")},
		{"widen type", widened, false, true, set("type", "integer", "number")},
		{"nullable", widened, false, true, func(_ *mutator, s jsonObject) bool {
			if !typed(s) || s["enum"] != nil {
				return false
			}
			s["type"] = []any{"null", s["type"]}
			return true
		}},
		{"other type", changed, true, true, set("type", "array", "boolean")},
		{"drop enum value", narrowed, true, false, set("enum", []any{"x", "y", "z"}, []any{"z", "x"})},
		{"add enum value", widened, false, true, set("enum", []any{"x", "y", "z"}, []any{"z", "x", "w", "y"})},
		{"drop enum", widened, false, true, set("enum", []any{"x", "y", "z"}, nil)},
		{"raise minimum", narrowed, true, false, set("minimum", 0, 1)},
		{"drop minimum", widened, false, true, set("minimum", 0, nil)},
		{"raise maximum", widened, false, true, set("exclusiveMaximum", 10.5, 10.51)},
		{"lower maxLength", narrowed, true, false, set("maxLength", 5, 4)},
		{"drop minLength", widened, false, true, set("minLength", 1, nil)},
		{"raise minItems", narrowed, true, false, set("minItems", 1, 2)},
		{"drop maxItems", widened, false, true, set("maxItems", 9, nil)},
		{"change pattern", changed, true, true, set("pattern", "^a", "^b")},
		{"drop pattern", widened, false, true, set("pattern", "^a", nil)},
		{"add format", narrowed, true, false, func(_ *mutator, s jsonObject) bool {
			if s["type"] != "string" {
				return false
			}
			s["format"] = "date"
			return true
		}},
		{"add choice", widened, false, true, func(_ *mutator, s jsonObject) bool {
			choices, ok := s["anyOf"].([]any)
			if ok {
				s["anyOf"] = append([]any{jsonObject{"const": "more"}}, choices...)
			}
			return ok
		}},
		{"drop choice", narrowed, true, false, func(_ *mutator, s jsonObject) bool {
			choices, ok := s["anyOf"].([]any)
			if ok {
				s["anyOf"] = choices[:2]
			}
			return ok
		}},
		{"change words of a choice", changed, false, false, func(_ *mutator, s jsonObject) bool {
			choices, ok := s["anyOf"].([]any)
			if ok {
				choices[1].(jsonObject)["title"] = "Switch"
			}
			return ok
		}},
		{"change default", changed, false, false, set("default", "d", "e")},
		{"change description", changed, false, false, set("description", "what it is", "what it was")},
		{"drop description", removed, false, false, set("description", "what it is", nil)},
		{"add unknown keyword", added, false, false, set("x-thing", nil, true)},
	}
}
