package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// maxFailures bounds what is kept while a value is checked.
const maxFailures = 10 * maxViolations

func (r *run) isQuiet() bool { return r.quiet > 0 || len(r.failures) >= maxFailures }

// fail notes a failure of the value at hand, if that is wanted, and is false.
func (r *run) fail(f failure) bool {
	if r.isQuiet() {
		return false
	}
	cost := len(r.path)
	for _, s := range r.path {
		cost += len(s.name) // the pointer will be as long
	}
	if r.spend(cost) {
		f.path = slices.Clone(r.path)
		r.failures = append(r.failures, f)
	}
	return false
}

// violation words failures as a [ViolationError].
func violation(failures []failure, noun string) error {
	var found []Violation
	for i := range failures {
		if len(found) < maxFailures {
			found = append(found, failures[i].describe(noun)...)
		}
	}
	slices.SortStableFunc(found, func(a, b Violation) int {
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

// pointer spells a place as a JSON pointer.
func pointer(path []step) string {
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, s := range path {
		if s.isItem {
			b.WriteString("/" + strconv.Itoa(s.index))
		} else {
			b.WriteString("/" + escape.Replace(s.name))
		}
	}
	return b.String()
}

// dotted spells a place as a person would: a.b[0]["odd name"].
func dotted(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case s.isItem:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case !isPlain(s.name):
			b.WriteString("[" + show(s.name) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}
