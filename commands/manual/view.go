package manual

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
)

const (
	maxSteps   = 100_000 // see spend; enough for some thousand schemas, or 10 MB of them
	maxNesting = 30      // references followed and schemas combined at one place
)

// reader reads a schema.
type reader struct {
	root     json.RawMessage
	steps    int
	within   []string // references that lead to the place at hand
	required string   // what a member is called that must be there
}

// view is what a schema says of a value, after references and combinations have
// been put together. What contradicts itself shows the last word.
type view struct {
	types        []string
	title, about string
	format       string
	pattern      string
	fallback     json.RawMessage // default
	example      json.RawMessage
	choices      []json.RawMessage // enum or const
	bounds       map[string]json.RawMessage
	properties   []property
	patterns     []property        // of patternProperties, by their regular expressions
	others       json.RawMessage   // members that are not named; nil if the schema has none for them
	first        []json.RawMessage // of a list, items that have a schema each
	items        json.RawMessage   // those after first, if there are such
	forms        []json.RawMessage // of anyOf and oneOf
	deprecated   bool
}

type property struct {
	name     string
	schema   json.RawMessage
	required bool
}

func (r *reader) look(raw json.RawMessage) view {
	v := view{bounds: map[string]json.RawMessage{}}
	required := map[string]bool{}
	r.add(&v, required, raw, 0)
	for i := range v.properties {
		v.properties[i].required = required[v.properties[i].name]
	}
	if len(v.types) == 0 && len(v.properties) > 0 {
		v.types = []string{"object"}
	}
	return v
}

func (r *reader) add(v *view, required map[string]bool, raw json.RawMessage, depth int) {
	if !r.spend(raw) || depth > maxNesting {
		return
	}
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return
	}
	for _, m := range object { // what is referred to comes first: what stands beside it is nearer
		switch m.Key {
		case "$ref", "$dynamicRef", "$recursiveRef":
			if ref, ok := rawjson.Unquote(m.Value); ok {
				if target := r.lookUp(ref); target != nil {
					r.add(v, required, target, depth+1)
				}
			}
		case "allOf":
			items, _ := rawjson.Elements(m.Value) // of what is no list there are none
			for _, item := range items {
				r.add(v, required, item, depth+1)
			}
		}
	}
	for _, m := range object {
		r.keyword(v, required, m.Key, m.Value)
	}
}

func (r *reader) keyword(v *view, required map[string]bool, key string, value json.RawMessage) {
	text, _ := rawjson.Unquote(value)
	switch key {
	case "type":
		v.types = v.types[:0]
		if text != "" {
			v.types = append(v.types, text)
		}
		_ = json.Unmarshal(value, &v.types) // a list of them, or nothing to be seen
	case "title":
		v.title = text
	case "description":
		v.about = text
	case "format":
		v.format = text
	case "pattern":
		v.pattern = text
	case "default":
		v.fallback = value
	case "examples":
		if items, err := rawjson.Elements(value); err == nil && len(items) > 0 {
			v.example = items[0]
		}
	case "example":
		v.example = value
	case "enum":
		if items, err := rawjson.Elements(value); err == nil {
			v.choices = items
		}
	case "const":
		v.choices = []json.RawMessage{value}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems":
		v.bounds[key] = value
	case "deprecated":
		v.deprecated = string(value) == "true"
	case "items":
		if first, err := rawjson.Elements(value); err == nil { // up to 2019-09
			v.first = first
		} else {
			v.items = value
		}
	case "prefixItems":
		v.first, _ = rawjson.Elements(value) // of what is no list there are none
	case "additionalItems":
		if v.items == nil {
			v.items = value
		}
	case "additionalProperties":
		if isSchema(value) {
			v.others = value
		}
	case "patternProperties":
		patterns, _ := rawjson.ParseObject(value)
		for _, p := range patterns {
			v.patterns = append(v.patterns, property{name: p.Key, schema: p.Value})
		}
	case "anyOf", "oneOf":
		items, _ := rawjson.Elements(value)
		v.forms = append(v.forms, items...)
	case "required":
		var names []string
		_ = json.Unmarshal(value, &names) // anything else requires nothing
		for _, name := range names {
			required[name] = true
		}
	case "properties":
		properties, _ := rawjson.ParseObject(value)
		last := make(map[string]json.RawMessage, len(properties))
		for _, p := range properties {
			last[p.Key] = p.Value
		}
		v.properties = slices.DeleteFunc(v.properties, func(q property) bool { return last[q.name] != nil })
		for _, p := range properties {
			if schema := last[p.Key]; schema != nil {
				v.properties = append(v.properties, property{name: p.Key, schema: schema})
				delete(last, p.Key)
			}
		}
	}
}

// isSchema tells a schema that says something from true, false and {}.
func isSchema(raw json.RawMessage) bool {
	object, err := rawjson.ParseObject(raw)
	return err == nil && len(object) > 0
}

// spend charges for the reading of a schema, and tells whether there is enough
// left of what a page may cost.
func (r *reader) spend(raw json.RawMessage) bool {
	r.steps += 10 + len(raw)/100
	return r.steps <= maxSteps
}

// refOf is the reference that a schema is; "" for another schema.
func refOf(raw json.RawMessage) string {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return ""
	}
	ref, _ := object.Get("$ref")
	text, _ := rawjson.Unquote(ref)
	return text
}

// enter notes that a schema is about to be shown, and returns what ends that.
// again tells that it is being shown already, around this place.
func (r *reader) enter(raw json.RawMessage) (leave func(), again bool) {
	ref := refOf(raw)
	if ref == "" {
		return func() {}, false
	}
	if ref == "#" || slices.Contains(r.within, ref) {
		return func() {}, true
	}
	r.within = append(r.within, ref)
	return func() { r.within = r.within[:len(r.within)-1] }, false
}

// lookUp follows a reference within the document.
func (r *reader) lookUp(ref string) json.RawMessage {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || !r.spend(r.root) {
		return nil
	}
	return rawjson.At(r.root, path)
}

// simple puts the forms of a value together where that makes it plainer: null
// beside one other form, and constants with titles.
func (r *reader) simple(v view) view {
	if len(v.forms) == 0 {
		return v
	}
	var rest []view
	null, constants := false, []json.RawMessage{}
	for _, form := range v.forms {
		one := r.look(form)
		switch {
		case slices.Equal(one.types, []string{"null"}):
			null = true
		case len(one.choices) == 1 && len(one.properties) == 0:
			constants = append(constants, one.choices[0])
		default:
			rest = append(rest, one)
		}
	}
	switch {
	case len(rest) == 0 && len(constants) > 0:
		v.choices, v.forms = append(v.choices, constants...), nil
	case len(rest) == 1 && len(constants) == 0:
		one := r.simple(rest[0])
		if v.about != "" {
			one.about = v.about
		}
		if v.title != "" {
			one.title = v.title
		}
		if v.fallback != nil {
			one.fallback = v.fallback
		}
		one.properties = append(one.properties, v.properties...)
		v = one
	}
	if null {
		v.types = append(slices.Clone(v.types), "null")
	}
	return v
}
