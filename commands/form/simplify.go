package form

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
)

const (
	maxSimplified = 20       // references and combinations around one argument
	maxLookedAt   = 64 << 20 // bytes of schemas read for all arguments
)

// simplifier makes definitions plain that are parts of a schema.
type simplifier struct {
	root json.RawMessage
	left int // bytes that may still be looked at
}

// simplify gives the definition of an argument in the flat words that a form
// knows, where it has them: a reference, a combination of one schema, and null
// beside one other kind of value. What stands beside them is nearer and counts
// more. nullable tells that null is allowed as well. The answer is checked
// against the schema as it was: this only decides how it is asked for.
func (s *simplifier) simplify(definition json.RawMessage) (plain json.RawMessage, nullable bool) {
	for range maxSimplified {
		s.left -= len(definition)
		object, err := rawjson.ParseObject(definition)
		if err != nil || s.left < 0 {
			return definition, nullable
		}
		inner, without, null := s.inside(object)
		nullable = nullable || null
		if inner == nil {
			return without.Raw(), nullable
		}
		around, err := rawjson.ParseObject(inner)
		if err != nil {
			return without.Raw(), nullable
		}
		for _, m := range without {
			around = around.Set(m.Key, m.Value)
		}
		definition = around.Raw()
	}
	return definition, nullable
}

// inside gives the one schema that an object refers to or consists of, if there
// is such, and the object without it.
func (s *simplifier) inside(object rawjson.Object) (inner json.RawMessage, without rawjson.Object, null bool) {
	if raw, ok := object.Get("$ref"); ok {
		ref, _ := rawjson.Unquote(raw)
		s.left -= len(s.root)
		if path, local := strings.CutPrefix(ref, "#"); local && s.left >= 0 {
			return rawjson.At(s.root, path), object.Delete("$ref"), false
		}
		return nil, object, false
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		raw, _ := object.Get(key)
		all, err := rawjson.Elements(raw)
		if err != nil {
			continue
		}
		some := all
		if key != "allOf" {
			some = slices.DeleteFunc(slices.Clone(all), isNull)
		}
		if len(some) == 1 {
			return some[0], object.Delete(key), len(some) < len(all)
		}
		if null = len(some) < len(all); null {
			return nil, object.Set(key, rawjson.Array(some)), true
		}
	}
	raw, _ := object.Get("type")
	if types, err := rawjson.Elements(raw); err == nil && len(types) == 2 {
		if i := slices.IndexFunc(types, func(t json.RawMessage) bool { return string(t) == `"null"` }); i >= 0 {
			return nil, object.Set("type", types[1-i]), true
		}
	}
	return nil, object, false
}

// isNull reports whether a schema allows null alone.
func isNull(definition json.RawMessage) bool {
	object, err := rawjson.ParseObject(definition)
	if err != nil {
		return false
	}
	kind, _ := object.Get("type")
	constant, _ := object.Get("const")
	return string(kind) == `"null"` || string(constant) == "null"
}
