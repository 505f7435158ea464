package apidiff

import (
	"strings"

	"mcpq/internal/schema"
)

// typeSet is a set of JSON Schema types. number has the integers in it.
type typeSet uint8

const (
	nullType typeSet = 1 << iota
	booleanType
	integerType
	fractionType
	stringType
	arrayType
	objectType

	numberType = integerType | fractionType
	anyType    = nullType | booleanType | numberType | stringType | arrayType | objectType
)

func typeNamed(name string) typeSet {
	switch name {
	case "null":
		return nullType
	case "boolean":
		return booleanType
	case "integer":
		return integerType
	case "number":
		return numberType
	case "string":
		return stringType
	case "array":
		return arrayType
	case "object":
		return objectType
	}
	return 0
}

// typesOf reads the keyword type; 0 is what cannot be understood.
func typesOf(n *node) typeSet {
	if n.is('"') {
		return typeNamed(n.text)
	}
	var set typeSet
	if n.is('[') {
		for _, item := range n.items {
			t := typeNamed(item.text)
			if t == 0 {
				return 0
			}
			set |= t
		}
	}
	return set
}

// typeOf is the type of a value.
func typeOf(n *node) typeSet {
	switch {
	case n.isNumber() && schema.IsWhole(string(n.raw)):
		return integerType
	case n.isNumber():
		return fractionType
	case n.is('"'):
		return stringType
	case n.is('['):
		return arrayType
	case n.is('{'):
		return objectType
	case n.is('n'):
		return nullType
	}
	return booleanType
}

// String names the types for a message.
func (t typeSet) String() string {
	if t == anyType {
		return "any"
	}
	var names []string
	for _, name := range []string{"string", "number", "integer", "boolean", "object", "array", "null"} {
		if is := typeNamed(name); t&is == is {
			names = append(names, name)
			t &^= is
		}
	}
	if len(names) == 0 {
		return "fractions"
	}
	return strings.Join(names, " or ")
}

// settleTypes finds out which types a schema names: with type, or with anyOf or
// oneOf of which every part names a type and nothing else.
func (s *side) settleTypes(v *view) {
	if n := v.keywords["type"]; n != nil {
		v.types, v.typesNode, v.typesKey = typesOf(n), n, "type"
		return
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		set, ok := s.typesOnly(v.keywords[key], key == "oneOf")
		if !ok {
			continue
		}
		v.types, v.typesNode, v.typesKey = set, v.keywords[key], key
		delete(v.keywords, key)
		return
	}
}

func (s *side) typesOnly(list *node, once bool) (typeSet, bool) {
	if !list.is('[') || len(list.items) == 0 || !s.budget.spend(len(list.items)) {
		return 0, false
	}
	var set typeSet
	for _, part := range list.items {
		t := typeSet(0)
		if len(part.members) == 1 && part.members[0].key == "type" {
			t = typesOf(part.members[0].value)
		}
		if t == 0 || once && set&t != 0 {
			return 0, false
		}
		set |= t
	}
	return set, true
}
