package schema

// node is a schema, ready to be applied. It does not change once it is built.
type node struct {
	resource *resource
	verdict  verdict

	types     typeSet
	typeNames []string // as spelled
	constant  *value
	enum      *value

	ref, dynamicRef, recursiveRef *reference
	dynamicAnchor                 string

	number *numberRules
	text   *textRules
	array  *arrayRules
	object *objectRules
	logic  *logicRules
}

// verdict is the answer of a schema that is a boolean.
type verdict uint8

const (
	depends verdict = iota
	always
	never
)

// typeSet is a set of kinds, and integer.
type typeSet uint8

const integerType typeSet = 1 << 7

func typeNamed(name string) typeSet {
	switch name {
	case "null":
		return 1 << nullKind
	case "boolean":
		return 1 << booleanKind
	case "number":
		return 1 << numberKind
	case "integer":
		return integerType
	case "string":
		return 1 << stringKind
	case "array":
		return 1 << arrayKind
	case "object":
		return 1 << objectKind
	}
	return 0
}

func (t typeSet) has(v *value) bool {
	return t&(1<<v.kind) != 0 || t&integerType != 0 && v.kind == numberKind && readDecimal(v.text).isWhole()
}

// limit is a number in a schema.
type limit struct {
	decimal
	spelled string
}

type numberRules struct {
	least, most  *limit
	above, below *limit // exclusive
	multipleOf   *limit
}

// count is a bound on a size; absent if it is negative.
type count int

const noCount count = -1

type textRules struct {
	least, most count
	pattern     *pattern
}

type arrayRules struct {
	least, most                 count
	unique                      bool
	prefix                      []*node
	rest                        *node // applies to what prefix does not
	isTuple                     bool  // rest is additionalItems
	contains                    *node
	containsLeast, containsMost count // of those that contains fits
	unevaluated                 *node
}

type objectRules struct {
	least, most count
	required    []string
	properties  members
	patterns    []patternRule
	additional  *node
	names       *node
	dependent   []dependency
	unevaluated *node
}

// members holds the schemas of a keyword like properties, in the order of of.
type members struct {
	of    *kids
	nodes []*node
}

func (m members) get(name string) *node {
	if m.of == nil {
		return nil
	}
	if i := m.of.find(name); i >= 0 {
		return m.nodes[i]
	}
	return nil
}

type patternRule struct {
	pattern *pattern
	node    *node
}

// dependency is what the presence of a member asks for.
type dependency struct {
	keyword, name string
	required      []string
	node          *node
}

type logicRules struct {
	allOf, anyOf, oneOf []*node
	not                 *node
	cond, then, els     *node
}
