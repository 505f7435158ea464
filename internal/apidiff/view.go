package apidiff

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// side is one of two schemas that are compared.
type side struct {
	root   *node
	views  map[*node]*view
	budget *budget
}

func newSide(root *node, b *budget) *side {
	return &side{root: root, views: make(map[*node]*view), budget: b}
}

// view is what a schema says after references and allOf have been put together.
type view struct {
	never      bool             // nothing fits
	odd        *node            // it is no schema at all
	keywords   map[string]*node // but for properties and required
	properties []member         // sorted; often those of a node, and not copied
	required   map[string]bool

	types     typeSet // 0: it does not say, or nothing that could be understood
	typesNode *node
	typesKey  string // how they are spelled: type, or anyOf
}

// view gives that of a schema; nil is one that says nothing.
func (s *side) view(n *node) *view {
	if n == nil || n.is('t') {
		return new(view)
	}
	if v := s.views[n]; v != nil {
		return v
	}
	v := new(view)
	s.views[n] = v
	switch {
	case n.is('f'):
		v.never = true
	case !n.is('{'):
		v.odd = n
	default:
		m := &merger{side: s, view: v}
		if m.add(n); m.conflict {
			*v = view{}
			for _, k := range n.members {
				v.set(k.key, k.value)
			}
		}
		s.settleTypes(v)
	}
	return v
}

// set takes a keyword of a schema of which no other is part.
func (v *view) set(key string, n *node) {
	switch {
	case key == "properties" && n.is('{'):
		v.properties = n.members
	case key == "required" && n.is('['):
		for _, name := range n.items {
			put(&v.required, name.text, true)
		}
	case classOf(key) != definition:
		put(&v.keywords, key, n)
	}
}

// put makes the map if it has to: most schemas have few of them.
func put[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[key] = v
}

// merger puts schemas together that all have to fit, where that can be done by
// putting their keywords side by side.
type merger struct {
	*side
	*view
	within   []*node
	objects  int  // schemas with keywords that judge properties by one another
	closed   bool // one of them is about all properties that others do not name
	arrays   int  // schemas with such keywords for items
	branches int  // and with if, then or else
	conflict bool
}

func (m *merger) add(n *node) {
	switch {
	case m.conflict:
		return
	case n.is('t'):
		return
	case n.is('f'):
		m.never = true
		return
	case !n.is('{') || len(m.within) == maxMerged || slices.Contains(m.within, n) || !m.budget.spend(sizeOf(n)):
		m.conflict = true
		return
	}
	m.within = append(m.within, n) // for good: what comes twice is not put together
	// What is referred to comes first: what stands beside it is nearer.
	if ref := n.get("$ref"); ref != nil {
		target := m.resolve(ref)
		if target == nil {
			m.keep("$ref", ref)
		} else {
			m.add(target)
		}
	}
	if all := n.get("allOf"); all.is('[') {
		for _, part := range all.items {
			m.add(part)
		}
	}
	m.count(n)
	for _, k := range n.members {
		switch {
		case k.key == "$ref", k.key == "allOf" && k.value.is('['):
		case k.key == "properties" && k.value.is('{'):
			m.addProperties(k.value.members)
		case k.key == "required":
			m.set(k.key, k.value)
		default:
			m.keep(k.key, k.value)
		}
	}
}

// sizeOf is the work of putting a schema into a view.
func sizeOf(n *node) int {
	const perEntry = 4 // of a map
	size := len(n.members)
	if r := n.get("required"); r != nil {
		size += len(r.items)
	}
	return 1 + perEntry*size
}

// addProperties takes properties besides those that are there.
func (m *merger) addProperties(more []member) {
	if len(m.properties) == 0 {
		m.properties = more
		return
	}
	all := make([]member, 0, len(m.properties)+len(more))
	m.budget.spend(cap(all))
	walk(m.properties, more, func(key string, a, b *node) {
		switch {
		case b == nil:
			b = a
		case a != nil && a != b && !m.equal(a, b):
			m.conflict = true
		}
		all = append(all, member{key: key, value: b})
	})
	m.properties = all
}

// count finds keywords that mean something only together with others in the same
// schema.
func (m *merger) count(n *node) {
	has := func(keys ...string) int {
		if slices.ContainsFunc(keys, func(key string) bool { return n.get(key) != nil }) {
			return 1
		}
		return 0
	}
	m.objects += has("properties", "patternProperties", "additionalProperties", "unevaluatedProperties")
	m.arrays += has("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains", "maxContains")
	m.branches += has("if", "then", "else")
	m.closed = m.closed || has("additionalProperties", "unevaluatedProperties") > 0
	m.conflict = m.conflict || m.objects > 1 && m.closed || m.arrays > 1 || m.branches > 1
}

// keep takes a keyword. Two that are not the same do not fit side by side, but of
// what is for readers the nearer one counts.
func (m *merger) keep(key string, n *node) {
	other := m.keywords[key]
	if classOf(key) != definition && other != nil && !classOf(key).checksNothing() && !m.equal(other, n) {
		m.conflict = true
	}
	m.set(key, n)
}

func (s *side) equal(a, b *node) bool { return s.budget.text(len(a.raw)) && equal(a, b) }

// follow gives what a schema leads to that is nothing but a reference.
func (s *side) follow(n *node) *node {
	for range maxMerged {
		if n == nil || len(n.members) != 1 || n.members[0].key != "$ref" {
			break
		}
		target := s.resolve(n.members[0].value)
		if target == nil {
			break
		}
		n = target
	}
	return n
}

// resolve finds what a reference leads to within the schema; nil if that is
// nothing, or outside of it.
func (s *side) resolve(ref *node) *node {
	fragment, local := strings.CutPrefix(ref.text, "#")
	if !local || !s.budget.text(len(fragment)) {
		return nil
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	at := s.root
	switch {
	case fragment == "":
		return at
	case fragment[0] != '/':
		return s.anchor(fragment)
	}
	for name := range strings.SplitSeq(fragment[1:], "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		if at.is('[') {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(at.items) {
				return nil
			}
			at = at.items[i]
		} else if at = at.get(name); at == nil {
			return nil
		}
	}
	return at
}

// anchor finds the root or a definition by its $anchor or $dynamicAnchor. What
// could take the place of a dynamic one stands in other documents.
func (s *side) anchor(name string) *node {
	has := func(n *node) bool {
		a, d := n.get("$anchor"), n.get("$dynamicAnchor")
		return s.budget.spend(1) && (a.is('"') && a.text == name || d.is('"') && d.text == name)
	}
	if has(s.root) {
		return s.root
	}
	for _, key := range []string{"$defs", "definitions"} {
		defs := s.root.get(key)
		if !defs.is('{') {
			continue
		}
		for _, d := range defs.members {
			if has(d.value) {
				return d.value
			}
		}
	}
	return nil
}
