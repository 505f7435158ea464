package schema

import "slices"

// step is one step of the way to a value.
type step struct {
	name   string
	index  int
	isItem bool
}

// run is the check of one value.
type run struct {
	budget
	path     []step
	scope    []*resource // those entered, from the outside
	nested   int         // schemas within one another
	chain    int         // of those, the ones that apply to the value at hand
	nodes    int         // how many there are
	quiet    int         // failures are not wanted
	failures []failure
}

// eval applies n to v. When seen is given, it takes in what members or items
// of v were evaluated. The answer means nothing once the budget has failed.
func (r *run) eval(n *node, v *value, seen *marks) bool {
	if n.verdict != depends {
		return r.spend(1) && (n.verdict == always || r.fail(failure{keyword: "false"}))
	}
	r.nested++
	switch {
	case !r.spend(1 + len(v.text)/textPerStep):
		return false
	case r.chain > r.nodes: // one of them is there twice
		return r.stop(&UnsupportedError{Reason: "it refers to itself without an end"})
	case r.nested > maxNested:
		return r.stop(&UnsupportedError{Reason: "it and the value nest too deep"})
	}
	entered := len(r.scope) == 0 || r.scope[len(r.scope)-1] != n.resource
	if entered {
		r.scope = append(r.scope, n.resource)
	}
	if seen == nil && n.unevaluates(v) {
		seen = &marks{}
	}
	ok := r.values(n, v) && r.rules(n, v, seen)
	if entered {
		r.scope = r.scope[:len(r.scope)-1]
	}
	r.nested--
	return ok
}

func (r *run) rules(n *node, v *value, seen *marks) bool {
	ok := n.ref == nil || r.self(n.ref.target, v, seen, n.ref)
	switch v.kind {
	case objectKind:
		ok = (n.object == nil || r.object(n.object, v, seen)) && ok
	case arrayKind:
		ok = (n.array == nil || r.array(n.array, v, seen)) && ok
	case stringKind:
		ok = (n.text == nil || r.text(n.text, v)) && ok
	case numberKind:
		ok = (n.number == nil || r.number(n.number, v)) && ok
	}
	if !ok && r.isQuiet() {
		return false
	}
	if ref := n.recursiveRef; ref != nil {
		ok = r.self(r.recursive(ref), v, seen, ref) && ok
	}
	if ref := n.dynamicRef; ref != nil {
		ok = r.self(r.dynamic(ref), v, seen, ref) && ok
	}
	if n.logic != nil {
		ok = r.logic(n.logic, v, seen) && ok
	}
	if n.unevaluates(v) {
		ok = r.unevaluated(n, v, seen) && ok
	}
	return ok
}

// self applies another schema to the same value. It is what ref leads to, if
// that is given.
func (r *run) self(n *node, v *value, seen *marks, ref *reference) bool {
	if ref != nil && ref.err != nil {
		return r.stop(ref.err)
	}
	r.chain++
	defer func() { r.chain-- }()
	if seen == nil {
		return r.eval(n, v, nil)
	}
	var own marks // nothing counts of a schema that does not fit
	if !r.eval(n, v, &own) {
		return false
	}
	return r.spend(len(own.bits)) && seen.merge(&own)
}

// below applies a schema to what v holds at i.
func (r *run) below(n *node, v *value, i int) bool {
	at := step{index: i, isItem: true}
	if v.kind == objectKind {
		at = step{name: v.kids.names[i]}
	}
	r.path = append(r.path, at)
	chain := r.chain
	r.chain = 0
	ok := r.eval(n, &v.kids.items[i], nil)
	r.chain = chain
	r.path = r.path[:len(r.path)-1]
	return ok
}

// quietly applies a schema whose failures nobody wants to know.
func (r *run) quietly(fits func() bool) bool {
	r.quiet++
	ok := fits()
	r.quiet--
	return ok
}

// recursive finds the outermost schema that a $recursiveRef may mean.
func (r *run) recursive(ref *reference) *node {
	target := ref.target
	if target == nil || target.resource.root != target || !target.resource.recursive {
		return target
	}
	for _, outer := range r.scope {
		if r.spend(1); outer.recursive {
			return outer.root
		}
	}
	return target
}

// dynamic finds the outermost schema that a $dynamicRef may mean.
func (r *run) dynamic(ref *reference) *node {
	target := ref.target
	if target == nil || ref.anchor == "" || target.dynamicAnchor != ref.anchor {
		return target
	}
	for _, outer := range r.scope {
		if n := outer.dynamic[ref.anchor]; r.spend(1) && n != nil {
			return n
		}
	}
	return target
}

// values checks the keywords that say what a value may be.
func (r *run) values(n *node, v *value) bool {
	if n.types != 0 && !n.types.has(v) {
		return r.fail(failure{keyword: "type", got: v, names: n.typeNames})
	}
	if n.constant != nil && !r.equal(v, n.constant) {
		return r.fail(failure{keyword: "const", got: v, want: n.constant})
	}
	if n.enum != nil && !slices.ContainsFunc(n.enum.items(), func(m value) bool { return r.equal(v, &m) }) {
		return r.fail(failure{keyword: "enum", got: v, want: n.enum})
	}
	return true
}
