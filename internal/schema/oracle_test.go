package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	verdicts "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// errNoVerdict says that the oracle, another implementation, cannot judge: it
// refuses the schema, or went round in a circle.
var errNoVerdict = errors.New("no verdict")

// oracle is a schema as the other implementation sees it.
type oracle struct {
	compiled *jsonschema.Schema
	err      error
}

// consult compiles a schema. It is set up to differ from this package in
// nothing that is meant: no format is checked, nothing is loaded, and the
// regular expressions are those of this package.
func consult(schema string) (o oracle) {
	defer o.catch()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return oracle{err: err}
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		re, _, err := compilePattern(source)
		if err != nil {
			re = regexp.MustCompile("")
		}
		return re, nil
	})
	for name := range strings.FieldsSeq("json-pointer relative-json-pointer uuid duration period ipv4 ipv6 hostname email " +
		"date time date-time uri iri uri-reference iri-reference uri-template semver") {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if o.err = c.AddResource(defaultLocation, doc); o.err == nil {
		o.compiled, o.err = c.Compile(defaultLocation)
	}
	return o
}

// catch makes an error of a panic, of which the oracle has some for schemas
// and numbers that are out of the ordinary.
func (o *oracle) catch() {
	if p := recover(); p != nil {
		o.err = fmt.Errorf("panic: %v", p)
	}
}

// judge says whether a value fits. It fails with errNoVerdict.
func (o oracle) judge(instance string) (fits bool, err error) {
	defer func() {
		if o.err != nil {
			err = fmt.Errorf("%w: %w", errNoVerdict, o.err)
		}
	}()
	defer o.catch()
	if o.err != nil {
		return false, nil
	}
	var value any
	if value, o.err = jsonschema.UnmarshalJSON(strings.NewReader(instance)); o.err != nil {
		return false, nil
	}
	unfit := o.compiled.Validate(value)
	var reason *jsonschema.ValidationError
	if unfit != nil && (!errors.As(unfit, &reason) || isCircle(reason)) {
		o.err = unfit
	}
	return unfit == nil, nil
}

type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errOutside }

func isCircle(err *jsonschema.ValidationError) bool {
	if _, ok := err.ErrorKind.(*verdicts.RefCycle); ok {
		return true
	}
	for _, cause := range err.Causes {
		if isCircle(cause) {
			return true
		}
	}
	return false
}

// compare checks that both implementations say the same of each value, if both
// say anything.
func compare(t *testing.T, schema string, instances ...string) {
	t.Helper()
	s, err := Compile(t.Context(), json.RawMessage(schema))
	if err != nil {
		return
	}
	other := consult(schema)
	for _, instance := range instances {
		err := s.Validate(t.Context(), json.RawMessage(instance))
		var unfit *ViolationError
		if err != nil && !errors.As(err, &unfit) {
			continue
		}
		if fits, noVerdict := other.judge(instance); noVerdict == nil && fits != (err == nil) {
			t.Fatalf("schema %s\nvalue %s\noracle: fits %v; here: %v", schema, instance, fits, err)
		}
	}
}

// FuzzAgainstOracle looks for schemas and values on which the two differ. It
// leaves alone what cannot be judged, and what isKnown.
func FuzzAgainstOracle(f *testing.F) {
	for _, c := range allCases() {
		for _, d := range c.dialects() {
			for _, instance := range append(c.fit, c.unfit...) {
				f.Add(withDialect(c.schema, d), instance)
			}
		}
	}
	f.Fuzz(func(t *testing.T, schema, instance string) {
		if len(schema)+len(instance) > 4_000 || isKnown(schema) {
			t.Skip()
		}
		compare(t, schema, instance)
	})
}

// isKnown says whether a schema may have what the oracle gets wrong:
//   - $dynamicRef below propertyNames, where it forgets how it came there;
//   - $recursiveRef, which it takes to a part of a schema if it came by way of
//     that part;
//   - beside $ref in draft-06 and -07, where it still applies a few keywords.
func isKnown(schema string) bool {
	var doc any
	if json.Unmarshal([]byte(schema), &doc) != nil {
		return false
	}
	has := map[string]bool{}
	isBeside := false
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, sub := range v {
				has[name] = true
				if slices.Contains(lateKeywords, name) && v["$ref"] != nil {
					isBeside = true
				}
				walk(sub)
			}
		case []any:
			for _, sub := range v {
				walk(sub)
			}
		}
	}
	walk(doc)
	return has["$recursiveAnchor"] || has["propertyNames"] && has["$dynamicRef"] ||
		isBeside && (strings.Contains(schema, "draft-06") || strings.Contains(schema, "draft-07"))
}

// lateKeywords are those that came with draft-06 and draft-07.
var lateKeywords = []string{"const", "contains", "propertyNames", "if", "then", "else"}
