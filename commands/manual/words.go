package manual

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// kind says in a few words what a value is.
func (r *reader) kind(v view, depth int) string {
	if len(v.choices) == 1 {
		return "always " + shown(v.choices[0])
	}
	if len(v.choices) > 1 {
		return "one of"
	}
	var names []string
	for _, t := range v.types {
		name := output.SafeLine(t)
		switch t {
		case "array":
			name = "list"
			if len(v.first) > 0 && depth < 4 {
				name = r.tupleKind(v, depth)
			} else if v.items != nil && depth < 4 {
				if of := r.kind(r.simple(r.look(v.items)), depth+1); of != "" {
					name = "list of " + plural(of)
				}
			}
		case "object":
			if len(v.properties) == 0 && len(v.patterns) == 0 && v.others != nil && depth < 4 {
				name = "object of " + plural(r.kind(r.simple(r.look(v.others)), depth+1)) + " by name"
			}
		case "boolean":
			name = "true or false"
		}
		names = append(names, name)
	}
	if len(names) == 0 && len(v.forms) > 0 && depth < 4 {
		for _, form := range v.forms {
			if name := r.kind(r.simple(r.look(form)), depth+1); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "anything"
	}
	return strings.Join(names, " or ")
}

// tupleKind says what a list is of which every item is of its own kind.
func (r *reader) tupleKind(v view, depth int) string {
	const most = 6
	var kinds []string
	for i, raw := range v.first {
		if i == most {
			return "list: " + strings.Join(kinds, ", ") + ", …"
		}
		kinds = append(kinds, r.kind(r.simple(r.look(raw)), depth+1))
	}
	name := "list: " + strings.Join(kinds, ", ")
	if v.items != nil && isSchema(v.items) {
		name += ", then " + plural(r.kind(r.simple(r.look(v.items)), depth+1))
	}
	return name
}

func plural(kind string) string {
	switch kind {
	case "string", "integer", "number", "object":
		return kind + "s"
	case "one of":
		return "choices"
	}
	return kind
}

// facts are what else is to be known of a value in a few words.
func facts(v view) []string {
	var all []string
	add := func(s string) {
		if s != "" {
			all = append(all, s)
		}
	}
	if v.format != "" {
		add(output.SafeLine(v.format))
	}
	add(between(v, "minimum", "maximum", ""))
	if b, ok := v.bounds["exclusiveMinimum"]; ok && isNumber(b) {
		add("more than " + string(b))
	}
	if b, ok := v.bounds["exclusiveMaximum"]; ok && isNumber(b) {
		add("less than " + string(b))
	}
	if b, ok := v.bounds["multipleOf"]; ok && isNumber(b) {
		add("a multiple of " + string(b))
	}
	add(between(v, "minLength", "maxLength", " characters"))
	add(between(v, "minItems", "maxItems", " items"))
	add(between(v, "minProperties", "maxProperties", " members"))
	if string(v.bounds["uniqueItems"]) == "true" {
		add("no item twice")
	}
	if v.pattern != "" {
		add("matching " + output.SafeLine(v.pattern))
	}
	if v.fallback != nil {
		add("default " + shown(v.fallback))
	}
	if v.deprecated {
		add("deprecated")
	}
	return all
}

func between(v view, least, most, unit string) string {
	low, high := v.bounds[least], v.bounds[most]
	hasLow, hasHigh := isNumber(low), isNumber(high)
	switch {
	case hasLow && hasHigh && string(low) == string(high):
		return string(low) + unit
	case hasLow && hasHigh:
		return string(low) + " to " + string(high) + unit
	case hasLow:
		return "at least " + string(low) + unit
	case hasHigh:
		return "at most " + string(high) + unit
	}
	return ""
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

// shown is a value on one line, as it is typed where that is enough.
func shown(raw json.RawMessage) string {
	s, ok := rawjson.Unquote(raw)
	if !ok || s == "" || s != strings.TrimSpace(s) {
		s = string(raw)
	}
	const most = 200
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return output.SafeLine(s)
}
