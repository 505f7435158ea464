package schema

// This file reads the keywords of each group; a group of which there is none
// is nil.

func (b *builder) numberRules(v *value, n *node) *numberRules {
	before := b.found
	r := numberRules{least: b.limit(v, "minimum"), most: b.limit(v, "maximum"), multipleOf: b.limit(v, "multipleOf")}
	if n.resource.dialect == draft4 { // a flag that changes its neighbour
		if b.flag(v, "exclusiveMinimum") {
			r.least, r.above = nil, r.least
		}
		if b.flag(v, "exclusiveMaximum") {
			r.most, r.below = nil, r.most
		}
	} else {
		r.above, r.below = b.limit(v, "exclusiveMinimum"), b.limit(v, "exclusiveMaximum")
	}
	if r.multipleOf != nil && r.multipleOf.sign() <= 0 {
		b.bad("multipleOf: got %s, want a number above 0", shorten(r.multipleOf.spelled))
	}
	if b.found == before {
		return nil
	}
	kept := r
	return &kept
}

func (b *builder) textRules(v *value) *textRules {
	before := b.found
	r := textRules{least: b.count(v, "minLength"), most: b.count(v, "maxLength")}
	if m := b.member(v, "pattern", stringKind); m != nil {
		r.pattern = b.pattern(m.text)
		b.patterns = append(b.patterns, r.pattern)
	}
	if b.found == before {
		return nil
	}
	kept := r
	return &kept
}

func (b *builder) arrayRules(v *value, n *node) *arrayRules {
	before, d := b.found, n.resource.dialect
	r := arrayRules{
		least: b.count(v, "minItems"), most: b.count(v, "maxItems"), unique: b.flag(v, "uniqueItems"),
		containsLeast: noCount, containsMost: noCount,
	}
	additional := (*node)(nil)
	if d < draft20 {
		additional = b.schema(v, "additionalItems", n)
	} else {
		r.prefix = b.schemas(v, "prefixItems", n)
	}
	if items := v.get("items"); items != nil && items.kind == arrayKind && d < draft20 {
		r.prefix = b.schemas(v, "items", n)
		r.rest, r.isTuple = additional, true
	} else {
		r.rest = b.schema(v, "items", n)
	}
	if d >= draft6 {
		r.contains = b.schema(v, "contains", n)
	}
	if d >= draft19 {
		r.containsLeast, r.containsMost = b.count(v, "minContains"), b.count(v, "maxContains")
		r.unevaluated = b.schema(v, "unevaluatedItems", n)
	}
	if b.found == before {
		return nil
	}
	kept := r
	return &kept
}

func (b *builder) objectRules(v *value, n *node) *objectRules {
	before, d := b.found, n.resource.dialect
	r := objectRules{
		least: b.count(v, "minProperties"), most: b.count(v, "maxProperties"),
		properties: b.schemaMap(v, "properties", n), additional: b.schema(v, "additionalProperties", n),
	}
	if m := b.member(v, "required", arrayKind); m != nil {
		r.required = b.names("required", m)
	}
	if m := b.schemaMap(v, "patternProperties", n); m.of != nil {
		for i, source := range m.of.names {
			r.patterns = append(r.patterns, patternRule{b.pattern(source), m.nodes[i]})
		}
	}
	if d >= draft6 {
		r.names = b.schema(v, "propertyNames", n)
	}
	r.dependent = b.dependencies(v, "dependencies", n)
	if d >= draft19 {
		r.dependent = append(r.dependent, b.dependencies(v, "dependentRequired", n)...)
		r.dependent = append(r.dependent, b.dependencies(v, "dependentSchemas", n)...)
		r.unevaluated = b.schema(v, "unevaluatedProperties", n)
	}
	if b.found == before {
		return nil
	}
	kept := r
	return &kept
}

// dependencies reads the keyword that asks for names or schemas, or one of the
// two that it became, which ask for one each.
func (b *builder) dependencies(v *value, keyword string, n *node) []dependency {
	m := b.member(v, keyword, objectKind)
	if m == nil {
		return nil
	}
	all := make([]dependency, len(m.items()))
	b.path = append(b.path, step{name: keyword}, step{})
	for i := range all {
		item := &m.kids.items[i]
		all[i] = dependency{keyword: keyword, name: m.kids.names[i]}
		b.path[len(b.path)-1] = step{name: all[i].name}
		switch {
		case item.kind == arrayKind && keyword != "dependentSchemas":
			all[i].required = b.names(keyword, item)
		case keyword == "dependentRequired":
			b.bad("got %s, want an array", article(item.kind))
		default:
			all[i].node = b.build(item, n.resource)
		}
	}
	b.path = b.path[:len(b.path)-2]
	return all
}

func (b *builder) logicRules(v *value, n *node) *logicRules {
	before := b.found
	r := logicRules{
		allOf: b.schemas(v, "allOf", n), anyOf: b.schemas(v, "anyOf", n), oneOf: b.schemas(v, "oneOf", n),
		not: b.schema(v, "not", n),
	}
	if n.resource.dialect >= draft7 {
		r.cond, r.then, r.els = b.schema(v, "if", n), b.schema(v, "then", n), b.schema(v, "else", n)
	}
	if b.found == before {
		return nil
	}
	kept := r
	return &kept
}
