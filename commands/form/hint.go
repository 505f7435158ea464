package form

import (
	"encoding/json"
	"strings"
)

// hint says in a few words what a field takes.
func (f *Field) hint() string {
	var parts []string
	say := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	switch f.Kind {
	case Text:
		say(formatNames(f.format))
		say(between(f.minLength, f.maxText, " characters"))
		if f.pattern != "" {
			say("matching " + f.pattern)
		}
	case Integer:
		say("whole number")
		say(f.bounds())
	case Number:
		say("number")
		say(f.bounds())
	case Boolean:
		say("yes or no")
	case Choice:
		say("choose one")
	case JSON:
		if f.typeName != "" {
			say("JSON, " + f.typeName)
		} else {
			say("JSON or text")
		}
		if n := len(f.members); n > 0 {
			const most = 5 // the description has to tell of more
			say("with " + strings.Join(f.members[:min(n, most)], ", "))
		}
	case Choices:
		say("choose any, with commas between")
		say(between(f.minItems, f.maxItems, ""))
	}
	if f.nullable {
		say("or null")
	}
	if f.Required {
		say("required")
	} else {
		say("optional")
	}
	return strings.Join(parts, ", ")
}

func formatNames(format string) string {
	switch format {
	case "email":
		return "email address"
	case "uri":
		return "URI"
	case "date":
		return "date, YYYY-MM-DD"
	case "date-time":
		return "date and time, YYYY-MM-DDTHH:MM:SSZ"
	}
	return "text"
}

// bounds words those of a number.
func (f *Field) bounds() string {
	parts := []string{between(f.minimum, f.maximum, "")}
	if isNumber(f.above) {
		parts = append(parts, "more than "+string(f.above))
	}
	if isNumber(f.below) {
		parts = append(parts, "less than "+string(f.below))
	}
	return strings.TrimPrefix(strings.Join(parts, ", "), ", ")
}

// isNumber tells a bound from what draft-04 has in its place, true or false.
func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

// between words two bounds, either of which may be missing.
func between(least, most json.RawMessage, unit string) string {
	switch {
	case least != nil && most != nil:
		return string(least) + " to " + string(most) + unit
	case least != nil:
		return "at least " + string(least) + unit
	case most != nil:
		return "at most " + string(most) + unit
	}
	return ""
}
