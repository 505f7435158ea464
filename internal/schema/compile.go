package schema

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location is the made-up address of the schema itself.
const location = "mcpq:///schema"

// compile builds the library's form of a schema.
func compile(doc any, g *guard) (*Schema, error) {
	var ignored []string
	compiling := true // later calls come from many goroutines, for values of format regex
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		p := newPattern(source, g)
		if compiling && p.re == nil && !slices.Contains(ignored, source) {
			ignored = append(ignored, source)
		}
		return p, nil
	})
	c.RegisterVocabulary(g.vocabulary())
	c.AssertVocabs()
	for _, name := range assertedFormats() {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource(location, doc); err != nil {
		return nil, unsupported(err)
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil, unsupported(err)
	}
	compiling = false
	slices.Sort(ignored)
	return &Schema{compiled: compiled, guard: g, ignored: ignored}, nil
}

// assertedFormats lists the formats that the library checks in draft-07 and
// older. There they are switched off, as the newer dialects have it.
func assertedFormats() []string {
	return strings.Fields("json-pointer relative-json-pointer uuid duration period ipv4 ipv6 hostname email " +
		"date time date-time uri iri uri-reference iri-reference uri-template semver")
}

// refuse is the loader for what a schema refers to outside of itself.
type refuse struct{}

var errOutside = errors.New("nothing outside of a schema is loaded")

func (refuse) Load(string) (any, error) { return nil, errOutside }

// unsupported words the library's errors.
func unsupported(err error) error {
	var load *jsonschema.LoadURLError
	var invalid *jsonschema.SchemaValidationError
	switch {
	case errors.As(err, &load):
		return &UnsupportedError{Reason: fmt.Sprintf("it refers to %s, and %v", show(strings.TrimPrefix(load.URL, "mcpq:///")), errOutside)}
	case errors.As(err, &invalid):
		var cause *jsonschema.ValidationError
		if errors.As(invalid.Err, &cause) {
			if v, ok := violation(cause, nil, "property").(*ViolationError); ok {
				return &UnsupportedError{Reason: "it is not valid", Err: v}
			}
		}
	}
	return &UnsupportedError{Reason: "it is not valid", Err: err}
}

// checkDialect refuses a $schema that is none of those known.
func checkDialect(doc any) error {
	obj, ok := doc.(map[string]any)
	if !ok {
		if _, ok := doc.(bool); !ok {
			return &UnsupportedError{Reason: "it is neither an object nor a boolean"}
		}
		return nil
	}
	named, ok := obj["$schema"]
	if !ok {
		return nil
	}
	uri, ok := named.(string)
	if !ok {
		return &UnsupportedError{Reason: "its $schema is not a string"}
	}
	name := strings.TrimSuffix(uri, "#")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://")
	switch name {
	case "json-schema.org/schema", "json-schema.org/draft/2020-12/schema", "json-schema.org/draft/2019-09/schema",
		"json-schema.org/draft-07/schema", "json-schema.org/draft-06/schema", "json-schema.org/draft-04/schema":
		return nil
	}
	return &UnsupportedError{Reason: fmt.Sprintf("its dialect %s is not known", show(uri))}
}

// maxPattern bounds a regular expression; matching takes time in proportion.
const maxPattern = 4096

// pattern is a regular expression of a schema, or, if it cannot be read, one
// that everything matches.
type pattern struct {
	source string
	re     *regexp.Regexp
	guard  *guard
}

func newPattern(source string, g *guard) pattern {
	re, err := compilePattern(source)
	if err != nil {
		re = nil
	}
	return pattern{source, re, g}
}

func (p pattern) String() string { return p.source }

// MatchString makes pattern a jsonschema.Regexp.
func (p pattern) MatchString(s string) bool {
	p.guard.check()
	return p.re == nil || p.re.MatchString(s)
}

// compilePattern reads an ECMA-262 expression as far as Go's language goes:
// look-around and back references are not in it, by design.
func compilePattern(source string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, errors.New("regular expression too long")
	}
	return regexp.Compile(fromECMA(source))
}

// fromECMA spells \uXXXX and \cX as Go does.
func fromECMA(source string) string {
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		if source[i] != '\\' || i+1 == len(source) {
			b.WriteByte(source[i])
			continue
		}
		rest := source[i+1:]
		switch {
		case rest[0] == 'u' && len(rest) >= 5 && strings.Trim(rest[1:5], "0123456789abcdefABCDEF") == "":
			b.WriteString(`\x{` + rest[1:5] + `}`)
			i += 5
		case rest[0] == 'c' && len(rest) >= 2 && (rest[1]|0x20) >= 'a' && (rest[1]|0x20) <= 'z':
			fmt.Fprintf(&b, `\x%02x`, rest[1]&0x1f)
			i += 2
		default:
			b.WriteString(source[i : i+2])
			i++
		}
	}
	return b.String()
}

// unusableKey finds a regular expression that decides which schema applies and
// cannot be read: to take it for one that matches would give wrong answers.
func unusableKey(v any) (string, bool) {
	switch v := v.(type) {
	case map[string]any:
		if patterns, ok := v["patternProperties"].(map[string]any); ok {
			for source := range patterns {
				if _, err := compilePattern(source); err != nil {
					return source, true
				}
			}
		}
		for _, sub := range v {
			if source, bad := unusableKey(sub); bad {
				return source, true
			}
		}
	case []any:
		for _, sub := range v {
			if source, bad := unusableKey(sub); bad {
				return source, true
			}
		}
	}
	return "", false
}
