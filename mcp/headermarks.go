package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
)

// headerMark is a property that a tool marks with x-mcp-header.
type headerMark struct {
	name string   // of the header, behind Mcp-Param-
	path []string // of properties from the root of the arguments
}

// maxSchemaDepth bounds the search; real schemas are far from it.
const maxSchemaDepth = 200

// headerMarks finds the marked properties of an input schema. The error says
// which rule is broken: the tool is not to be used then.
func headerMarks(schema json.RawMessage) ([]headerMark, error) {
	if !bytes.Contains(schema, []byte(headerKeyword)) {
		return nil, nil
	}
	s := &markSearch{names: make(map[string]bool)}
	err := s.schema(schema, nil, true, 0)
	return s.found, err
}

type markSearch struct {
	found []headerMark
	names map[string]bool // lower case: they are unique regardless of case
}

// schema looks through one schema. It only looks where schemas stand: a
// property that is called x-mcp-header, or an example that holds one, is data.
func (s *markSearch) schema(raw json.RawMessage, path []string, reachable bool, depth int) error {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil // true and false are schemas too
	}
	if depth > maxSchemaDepth {
		return errors.New("its inputSchema is nested too deeply")
	}
	if mark, ok := object.Get(headerKeyword); ok {
		if err := s.mark(mark, object, path, reachable); err != nil {
			return err
		}
	}
	for _, m := range object {
		var err error
		switch m.Key {
		case "properties":
			err = s.each(m.Value, path, reachable, depth)
		case "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
			err = s.each(m.Value, nil, false, depth)
		case "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema":
			err = s.schema(m.Value, nil, false, depth+1)
		case "items", "prefixItems", "allOf", "anyOf", "oneOf":
			err = s.list(m.Value, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *markSearch) each(raw json.RawMessage, path []string, reachable bool, depth int) error {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil // not for us to judge
	}
	for _, m := range object {
		below := append(append([]string(nil), path...), m.Key)
		if err := s.schema(m.Value, below, reachable, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// list takes a schema or an array of schemas.
func (s *markSearch) list(raw json.RawMessage, depth int) error {
	schemas, err := rawjson.Elements(raw)
	if err != nil {
		schemas = []json.RawMessage{raw}
	}
	for _, schema := range schemas {
		if err := s.schema(schema, nil, false, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *markSearch) mark(raw json.RawMessage, schema rawjson.Object, path []string, reachable bool) error {
	name, ok := rawjson.Unquote(raw)
	where := strings.Join(path, ".")
	switch {
	case !ok:
		return fmt.Errorf("%s of %q is not a string", headerKeyword, where)
	case !isToken(name):
		return fmt.Errorf("%s %q is not a header name", headerKeyword, name)
	case !reachable || len(path) == 0:
		return fmt.Errorf("%s %q is not on a plain property", headerKeyword, name)
	case s.names[strings.ToLower(name)]:
		return fmt.Errorf("%s %q is used twice", headerKeyword, name)
	}
	kind, _ := schema.Get("type")
	if !mirrorable(kind) {
		return fmt.Errorf("%s %q is on the type %s instead of string, integer or boolean", headerKeyword, name, kind)
	}
	s.names[strings.ToLower(name)] = true
	s.found = append(s.found, headerMark{name: name, path: path})
	return nil
}

// mirrorable reports whether values of a type, or a list of types, can be a
// header. One of the types may be null.
func mirrorable(kind json.RawMessage) bool {
	kinds, err := rawjson.Elements(kind)
	if err != nil {
		kinds = []json.RawMessage{kind}
	}
	some := false
	for _, k := range kinds {
		switch string(k) {
		case `"string"`, `"integer"`, `"boolean"`:
			some = true
		case `"null"`:
		default:
			return false
		}
	}
	return some
}

// isToken reports whether s is a token of HTTP (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
