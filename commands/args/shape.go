package args

import (
	"encoding/json"

	jsonschema "mcpq/internal/schema"
)

// maxShapes bounds the alternatives kept for one place.
const maxShapes = 64

// shape is one alternative of what a place allows.
type shape struct {
	types   typeSet
	members []any // of an enum or const; decoded, numbers as json.Number
	closed  bool  // only members are allowed
	likely  typeSet
}

// shapes gives the alternatives that a schema allows: any one of them may hold.
// What cannot be told (not, if, formats) is left out: the caller validates.
func (s *schema) shapes(place any, depth int) []shape {
	open := []shape{{types: anyType}}
	obj, ok := place.(map[string]any)
	if !ok || !s.step(depth) {
		return open
	}
	at := []shape{s.ownShape(obj)}
	for _, target := range s.targets(obj) {
		at = intersect(at, s.shapes(target, depth+1))
	}
	for _, sub := range list(obj, "allOf") {
		at = intersect(at, s.shapes(sub, depth+1))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var some []shape
		for _, sub := range list(obj, keyword) {
			if some = append(some, s.shapes(sub, depth+1)...); len(some) > maxShapes {
				return open
			}
		}
		if len(some) > 0 {
			at = intersect(at, some)
		}
	}
	return at
}

// ownShape reads the keywords of one schema object.
func (s *schema) ownShape(obj map[string]any) shape {
	sh := shape{types: anyType}
	if members := list(obj, "enum"); !s.spend(len(members)) {
		return sh
	}
	switch t := obj["type"].(type) {
	case string:
		sh.types = typeNamed(t)
	case []any:
		sh.types = noTypes
		for _, name := range t {
			if name, ok := name.(string); ok {
				sh.types |= typeNamed(name)
			}
		}
	}
	if sh.types == noTypes {
		sh.types = anyType // names we do not know
	}
	if members, ok := obj["enum"].([]any); ok {
		sh.closed, sh.members = true, members
	}
	if value, ok := obj["const"]; ok {
		if !sh.closed {
			sh.closed, sh.members = true, []any{value}
		} else {
			sh.members = common(sh.members, []any{value})
		}
	}
	if sh.closed {
		sh.members = ofTypes(sh.members, sh.types)
	}
	if obj["type"] == nil && !sh.closed {
		for keyword, t := range map[string]typeSet{
			"properties": objectType, "required": objectType, "additionalProperties": objectType,
			"items": arrayType, "prefixItems": arrayType,
		} {
			if _, ok := obj[keyword]; ok {
				sh.likely |= t
			}
		}
	}
	return sh
}

// intersect gives the alternatives allowed by both a and b.
func intersect(a, b []shape) []shape {
	var both []shape
	for _, x := range a {
		for _, y := range b {
			if sh, ok := x.and(y); ok {
				both = append(both, sh)
			}
			if len(both) > maxShapes {
				return []shape{{types: anyType}}
			}
		}
	}
	if len(both) == 0 { // nothing fits such a schema; let the validator say so
		return a
	}
	return both
}

func (x shape) and(y shape) (shape, bool) {
	sh := shape{types: x.types & y.types, closed: x.closed || y.closed, likely: x.likely | y.likely}
	switch {
	case x.closed && y.closed:
		sh.members = common(x.members, y.members)
	case x.closed:
		sh.members = ofTypes(x.members, sh.types)
	case y.closed:
		sh.members = ofTypes(y.members, sh.types)
	}
	return sh, sh.types != noTypes && (!sh.closed || len(sh.members) > 0)
}

// ofTypes keeps the members that are of the types.
func ofTypes(members []any, types typeSet) []any {
	var kept []any
	for _, m := range members {
		if memberType(m)&types != 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

func memberType(m any) typeSet {
	switch m := m.(type) {
	case nil:
		return nullType
	case bool:
		return booleanType
	case string:
		return stringType
	case json.Number:
		return typeOfJSON([]byte(m))
	case []any:
		return arrayType
	}
	return objectType
}

func common(a, b []any) []any {
	if len(a)*len(b) > maxSteps {
		return a
	}
	var both []any
	for _, x := range a {
		for _, y := range b {
			if equal(x, y) {
				both = append(both, x)
				break
			}
		}
	}
	return both
}

// equal compares decoded JSON as JSON Schema does: 1, 1.0 and 10e-1 are one.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, x := range a {
			if y, ok := b[name]; !ok || !equal(x, y) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && jsonschema.SameNumber(string(a), string(b))
	}
	switch b.(type) {
	case map[string]any, []any, json.Number:
		return false
	}
	return a == b
}
