package args

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// Limits for a server's schema, which is not ours to trust: past them a value
// is of unknown type, that is a string.
const (
	maxSteps  = 20_000 // schemas looked at for one value
	maxNested = 200    // schemas within schemas, references followed

	maxPatterns, maxPattern = 100, 1000 // patternProperties, and the length of one

	// maxWork bounds what all values together cost, at most some tenths of a
	// second: a member of an enum that is looked at costs one, and so does a byte
	// of a pattern; a schema and a byte to compile cost more.
	maxWork       = 3_000_000
	workPerStep   = 20
	workToCompile = 50
)

// schema answers what types a place in the arguments allows. A place is itself
// a JSON Schema (a decoded value); nil is an unknown one. Places below
// properties are put together from all schemas that apply there, as allOf and
// anyOf of them.
type schema struct {
	root    any
	anchors map[string]any // of the whole document; nil until one is asked for
	ids     map[string]any // schemas with an identifier of their own
	steps   int            // left for the value at hand
	work    int            // left for all of them

	patterns map[string]*regexp.Regexp // compiled; nil for one that cannot be read
}

// newSchema takes a schema as a server sent it; one that is missing or broken
// knows nothing.
func newSchema(raw json.RawMessage) *schema {
	s := &schema{work: maxWork}
	if len(raw) == 0 {
		return s
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // an enum member keeps its digits
	if dec.Decode(&s.root) != nil {
		s.root = nil
	}
	return s
}

// property gives the place of a member of an object.
func (s *schema) property(place any, name string) any {
	s.begin()
	return s.below(place, 0, func(obj map[string]any) any { return s.propertyIn(obj, name) })
}

// item gives the place of an item of an array.
func (s *schema) item(place any, index int) any {
	s.begin()
	return s.below(place, 0, func(obj map[string]any) any { return itemIn(obj, index) })
}

// container says which of "array" and "object" a place allows, if only one.
func (s *schema) container(place any) string {
	s.begin()
	var types typeSet
	for _, sh := range s.shapes(place, 0) {
		types |= sh.types
	}
	switch types & (arrayType | objectType) {
	case arrayType:
		return "array"
	case objectType:
		return "object"
	}
	return ""
}

// below puts together what own finds in a schema, in those it refers to and in
// those it is combined from.
func (s *schema) below(place any, depth int, own func(map[string]any) any) any {
	obj, ok := place.(map[string]any)
	if !ok || !s.step(depth) {
		return nil
	}
	var all []any
	add := func(found any) {
		if found != nil {
			all = append(all, found)
		}
	}
	add(own(obj))
	for _, target := range s.targets(obj) {
		add(s.below(target, depth+1, own))
	}
	for _, sub := range list(obj, "allOf") {
		add(s.below(sub, depth+1, own))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var some []any
		for _, sub := range list(obj, keyword) {
			if found := s.below(sub, depth+1, own); found != nil {
				some = append(some, found)
			}
		}
		if len(some) > 0 {
			add(map[string]any{"anyOf": some})
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return map[string]any{"allOf": all}
}

// begin allows the work for another value.
func (s *schema) begin() { s.steps = maxSteps }

// step takes a schema to look at. It is false when there were too many.
func (s *schema) step(depth int) bool {
	s.steps--
	return s.spend(workPerStep) && s.steps > 0 && depth < maxNested
}

// spend takes n of the work that is left. Once there is none it stays so.
func (s *schema) spend(n int) bool {
	s.work = max(s.work-n, 0)
	return s.work > 0
}

// propertyIn looks a member up in one schema object.
func (s *schema) propertyIn(obj map[string]any, name string) any {
	var all []any
	if props, ok := obj["properties"].(map[string]any); ok {
		if sub, ok := props[name]; ok {
			all = append(all, sub)
		}
	}
	if patterns, ok := obj["patternProperties"].(map[string]any); ok {
		for pattern, sub := range patterns {
			if len(patterns) <= maxPatterns && s.matches(pattern, name) {
				all = append(all, sub)
			}
		}
	}
	switch len(all) {
	case 0:
		return obj["additionalProperties"]
	case 1:
		return all[0]
	}
	return map[string]any{"allOf": all}
}

// matches says whether a name matches a pattern; none matches one that cannot
// be read.
func (s *schema) matches(pattern, name string) bool {
	if len(pattern) > maxPattern || !s.spend(len(pattern)) {
		return false
	}
	re, known := s.patterns[pattern]
	if !known {
		if !s.spend(workToCompile * len(pattern)) {
			return false
		}
		if s.patterns == nil {
			s.patterns = map[string]*regexp.Regexp{}
		}
		re, _ = regexp.Compile(pattern) // nil if it cannot be read
		s.patterns[pattern] = re
	}
	return re != nil && re.MatchString(name)
}

// itemIn looks an item up in one schema object, tuples of either spelling too.
func itemIn(obj map[string]any, index int) any {
	if prefix := list(obj, "prefixItems"); index < len(prefix) {
		return prefix[index]
	}
	if tuple, ok := obj["items"].([]any); ok {
		if index < len(tuple) {
			return tuple[index]
		}
		return obj["additionalItems"]
	}
	return obj["items"]
}

func list(obj map[string]any, keyword string) []any {
	l, _ := obj[keyword].([]any)
	return l
}
