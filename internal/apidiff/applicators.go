package apidiff

import "strconv"

// keywords compares those that no other rule is about.
func (s *schemas) keywords(o, n *view, at spot) {
	for _, key := range keysOf(o.keywords, n.keywords) {
		old, new := o.keywords[key], n.keywords[key]
		switch class := classOf(key); {
		case key == "properties", key == "required": // that are not what they should be
			s.other(at.in(key).place, Caution, s.about(at)+": "+key, old, new)
		case class.checksNothing(), class == judged:
		case key == "patternProperties":
			s.patterns(o, n, at)
		case key == "additionalProperties", key == "unevaluatedProperties":
			s.open(key, old, new, at)
		case key == "prefixItems", key == "items" && (old.is('[') || new.is('[')):
			s.tuple(key, old, new, at)
		case class == subschema:
			here := at.in(key)
			if key != "propertyNames" {
				here.name += "[]"
			}
			s.subschema(key, old, new, at, here)
		case class == subschemas && old.is('[') && new.is('['):
			s.parts(key, old.items, new.items, old, new, at)
		default:
			s.assertion(key, old, new, at)
		}
	}
}

// subschema compares what stands at a keyword without which everything fits.
func (s *schemas) subschema(key string, old, new *node, at, here spot) {
	switch was, is := s.says(s.old, old), s.says(s.new, new); {
	case was == is || old != nil && new != nil:
		s.compare(old, new, here)
	case is:
		s.effect(narrowed, here.called(at.name), old, new, key+" is new")
	default:
		s.effect(widened, here.called(at.name), old, new, key+" is gone")
	}
}

// says tells whether a schema asks for anything.
func (s *schemas) says(side *side, n *node) bool {
	v := side.view(n)
	if v.never || v.odd != nil || v.typesNode != nil || len(v.properties) > 0 || len(v.required) > 0 {
		return true
	}
	for key := range v.keywords {
		if !classOf(key).checksNothing() {
			return true
		}
	}
	return false
}

// assertion compares a keyword that can only be understood as a whole.
func (s *schemas) assertion(key string, old, new *node, at spot) {
	here := at.in(key)
	switch {
	case old == nil && key == "minContains", new == nil && key == "minContains": // there is always one
		s.unclear(here, key, old, new)
	case old == nil:
		s.effect(narrowed, here.called(at.name), old, new, brief(key, new)+" is new")
	case new == nil:
		s.effect(widened, here.called(at.name), old, new, brief(key, old)+" is gone")
	case s.old.key(key, old, false) != s.new.key(key, new, false):
		s.unclear(here, key, old, new)
	case s.old.key(key, old, true) != s.new.key(key, new, true):
		s.add(here.place, changed, Words, old, new, s.about(at)+": the words in "+key+" changed")
	}
}

// brief is a keyword with its value, if that is short.
func brief(key string, n *node) string {
	const most = 40
	if len(n.raw) > most || n.is('{') || n.is('[') {
		return key
	}
	return key + " " + show(n.raw)
}

// tuple compares items that have a schema by their place.
func (s *schemas) tuple(key string, old, new *node, at spot) {
	if !old.is('[') || !new.is('[') {
		s.assertion(key, old, new, at)
		return
	}
	for i := range min(len(old.items), len(new.items)) {
		here := spot{at.place.in(key) + place("["+strconv.Itoa(i)+"]"), at.name + "[" + strconv.Itoa(i) + "]"}
		s.compare(old.items[i], new.items[i], here)
	}
	if len(old.items) != len(new.items) {
		s.unclear(at.in(key), "the number of "+key, old, new)
	}
}

// eitherWay compares schemas of which one at least checks nothing but anyOf; one
// that does not is its own only choice. It is false when neither does.
func (s *schemas) eitherWay(old, new *node, o, n *view, at spot) bool {
	was, is := choices(o), choices(n)
	if was == nil && is == nil {
		return false
	}
	s.words(o, n, at)
	a, b := o.keywords["anyOf"], n.keywords["anyOf"]
	if was == nil {
		was, a = []*node{old}, old
	}
	if is == nil {
		is, b = []*node{new}, new
	}
	s.parts("anyOf", was, is, a, b, at)
	return true
}

// choices are the parts of anyOf, if the schema checks nothing else.
func choices(v *view) []*node {
	list := v.keywords["anyOf"]
	if !list.is('[') || len(list.items) == 0 || len(v.properties) > 0 || len(v.required) > 0 || v.typesNode != nil {
		return nil
	}
	for key := range v.keywords {
		if key != "anyOf" && !classOf(key).checksNothing() {
			return nil
		}
	}
	return list.items
}

// parts compares the parts of anyOf, allOf or oneOf as sets. A choice more is
// wider, a condition more is stricter, and what became of one part is compared
// itself: the only one of its type, or the only one left. Of oneOf nothing can be
// told that way: a choice more may meet what another one met alone.
func (s *schemas) parts(key string, old, new []*node, a, b *node, at spot) {
	if !s.budget.spend(len(old) + len(new)) {
		return
	}
	here := at.in(key)
	gone, more := indexes(old), indexes(new)
	gone, more = s.match(old, new, gone, more, true, func(int, int) {})
	gone, more = s.match(old, new, gone, more, false, func(i, j int) { s.compare(old[i], new[j], here.nth(j)) })
	if key != "oneOf" && len(gone) > 0 && len(gone)+len(more) > 2 {
		gone, more = s.byType(old, new, gone, more, func(i, j int) { s.compare(old[i], new[j], here.nth(j)) })
	}
	switch {
	case len(gone) == 0 && len(more) == 0:
	case key == "oneOf":
		s.unclear(here, key, a, b)
	case len(gone) == 1 && len(more) == 1:
		s.compare(old[gone[0]], new[more[0]], here.nth(more[0]))
	case len(gone) > 0 && len(more) > 0:
		s.unclear(here, key, a, b)
	case (len(more) > 0) == (key == "allOf"):
		s.effect(narrowed, here.called(at.name), a, b, numbered(key, len(gone)+len(more), len(more) > 0))
	default:
		s.effect(widened, here.called(at.name), a, b, numbered(key, len(gone)+len(more), len(more) > 0))
	}
}

func indexes(list []*node) []int {
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	return all
}

// match finds parts that say the same, in their words too or not, among those
// that are left, and gives those that are left then.
func (s *schemas) match(old, new []*node, gone, more []int, words bool, same func(i, j int)) (oldLeft, newLeft []int) {
	waiting := make(map[string][]int, len(more))
	for _, j := range more {
		k := s.new.key("", new[j], words)
		waiting[k] = append(waiting[k], j)
	}
	taken := make(map[int]bool, len(more))
	for _, i := range gone {
		k := s.old.key("", old[i], words)
		if js := waiting[k]; len(js) > 0 {
			waiting[k], taken[js[0]] = js[1:], true
			same(i, js[0])
			continue
		}
		oldLeft = append(oldLeft, i)
	}
	return oldLeft, without(more, taken)
}

// without leaves out those that are taken.
func without(list []int, taken map[int]bool) []int {
	var left []int
	for _, i := range list {
		if !taken[i] {
			left = append(left, i)
		}
	}
	return left
}

// byType is match for parts that are the only ones of their types.
func (s *schemas) byType(old, new []*node, gone, more []int, same func(i, j int)) (oldLeft, newLeft []int) {
	waiting := make(map[typeSet][]int)
	for _, j := range more {
		t := s.typesIn(s.new.view(new[j]))
		waiting[t] = append(waiting[t], j)
	}
	count := make(map[typeSet]int)
	for _, i := range gone {
		count[s.typesIn(s.old.view(old[i]))]++
	}
	taken := make(map[int]bool)
	for _, i := range gone {
		t := s.typesIn(s.old.view(old[i]))
		if js := waiting[t]; count[t] == 1 && len(js) == 1 {
			taken[js[0]] = true
			same(i, js[0])
		} else {
			oldLeft = append(oldLeft, i)
		}
	}
	return oldLeft, without(more, taken)
}

func (s spot) nth(i int) spot {
	return spot{s.place + place("["+strconv.Itoa(i)+"]"), s.name}
}

func numbered(key string, n int, more bool) string {
	what := "choice"
	if key == "allOf" {
		what = "condition"
	}
	if n > 1 {
		what += "s"
	}
	if more {
		return key + " gained " + strconv.Itoa(n) + " " + what
	}
	return key + " lost " + strconv.Itoa(n) + " " + what
}
