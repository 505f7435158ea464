package args

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
)

// maxMembers is how many members of an enum an error lists.
const maxMembers = 12

// coerce gives the JSON that a bare text stands for at a place of the schema.
func (s *schema) coerce(argument string, t text, place any) (json.RawMessage, error) {
	s.begin()
	shapes := s.shapes(place, 0)
	for _, sh := range shapes {
		if !s.spend(len(sh.members)) {
			shapes = []shape{{types: anyType}}
			break
		}
	}
	value, isJSON := parseText(t.value)

	// A member of an enum or const settles what is meant, strings first.
	for _, sh := range shapes {
		for _, m := range sh.members {
			if m == t.value {
				return rawjson.Quote(t.value), nil
			}
		}
	}
	var decoded any
	if isJSON {
		dec := json.NewDecoder(bytes.NewReader(value))
		dec.UseNumber()
		isJSON = dec.Decode(&decoded) == nil
	}
	var types, likely typeSet
	named := false // a string is asked for by name
	for _, sh := range shapes {
		for _, m := range sh.members {
			of := memberType(m)
			if isJSON && of != stringType && equal(m, decoded) {
				return value, nil
			}
			types |= of
		}
		if !sh.closed {
			types |= sh.types
			named = named || sh.types != anyType && sh.types&stringType != 0
		}
		likely |= sh.likely
	}

	switch {
	case isJSON && !named && likely&typeOfJSON(value) != 0:
		return value, nil // no type is given, but it reads like that of the value
	case types&stringType != 0:
		return rawjson.Quote(t.value), nil
	case isJSON && types&typeOfJSON(value) != 0:
		return value, nil
	}
	return nil, &Error{Argument: argument, Reason: "expected " + expected(argument, shapes, types) + ", got " + t.got()}
}

// parseText reads a text as JSON. White space around it is dropped: it comes
// with files and the output of other commands and means nothing here.
func parseText(s string) (json.RawMessage, bool) {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil || b.Len() == 0 {
		return nil, false
	}
	return b.Bytes(), true
}

// expected says what would have been right.
func expected(argument string, shapes []shape, types typeSet) string {
	var members []string
	for _, sh := range shapes {
		if !sh.closed {
			members = nil
			break
		}
		for _, m := range sh.members {
			members = append(members, showMember(m))
		}
	}
	switch {
	case len(members) == 1:
		return members[0]
	case len(members) > maxMembers:
		return fmt.Sprintf("one of %s … (%d in all)", strings.Join(members[:maxMembers], ", "), len(members))
	case len(members) > 1:
		return "one of " + strings.Join(members, ", ")
	case types&arrayType != 0:
		return fmt.Sprintf("%s as JSON (or %s[]=ITEM)", types, oneLine(argument))
	case types&objectType != 0:
		return fmt.Sprintf("%s as JSON", types)
	}
	return types.String()
}

// showMember shows a member of an enum or const.
func showMember(m any) string {
	switch m := m.(type) {
	case string:
		return show(m)
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case json.Number:
		if len(m) > maxShown {
			return "a number"
		}
		return string(m)
	}
	return fmt.Sprint(map[any]string{nil: "null", true: "true", false: "false"}[m])
}
