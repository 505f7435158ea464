package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxShown is how much of a value an error repeats.
const maxShown = 60

// describe words one error of the library; several when it speaks of several
// members. noun is what a member of the whole value is called.
func describe(err *jsonschema.ValidationError, value any, noun string) []Violation {
	path := err.InstanceLocation
	at := Violation{Path: pointer(path), Dotted: dotted(path, value)}
	if len(path) > 0 {
		noun = "property"
	}
	say := func(keyword, name, format string, a ...any) Violation {
		v := at
		v.Keyword, v.Name, v.Reason = keyword, name, fmt.Sprintf(format, a...)
		if v.Dotted != "" {
			v.Reason = v.Dotted + ": " + v.Reason
		}
		return v
	}
	each := func(keyword, format string, names []string) []Violation {
		var all []Violation
		for _, name := range slices.Sorted(slices.Values(names)) {
			all = append(all, say(keyword, name, format, noun, nameOf(name)))
		}
		return all
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		return each("required", "missing required %s %s", k.Missing)
	case *kind.AdditionalProperties:
		return each("additionalProperties", "unknown %s %s", k.Properties)
	case *kind.Dependency:
		return each("dependencies", "missing %s %s, required with "+strings.ReplaceAll(nameOf(k.Prop), "%", "%%"), k.Missing)
	case *kind.DependentRequired:
		return each("dependentRequired", "missing %s %s, required with "+strings.ReplaceAll(nameOf(k.Prop), "%", "%%"), k.Missing)
	case *kind.FalseSchema:
		return []Violation{say("false", "", "nothing is allowed here")}
	}
	keyword, reason := wording(err.ErrorKind)
	return []Violation{say(keyword, "", "%s", reason)}
}

// wording gives the keyword and the sentence for errors about one value.
func wording(k jsonschema.ErrorKind) (keyword, reason string) {
	switch k := k.(type) {
	case *kind.Type:
		return "type", "got " + k.Got + ", want " + strings.Join(k.Want, " or ")
	case *kind.Enum:
		return "enum", "got " + jsonOf(k.Got) + ", want " + oneOf(k.Want)
	case *kind.Const:
		return "const", "got " + jsonOf(k.Got) + ", want " + jsonOf(k.Want)
	case *kind.Minimum:
		return "minimum", "got " + number(k.Got) + ", want at least " + number(k.Want)
	case *kind.Maximum:
		return "maximum", "got " + number(k.Got) + ", want at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", "got " + number(k.Got) + ", want more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", "got " + number(k.Got) + ", want less than " + number(k.Want)
	case *kind.MultipleOf:
		return "multipleOf", "got " + number(k.Got) + ", want a multiple of " + number(k.Want)
	case *kind.MinLength:
		return "minLength", fmt.Sprintf("got %d characters, want at least %d", k.Got, k.Want)
	case *kind.MaxLength:
		return "maxLength", fmt.Sprintf("got %d characters, want at most %d", k.Got, k.Want)
	case *kind.Pattern:
		return "pattern", "got " + show(k.Got) + ", want a match of " + show(k.Want)
	case *kind.MinItems:
		return "minItems", fmt.Sprintf("got %d items, want at least %d", k.Got, k.Want)
	case *kind.MaxItems:
		return "maxItems", fmt.Sprintf("got %d items, want at most %d", k.Got, k.Want)
	case *kind.AdditionalItems:
		return "additionalItems", fmt.Sprintf("the last %d items are too many", k.Count)
	case *kind.UniqueItems:
		return "uniqueItems", fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains, *kind.MinContains:
		return "contains", "too few items of the kind it must contain"
	case *kind.MaxContains:
		return "maxContains", fmt.Sprintf("got %d items of a kind, want at most %d", len(k.Got), k.Want)
	case *kind.MinProperties:
		return "minProperties", fmt.Sprintf("got %d members, want at least %d", k.Got, k.Want)
	case *kind.MaxProperties:
		return "maxProperties", fmt.Sprintf("got %d members, want at most %d", k.Got, k.Want)
	case *kind.PropertyNames:
		return "propertyNames", "the name " + show(k.Property) + " is not allowed"
	case *kind.AnyOf:
		return "anyOf", "fits none of the forms that are allowed"
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return "oneOf", "fits more than one of the forms of which it must be one"
		}
		return "oneOf", "fits none of the forms that are allowed"
	case *kind.Not:
		return "not", "is what it must not be"
	}
	if k == nil {
		return "", "does not fit the schema"
	}
	keyword = strings.Join(k.KeywordPath(), "/")
	return keyword, "does not fit " + cmp.Or(keyword, "the schema")
}

// oneOf lists the members of an enum, as many as can be read.
func oneOf(members []any) string {
	const most = 12
	var names []string
	for _, m := range members[:min(len(members), most)] {
		names = append(names, jsonOf(m))
	}
	switch {
	case len(members) > most:
		names = append(names, fmt.Sprintf("… (%d in all)", len(members)))
	case len(members) == 1:
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

// jsonOf shows a value, shortened, safe for a terminal.
func jsonOf(v any) string {
	switch v := v.(type) {
	case string:
		return show(v)
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return shorten(string(raw))
}

// number writes all digits of a number, or as many as can be read.
func number(r *big.Rat) string {
	const readable = 200 // bits
	if r.Num().BitLen() > readable || r.Denom().BitLen() > readable {
		return new(big.Float).SetPrec(64).SetRat(r).Text('g', 17)
	}
	if r.IsInt() {
		return r.Num().String()
	}
	if digits, exact := r.FloatPrec(); exact && digits <= 30 {
		return r.FloatString(digits)
	}
	return r.FloatString(10)
}

// nameOf shows a name: bare if it is plain, else quoted.
func nameOf(name string) string {
	if isPlain(name) {
		return name
	}
	return show(name)
}

// show quotes a text, shortened.
func show(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	return strconv.Quote(shortened(s)) + "…"
}

func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return shortened(s) + "…"
}

func shortened(s string) string {
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// oneLine drops what could break the line or reach a terminal as a command.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
