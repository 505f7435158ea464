package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds on what is read. They are far above what real servers send, and low
// enough that no schema within them can exhaust time, memory or stack.
const (
	maxSchemaBytes   = 4 << 20
	maxSchemaNodes   = 100_000
	maxSchemaObjects = 10_000 // compiling takes time in the square of these
	maxSchemaIDs     = 500    // and of these, at a higher price
	maxSchemaDepth   = 256

	// maxExponent and maxDigits bound numbers, which are written out in full to
	// be compared: 1e999999999 would be a gigabyte.
	maxExponent = 9_999
	maxDigits   = 10_000

	maxInstanceBytes = 64 << 20
	maxInstanceDepth = 512

	// maxCalls bounds the schemas that can be within one another while a value
	// is checked: a stack overflow could not be recovered from.
	maxCalls = 200_000
)

// size is what bounds the work that a JSON value can cause.
type size struct {
	nodes, objects, depth int
	refs, ids             int         // members that refer elsewhere, and that are referred to
	number                json.Number // one that is out of bounds
}

// read decodes a schema and refuses what is out of bounds.
func read(raw json.RawMessage) (any, size, error) {
	if len(raw) > maxSchemaBytes {
		return nil, size{}, &UnsupportedError{Reason: fmt.Sprintf("it is larger than %d MiB", maxSchemaBytes>>20)}
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, size{}, &UnsupportedError{Reason: "it is not JSON", Err: err}
	}
	var sz size
	sz.add(doc, 1)
	switch {
	case sz.nodes > maxSchemaNodes || sz.objects > maxSchemaObjects:
		return nil, sz, &UnsupportedError{Reason: fmt.Sprintf("it has more than %d objects or %d values", maxSchemaObjects, maxSchemaNodes)}
	case sz.ids > maxSchemaIDs:
		return nil, sz, &UnsupportedError{Reason: fmt.Sprintf("it has more than %d identifiers", maxSchemaIDs)}
	case sz.depth > maxSchemaDepth:
		return nil, sz, &UnsupportedError{Reason: fmt.Sprintf("it nests deeper than %d levels", maxSchemaDepth)}
	}
	if sz.number != "" {
		return nil, sz, &UnsupportedError{Reason: "it has the number " + shorten(string(sz.number)) + ", which is out of bounds"}
	}
	if pattern, bad := unusableKey(doc); bad {
		return nil, sz, &UnsupportedError{Reason: fmt.Sprintf("patternProperties has the regular expression %s, which cannot be read here", show(pattern))}
	}
	return doc, sz, checkDialect(doc)
}

// readInstance decodes a value to be checked against s.
func (s *Schema) readInstance(raw json.RawMessage) (any, error) {
	if len(raw) > maxInstanceBytes {
		return nil, &UnsupportedError{Reason: fmt.Sprintf("the value is larger than %d MiB", maxInstanceBytes>>20)}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("value to check is not JSON: %w", err)
	}
	var sz size
	sz.add(value, 1)
	if sz.depth > maxInstanceDepth || sz.depth*s.chain > maxCalls {
		return nil, &UnsupportedError{Reason: fmt.Sprintf("the value nests %d levels deep, too deep to be checked", sz.depth)}
	}
	if sz.number != "" {
		return nil, &UnsupportedError{Reason: "the value has the number " + shorten(string(sz.number)) + ", which is out of bounds"}
	}
	return value, nil
}

// isHuge says whether a number is out of bounds.
func isHuge(n json.Number) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	return len(mantissa) > maxDigits || err != nil || e > maxExponent || e < -maxExponent
}

// chain bounds how many schemas can apply to the same value, each by way of
// the one before: no more than there are, as a circle of them is an error, and
// no more than nest in one another between two references.
func (s size) chain() int { return min(s.objects, (s.refs+1)*s.depth) }

func (s *size) add(v any, depth int) {
	s.nodes++
	s.depth = max(s.depth, depth)
	switch v := v.(type) {
	case json.Number:
		if isHuge(v) {
			s.number = v
		}
	case map[string]any:
		s.objects++
		for name, sub := range v {
			switch name {
			case "$ref", "$dynamicRef", "$recursiveRef":
				s.refs++
			case "$id", "id":
				if _, ok := sub.(string); ok {
					s.ids++
				}
			}
			s.add(sub, depth+1)
		}
	case []any:
		for _, sub := range v {
			s.add(sub, depth+1)
		}
	}
}
