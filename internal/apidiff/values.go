package apidiff

import (
	"math"
	"strings"

	"mcpq/internal/schema"
)

// types compares the types. It is false when the two have none in common.
func (s *schemas) types(o, n *view, at spot) bool {
	if o.typesNode == nil && n.typesNode == nil {
		return true
	}
	key := n.typesKey
	if key == "" {
		key = o.typesKey
	}
	at = at.in(key)
	was, is := s.typesIn(o), s.typesIn(n)
	switch {
	case was == 0 || is == 0: // not understood
		if !equal(o.typesNode, n.typesNode) {
			s.unclear(at, "type", o.typesNode, n.typesNode)
		}
	case was == is:
	case was&is == is:
		s.effect(narrowed, at, o.typesNode, n.typesNode, "type narrowed from "+was.String()+" to "+is.String())
	case was&is == was:
		s.effect(widened, at, o.typesNode, n.typesNode, "type widened from "+was.String()+" to "+is.String())
	default:
		s.add(at.place, changed, Breaks, o.typesNode, n.typesNode, s.about(at)+": type changed from "+was.String()+" to "+is.String())
		return was&is != 0
	}
	return true
}

// typesIn are the types that fit, by name or because only some values do.
func (s *schemas) typesIn(v *view) typeSet {
	if v.typesNode != nil {
		return v.types
	}
	list, _, _ := listed(v)
	if list == nil || !s.budget.spend(len(list)) {
		return anyType
	}
	var set typeSet
	for _, value := range list {
		set |= typeOf(value)
	}
	return set
}

// listed are the only values that fit, by const or enum; nil if it does not say.
func listed(v *view) (values []*node, keyword string, spelled *node) {
	if c := v.keywords["const"]; c != nil {
		return []*node{c}, "const", c
	}
	if e := v.keywords["enum"]; e.is('[') {
		return append([]*node{}, e.items...), "enum", e
	}
	return nil, "", nil
}

// values compares enum and const.
func (s *schemas) values(o, n *view, at spot) {
	was, oldKey, old := listed(o)
	is, newKey, new := listed(n)
	if was == nil && is == nil {
		if a, b := o.keywords["enum"], n.keywords["enum"]; !equal(a, b) { // no list
			s.unclear(at.in("enum"), "enum", a, b)
		}
		return
	}
	if newKey == "" {
		newKey = oldKey
	}
	at = at.in(newKey)
	switch {
	case was == nil:
		s.effect(narrowed, at, old, new, "limited to "+firstOf(is))
	case is == nil:
		s.effect(widened, at, old, new, "no longer limited to "+firstOf(was))
	default:
		s.budget.text(len(old.raw) + len(new.raw))
		s.budget.spend(len(was) + len(is))
		if gone := lacking(was, is); len(gone) > 0 {
			s.effect(narrowed, at, old, new, newKey+" lost "+firstOf(gone))
		}
		if more := lacking(is, was); len(more) > 0 {
			s.effect(widened, at, old, new, newKey+" gained "+firstOf(more))
		}
	}
}

// lacking are the values of a that are not among b.
func lacking(a, b []*node) []*node {
	side := newSide(nil, &budget{left: math.MaxInt})
	there := make(map[string]bool, len(b))
	for _, n := range b {
		there[side.key("const", n, true)] = true
	}
	var missing []*node
	for _, n := range a {
		if !there[side.key("const", n, true)] {
			missing = append(missing, n)
		}
	}
	return missing
}

// firstOf shows the first values of a list.
func firstOf(values []*node) string {
	const most = 5
	var shown []string
	for _, v := range values[:min(len(values), most)] {
		shown = append(shown, show(v.raw))
	}
	if len(values) > most {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

// bound is a limit on numbers.
type bound struct {
	key       string
	node      *node // nil if there is none
	exclusive bool
}

// numberBound gives the limit that counts of an inclusive and an exclusive one.
// In draft 4 exclusive is a boolean beside the other.
func numberBound(v *view, inclusive, exclusive string, sign int) bound {
	a, b := v.keywords[inclusive], v.keywords[exclusive]
	switch {
	case b == nil || b.is('f'):
		return bound{inclusive, a, false}
	case b.is('t'):
		return bound{inclusive, a, true}
	case a != nil:
		if order, ok := schema.CompareNumbers(string(a.raw), string(b.raw)); ok && order*sign > 0 {
			return bound{inclusive, a, false}
		}
	}
	return bound{exclusive, b, true}
}

// bounds compares limits. sign is how the greater of two relates to the stricter.
func (s *schemas) bounds(o, n *view, at spot) {
	for _, b := range []struct {
		inclusive, exclusive string
		sign                 int
	}{{"minimum", "exclusiveMinimum", 1}, {"maximum", "exclusiveMaximum", -1}} {
		was, is := numberBound(o, b.inclusive, b.exclusive, b.sign), numberBound(n, b.inclusive, b.exclusive, b.sign)
		s.bound(was, is, b.sign, at)
	}
	for _, key := range []string{"minLength", "minItems", "minProperties"} {
		s.bound(atLeast(o, key), atLeast(n, key), 1, at)
	}
	for _, key := range []string{"maxLength", "maxItems", "maxProperties"} {
		s.bound(bound{key, o.keywords[key], false}, bound{key, n.keywords[key], false}, -1, at)
	}
	was, is := bound{"uniqueItems", o.keywords["uniqueItems"], false}, bound{"uniqueItems", n.keywords["uniqueItems"], false}
	switch {
	case !was.node.is('t') && is.node.is('t'):
		s.effect(narrowed, at.in(is.key), was.node, is.node, "uniqueItems is new")
	case was.node.is('t') && !is.node.is('t'):
		s.effect(widened, at.in(is.key), was.node, is.node, "uniqueItems is gone")
	}
}

// atLeast is a limit of which 0 is none.
func atLeast(v *view, key string) bound {
	n := v.keywords[key]
	if n != nil {
		if order, ok := schema.CompareNumbers(string(n.raw), "0"); ok && order == 0 {
			n = nil
		}
	}
	return bound{key, n, false}
}

func (s *schemas) bound(was, is bound, sign int, at spot) {
	old, new := was.node, is.node
	key := is.key
	if new == nil {
		key = was.key
	}
	at = at.in(key)
	switch {
	case old == nil && new == nil:
		return
	case old == nil:
		s.effect(narrowed, at, old, new, key+" "+show(new.raw)+" is new")
		return
	case new == nil:
		s.effect(widened, at, old, new, key+" "+show(old.raw)+" is gone")
		return
	}
	s.budget.text(len(old.raw) + len(new.raw))
	order, ok := schema.CompareNumbers(string(new.raw), string(old.raw))
	if order *= sign; order == 0 && was.exclusive != is.exclusive {
		order = -1
		if is.exclusive {
			order = 1
		}
	}
	what := key + " changed"
	if was.key != is.key {
		what = was.key + " became " + is.key
	}
	switch {
	case !ok && !equal(old, new):
		s.unclear(at, key, old, new)
	case order > 0:
		s.effect(narrowed, at, old, new, what+" from "+show(old.raw)+" to "+show(new.raw)+", which is stricter")
	case order < 0:
		s.effect(widened, at, old, new, what+" from "+show(old.raw)+" to "+show(new.raw)+", which is looser")
	}
}
