package args

import (
	"strings"

	jsonschema "mcpq/internal/schema"
)

// typeSet is a set of JSON types.
type typeSet uint8

const (
	nullType typeSet = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType

	noTypes  typeSet = 0
	anyType          = objectType<<1 - 1
	allNames         = "null boolean integer number string array object"
)

// typeNamed gives the set of the one type with a JSON Schema name.
func typeNamed(name string) typeSet {
	switch name {
	case "null":
		return nullType
	case "boolean":
		return booleanType
	case "integer":
		return integerType
	case "number":
		return integerType | numberType
	case "string":
		return stringType
	case "array":
		return arrayType
	case "object":
		return objectType
	}
	return noTypes
}

// typeOfJSON gives the type of valid JSON; a number without a fraction is an
// integer however it is spelled (5, 5.0, 1e3).
func typeOfJSON(raw []byte) typeSet {
	kind := kindOf(raw)
	if kind != "number" {
		return typeNamed(kind)
	}
	if jsonschema.IsWhole(string(raw)) {
		return integerType
	}
	return numberType
}

// String lists the types as an error says them: "an integer or null".
func (t typeSet) String() string {
	var names []string
	for i, name := range strings.Fields(allNames) {
		if t&(1<<i) == 0 || name == "integer" && t&numberType != 0 {
			continue
		}
		if name == "boolean" {
			name = "boolean (true or false)"
		}
		names = append(names, article(name))
	}
	if len(names) > 1 { // null last: it is the least likely wish
		if names[0] == "null" {
			names = append(names[1:], names[0])
		}
		last := len(names) - 1
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return strings.Join(names, "")
}
