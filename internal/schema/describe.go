package schema

import (
	"fmt"
	"strings"
)

// failure is one thing wrong with a value, not yet in words.
type failure struct {
	path      []step
	keyword   string
	got, want *value
	names     []string // members that are missing or unknown, types that are wanted
	with      string   // the member that asks for names
	n         int      // how many there are
	limit     count    // how many there should be
}

// describe words a failure; several ways when it speaks of several members.
// noun is what a member of the whole value is called.
func (f *failure) describe(noun string) []Violation {
	at := Violation{Path: pointer(f.path), Dotted: dotted(f.path), Keyword: f.keyword}
	if len(f.path) > 0 {
		noun = "property"
	}
	prefix := ""
	if at.Dotted != "" {
		prefix = at.Dotted + ": "
	}
	format := "missing required %s %s"
	switch f.keyword {
	case "required":
	case "additionalProperties":
		format = "unknown %s %s"
	case "dependencies", "dependentRequired":
		format = "missing %s %s, required with " + strings.ReplaceAll(nameOf(f.with), "%", "%%")
	default:
		at.Reason = prefix + f.reason()
		return []Violation{at}
	}
	var all []Violation
	for _, name := range f.names[:min(len(f.names), maxViolations)] {
		at.Name, at.Reason = name, prefix+fmt.Sprintf(format, noun, nameOf(name))
		all = append(all, at)
	}
	return all
}

// reason gives the sentence for a failure that is about one value.
func (f *failure) reason() string {
	switch f.keyword {
	case "type":
		return "got " + f.got.kind.String() + ", want " + strings.Join(f.names, " or ")
	case "enum":
		return "got " + jsonOf(f.got) + ", want " + oneOf(f.want.items())
	case "const":
		return "got " + jsonOf(f.got) + ", want " + jsonOf(f.want)
	case "minimum":
		return "got " + jsonOf(f.got) + ", want at least " + jsonOf(f.want)
	case "maximum":
		return "got " + jsonOf(f.got) + ", want at most " + jsonOf(f.want)
	case "exclusiveMinimum":
		return "got " + jsonOf(f.got) + ", want more than " + jsonOf(f.want)
	case "exclusiveMaximum":
		return "got " + jsonOf(f.got) + ", want less than " + jsonOf(f.want)
	case "multipleOf":
		return "got " + jsonOf(f.got) + ", want a multiple of " + jsonOf(f.want)
	case "pattern":
		return "got " + jsonOf(f.got) + ", want a match of " + jsonOf(f.want)
	case "minLength":
		return fmt.Sprintf("got %d characters, want at least %d", f.n, f.limit)
	case "maxLength":
		return fmt.Sprintf("got %d characters, want at most %d", f.n, f.limit)
	case "minItems":
		return fmt.Sprintf("got %d items, want at least %d", f.n, f.limit)
	case "maxItems":
		return fmt.Sprintf("got %d items, want at most %d", f.n, f.limit)
	case "minProperties":
		return fmt.Sprintf("got %d members, want at least %d", f.n, f.limit)
	case "maxProperties":
		return fmt.Sprintf("got %d members, want at most %d", f.n, f.limit)
	case "additionalItems":
		return fmt.Sprintf("the last %d items are too many", f.n)
	case "uniqueItems":
		return fmt.Sprintf("items %d and %d are equal", f.n, f.limit)
	case "contains":
		return "too few items of the kind it must contain"
	case "maxContains":
		return fmt.Sprintf("got %d items of a kind, want at most %d", f.n, f.limit)
	case "propertyNames":
		return "the name " + jsonOf(f.got) + " is not allowed"
	case "oneOf":
		if f.n > 1 {
			return "fits more than one of the forms of which it must be one"
		}
		return "fits none of the forms that are allowed"
	case "anyOf":
		return "fits none of the forms that are allowed"
	case "not":
		return "is what it must not be"
	}
	return "nothing is allowed here"
}
