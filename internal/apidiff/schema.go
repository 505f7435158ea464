package apidiff

import (
	"maps"
	"slices"
)

// schemas compares two schemas of an item: of what is sent (input) or of what
// comes back.
func (c *comparison) schemas(p place, input bool, old, new *node) {
	if old != nil && new != nil && string(old.canonical(nil)) == string(new.canonical(nil)) {
		return
	}
	before := len(c.changes)
	budget := &budget{left: min(c.budget.left, schemaSteps+stepsPerByte*(len(rawOf(old))+len(rawOf(new))))}
	all := budget.left
	s := &schemas{
		comparison: c, input: input, budget: budget,
		old: newSide(old, budget), new: newSide(new, budget), seen: make(map[[2]*node]*verdict),
	}
	s.compare(old, new, spot{place: p})
	c.budget.spend(all - budget.left)
	if budget.left < 0 {
		c.changes = c.changes[:before] // they might be half of the truth
		c.add(p, changed, Breaks, old, new, named(string(p))+" changed, and is too large or too involved to be judged")
	}
}

// schemas compares the schemas within two schemas.
type schemas struct {
	*comparison
	input    bool
	budget   *budget
	old, new *side
	seen     map[[2]*node]*verdict
	depth    int
}

// verdict is what is known of two schemas from an earlier visit.
type verdict struct {
	open   bool // the visit goes on
	same   bool
	visits int
}

// spot is where a schema stands, and what it is about.
type spot struct {
	place
	name string // of the value, such as filter.tags[]; "" for the whole
}

func (s spot) in(keys ...string) spot { return spot{s.place.in(keys...), s.name} }

// called is the same place under the name that a message is to have.
func (s spot) called(name string) spot { return spot{s.place, name} }

func (s spot) property(name string) spot {
	return spot{s.place.in("properties", name), string(place(s.name).in(name))}
}

// about begins a message.
func (s *schemas) about(at spot) string {
	switch {
	case s.input && at.name == "":
		return "the arguments"
	case s.input:
		return "argument " + at.name
	case at.name == "":
		return "the result"
	}
	return "result " + at.name
}

// compare compares two schemas, of which one may be missing.
func (s *schemas) compare(old, new *node, at spot) {
	old, new = s.old.follow(old), s.new.follow(new)
	pair := [2]*node{old, new}
	v := s.seen[pair]
	if v == nil {
		v = &verdict{}
		s.seen[pair] = v
	}
	if v.open || v.visits > 0 && v.same || v.visits == maxVisits {
		return
	}
	if s.depth == maxDepth {
		s.budget.left = -1
	}
	if !s.budget.spend(1) {
		return
	}
	before := len(s.changes)
	v.open = true
	s.depth++
	s.views(old, new, s.old.view(old), s.new.view(new), at)
	s.depth--
	v.open, v.same = false, len(s.changes) == before
	v.visits++
}

func (s *schemas) views(old, new *node, o, n *view, at spot) {
	s.budget.spend(len(o.keywords) + len(n.keywords) + len(o.properties) + len(n.properties) + len(o.required) + len(n.required))
	switch {
	case o.never && n.never:
		return
	case o.odd != nil || n.odd != nil:
		if !equal(old, new) {
			s.unclear(at, "the schema", old, new)
		}
		return
	case o.never:
		s.effect(widened, at, old, new, "nothing was allowed before")
		return
	case n.never:
		s.effect(narrowed, at, old, new, "nothing is allowed any more")
		return
	}
	if s.eitherWay(old, new, o, n, at) {
		return
	}
	s.words(o, n, at)
	if !s.types(o, n, at) {
		return // of another kind altogether: the rest would be noise
	}
	s.values(o, n, at)
	s.bounds(o, n, at)
	s.properties(o, n, at)
	s.keywords(o, n, at)
}

// effect notes a rule that takes fewer values than before, or more.
func (s *schemas) effect(change string, at spot, old, new *node, message string) {
	weight := Addition
	if s.input == (change == narrowed) {
		weight = Breaks
	}
	s.add(at.place, change, weight, old, new, s.about(at)+": "+message)
}

// unclear notes a change of which it cannot be told what it means.
func (s *schemas) unclear(at spot, what string, old, new *node) {
	s.add(at.place, changed, Breaks, old, new, s.about(at)+": "+what+" changed in a way that cannot be judged")
}

// words compares what checks nothing.
func (s *schemas) words(o, n *view, at spot) {
	for _, key := range keysOf(o.keywords, n.keywords) {
		if classOf(key).checksNothing() {
			was, is := o.keywords[key], n.keywords[key]
			s.budget.text(len(rawOf(was)) + len(rawOf(is)))
			s.other(at.in(key).place, weightOfWords(key), s.about(at)+": "+named(key), was, is)
		}
	}
}

// keysOf are the keys of both maps, sorted.
func keysOf[V any](a, b map[string]V) []string {
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, ok := a[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
