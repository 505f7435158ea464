package schema

import (
	"fmt"
	"net/url"
	"slices"
)

// builder makes nodes of a document, in one walk over all places where keywords
// expect schemas, and then over those that only references lead to.
type builder struct {
	budget
	nodes      map[*value]*node
	resources  map[string]*resource
	references []*reference
	patterns   []*pattern // of the keyword pattern
	regexps    int        // these and others
	path       []step
	found      int // keywords so far
}

// document makes the node of the whole.
func (b *builder) document(doc *value) (*node, error) {
	d, err := dialectOf(doc, draft20)
	if err != nil {
		return nil, err
	}
	if doc.kind != objectKind && doc.kind != booleanKind {
		return nil, &UnsupportedError{Reason: "it is neither an object nor a boolean"}
	}
	whole := &resource{dialect: d, base: &url.URL{Scheme: "mcpq", Path: "/schema"}, doc: doc}
	root := b.build(doc, whole)
	if b.resources[defaultLocation] == nil {
		b.resources[defaultLocation] = root.resource
	}
	for i := 0; i < len(b.references) && b.err == nil; i++ { // more may come
		b.resolve(b.references[i])
	}
	return root, b.err
}

// bad notes what is wrong with the schema at the current path.
func (b *builder) bad(format string, a ...any) {
	place := pointer(b.path)
	if place != "" {
		place = oneLine(shorten(place)) + ": "
	}
	b.stop(&UnsupportedError{Reason: "it is not valid", Err: fmt.Errorf(place+"%w", fmt.Errorf(format, a...))})
}

// build makes the node of a schema, unless there is one already.
func (b *builder) build(v *value, around *resource) *node {
	if n := b.nodes[v]; n != nil {
		return n
	}
	n := &node{resource: around}
	b.nodes[v] = n
	switch {
	case v.kind == booleanKind && v.text == "true":
		n.verdict = always
	case v.kind == booleanKind:
		n.verdict = never
	case v.kind != objectKind:
		b.bad("got %s, want a schema", article(v.kind))
	case b.spend(1):
		n.resource = b.enter(v, n, around)
		b.anchors(v, n)
		b.keywords(v, n)
		return n
	}
	if around.root == nil {
		around.root = n
	}
	return n
}

func (b *builder) keywords(v *value, n *node) {
	d := n.resource.dialect
	b.schemaMap(v, "definitions", n)
	if d >= draft19 {
		b.schemaMap(v, "$defs", n)
		b.schema(v, "contentSchema", n)
	}
	n.ref = b.reference(v, "$ref", n)
	if d.refOnly(v) {
		return
	}
	if d >= draft19 {
		n.recursiveRef = b.reference(v, "$recursiveRef", n)
	}
	if d >= draft20 {
		n.dynamicRef = b.reference(v, "$dynamicRef", n)
		if name := v.get("$dynamicAnchor"); name != nil {
			n.dynamicAnchor = name.text
		}
	}
	b.values(v, n)
	n.number = b.numberRules(v, n)
	n.text = b.textRules(v)
	n.array = b.arrayRules(v, n)
	n.object = b.objectRules(v, n)
	n.logic = b.logicRules(v, n)
}

func (b *builder) reference(v *value, keyword string, n *node) *reference {
	to := b.member(v, keyword, stringKind)
	if to == nil {
		return nil
	}
	ref := &reference{text: to.text, from: n.resource}
	b.references = append(b.references, ref)
	return ref
}

// values reads the keywords that name what a value may be.
func (b *builder) values(v *value, n *node) {
	if n.resource.dialect >= draft6 {
		n.constant = v.get("const")
	}
	n.enum = b.member(v, "enum", arrayKind)
	types := b.member(v, "type", stringKind, arrayKind)
	if types == nil {
		return
	}
	named := types.items()
	if types.kind == stringKind {
		named = []value{*types}
	}
	for _, t := range named {
		set := typeNamed(t.text)
		if t.kind != stringKind || set == 0 {
			b.bad("type: %s is not a type", jsonOf(&t))
		}
		if n.types&set == 0 {
			n.typeNames = append(n.typeNames, t.text)
		}
		n.types |= set
	}
	if len(named) == 0 {
		b.bad("type: no type is named")
	}
}

// member gives a keyword, if it is there and of one of the kinds.
func (b *builder) member(v *value, keyword string, kinds ...kind) *value {
	m := v.get(keyword)
	if m == nil {
		return nil
	}
	b.found++
	if !slices.Contains(kinds, m.kind) {
		b.bad("%s: got %s, want %s", keyword, article(m.kind), article(kinds[0]))
		return nil
	}
	return m
}

func (b *builder) pattern(source string) *pattern {
	if b.regexps++; b.regexps > maxPatterns {
		b.stop(&UnsupportedError{Reason: fmt.Sprintf("it has more than %d regular expressions", maxPatterns)})
	}
	return &pattern{source: source}
}

func (b *builder) flag(v *value, keyword string) bool {
	m := b.member(v, keyword, booleanKind)
	return m != nil && m.text == "true"
}

func (b *builder) limit(v *value, keyword string) *limit {
	m := b.member(v, keyword, numberKind)
	if m == nil {
		return nil
	}
	return &limit{readDecimal(m.text), m.text}
}

func (b *builder) count(v *value, keyword string) count {
	m := b.member(v, keyword, numberKind)
	if m == nil {
		return noCount
	}
	n, ok := readDecimal(m.text).count()
	if !ok {
		b.bad("%s: got %s, want a whole number that is not negative", keyword, shorten(m.text))
	}
	return count(n)
}

// names gives the strings of a keyword that is a list of names.
func (b *builder) names(keyword string, list *value) []string {
	names := make([]string, len(list.items()))
	for i, item := range list.items() {
		if item.kind != stringKind {
			b.bad("%s: got %s, want a string", keyword, article(item.kind))
		}
		names[i] = item.text
	}
	return names
}

// schema makes the node of a keyword that is a schema.
func (b *builder) schema(v *value, keyword string, n *node) *node {
	m := v.get(keyword)
	if m == nil {
		return nil
	}
	b.found++
	b.path = append(b.path, step{name: keyword})
	sub := b.build(m, n.resource)
	b.path = b.path[:len(b.path)-1]
	return sub
}

// schemas makes the nodes of a keyword that is a list of schemas.
func (b *builder) schemas(v *value, keyword string, n *node) []*node {
	m := b.member(v, keyword, arrayKind)
	if m == nil {
		return nil
	}
	return b.each(m, keyword, n)
}

// schemaMap makes the nodes of a keyword whose members are schemas.
func (b *builder) schemaMap(v *value, keyword string, n *node) members {
	m := b.member(v, keyword, objectKind)
	if m == nil {
		return members{}
	}
	return members{m.kids, b.each(m, keyword, n)}
}

func (b *builder) each(m *value, keyword string, n *node) []*node {
	nodes := make([]*node, len(m.items()))
	b.path = append(b.path, step{name: keyword}, step{})
	for i := range nodes {
		at := step{index: i, isItem: true}
		if m.kind == objectKind {
			at = step{name: m.kids.names[i]}
		}
		b.path[len(b.path)-1] = at
		nodes[i] = b.build(&m.kids.items[i], n.resource)
	}
	b.path = b.path[:len(b.path)-2]
	return nodes
}
