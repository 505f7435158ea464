package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxViolations bounds what is reported of one value.
const maxViolations = 100

// ViolationError says that a value does not fit its schema.
type ViolationError struct {
	Path       string      // JSON pointer of the first violation; "" is the whole value
	Dotted     string      // the same as a person writes it: a.b[0]
	Reason     string      // the first violation, one line
	Violations []Violation // all of them, the most specific first
}

func (e *ViolationError) Error() string { return e.Reason }

// Violation is one thing wrong with a value.
type Violation struct {
	Path    string // JSON pointer; "" is the whole value
	Dotted  string // the same as a person writes it
	Keyword string // of the schema: required, type, additionalProperties, …
	Name    string // the member that is missing or not allowed, if that is it
	Reason  string // one line that names the place: "a: got string, want integer"
}

// violation turns the library's tree of errors into a [ViolationError] with a
// flat list.
func violation(err *jsonschema.ValidationError, value any, noun string) error {
	var found []Violation
	for _, leaf := range leaves(err) {
		if _, ok := leaf.ErrorKind.(*kind.RefCycle); ok { // no value is to blame for that
			return &UnsupportedError{Reason: "it refers to itself without an end"}
		}
		found = append(found, describe(leaf, value, noun)...)
		if len(found) > 10*maxViolations {
			break
		}
	}
	// The library walks maps, so its order is chance.
	slices.SortFunc(found, func(a, b Violation) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
	found = slices.Compact(found)
	found = found[:min(len(found), maxViolations)]
	first := found[0]
	return &ViolationError{first.Path, first.Dotted, first.Reason, found}
}

// rank puts first what tells the most: the deeper the place the more specific,
// and a name that is not known is often the cause of one that is missing.
func rank(v Violation) int {
	r := -10 * strings.Count(v.Path, "/")
	switch v.Keyword {
	case "additionalProperties", "unevaluatedProperties":
		return r - 1
	case "anyOf", "oneOf", "not":
		return r + 1
	}
	return r
}

// leaves gives the errors that say what is wrong, without those that only say
// where they were found.
func leaves(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		if len(err.Causes) == 0 {
			return []*jsonschema.ValidationError{err}
		}
		return bestBranch(err)
	case *kind.PropertyNames, *kind.Contains, *kind.MinContains:
		return []*jsonschema.ValidationError{err}
	}
	if len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range err.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// bestBranch picks what to say about alternatives that all failed. Those that
// want another type of value are out as soon as one does not; if a single one
// is left, its errors are what the user needs.
func bestBranch(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	depth := len(err.InstanceLocation)
	var near [][]*jsonschema.ValidationError
	var wanted []string
	got := ""
	for _, cause := range err.Causes {
		branch := leaves(cause)
		if t, ok := branch[0].ErrorKind.(*kind.Type); ok && len(branch) == 1 && len(branch[0].InstanceLocation) == depth {
			got = t.Got
			for _, w := range t.Want {
				if !slices.Contains(wanted, w) {
					wanted = append(wanted, w)
				}
			}
			continue
		}
		near = append(near, branch)
	}
	switch {
	case len(near) == 1:
		return near[0]
	case len(near) == 0:
		return []*jsonschema.ValidationError{{
			InstanceLocation: err.InstanceLocation, ErrorKind: &kind.Type{Got: got, Want: wanted},
		}}
	}
	return []*jsonschema.ValidationError{err}
}

// pointer spells a place as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, name := range path {
		b.WriteString("/" + escape.Replace(name))
	}
	return b.String()
}

// dotted spells a place as a person would: a.b[0]["odd name"].
func dotted(path []string, value any) string {
	var b strings.Builder
	for _, name := range path {
		switch v := value.(type) {
		case []any:
			b.WriteString("[" + name + "]")
			value = nil
			if i, err := strconv.Atoi(name); err == nil && i < len(v) {
				value = v[i]
			}
			continue
		case map[string]any:
			value = v[name]
		default:
			value = nil
		}
		switch {
		case !isPlain(name):
			b.WriteString("[" + show(name) + "]")
		case b.Len() > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// isPlain says whether a name needs no quotes, as it can neither be mistaken
// for punctuation nor do anything to a terminal.
func isPlain(name string) bool {
	if name == "" || len(name) > maxShown {
		return false
	}
	for _, r := range name {
		if r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$@:/", r) {
			return false
		}
	}
	return true
}
