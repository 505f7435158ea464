package apidiff

// class is what kind of keyword one is, and so how two of it are compared.
type class int

const (
	unknown     class = iota // it checks nothing, as far as anyone knows
	words                    // for readers
	definition               // of what is referred to elsewhere
	judged                   // compared by rules of its own
	assertion                // checks a value by itself, and may only become narrower by coming and wider by going
	subschema                // a schema; without it everything fits
	subschemas               // a list of schemas
	schemaMap                // schemas by names
	application              // a schema whose effect may be the other way round
)

func classOf(keyword string) class {
	switch keyword {
	case "title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema", "$vocabulary":
		return words
	case "$defs", "definitions", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor":
		return definition
	case "type", "enum", "const", "properties", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems":
		return judged
	case "pattern", "format", "multipleOf", "contentEncoding", "contentMediaType", "dependentRequired",
		"minContains", "maxContains", "$ref", "$dynamicRef", "$recursiveRef":
		return assertion
	case "items", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames":
		return subschema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return subschemas
	case "patternProperties", "dependentSchemas", "dependencies":
		return schemaMap
	case "not", "if", "then", "else", "contains", "contentSchema":
		return application
	}
	return unknown
}

func (c class) checksNothing() bool { return c == words || c == unknown }

// weightOfWords is how much a keyword weighs that checks nothing: some say how
// something behaves, and of those that are not known nobody can tell.
func weightOfWords(keyword string) Weight {
	switch keyword {
	case "default", "deprecated", "readOnly", "writeOnly", "$schema", "$vocabulary":
		return Caution
	}
	if classOf(keyword) == unknown {
		return Caution
	}
	return Words
}
