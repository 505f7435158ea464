package apidiff

// properties compares properties and required.
func (s *schemas) properties(o, n *view, at spot) {
	walk(o.properties, n.properties, func(name string, old, new *node) {
		here := at.property(name)
		switch {
		case old != nil && new != nil:
			s.compare(old, new, here)
		case old != nil:
			s.add(here.place, removed, Breaks, old, nil, s.about(here)+" was removed")
		case !n.required[name]:
			s.add(here.place, added, Addition, nil, new, s.about(here)+" was added")
		case !s.input:
			s.add(here.place, added, Addition, nil, new, s.about(here)+" was added and is always there")
		case o.required[name]:
			s.add(here.place, added, Addition, nil, new, s.about(here)+" was added; it was required before")
		default:
			s.add(here.place, added, Breaks, nil, new, s.about(here)+" was added and is required")
		}
	})
	for _, name := range keysOf(o.required, n.required) {
		old, new := find(o.properties, name), find(n.properties, name)
		if (old == nil) != (new == nil) { // told already
			continue
		}
		here := at.property(name)
		if old == nil {
			here.place = at.place.in("required")
		}
		switch needed, needs := o.required[name], n.required[name]; {
		case !needed && needs && s.input:
			s.add(here.place, required, Breaks, nil, nil, s.about(here)+" is required now")
		case !needed && needs:
			s.add(here.place, required, Addition, nil, nil, s.about(here)+" is always there now")
		case needed && !needs && s.input:
			s.add(here.place, optional, Addition, nil, nil, s.about(here)+" is optional now")
		case needed && !needs:
			s.add(here.place, optional, Breaks, nil, nil, s.about(here)+" may be missing now")
		}
	}
}

// open compares additionalProperties or unevaluatedProperties: whether, and of
// which kind, further properties may be. In a result they are no more of a
// surprise than properties that were added.
func (s *schemas) open(key string, o, n *node, at spot) {
	was, is := s.old.view(o).never, s.new.view(n).never
	here := at.in(key)
	switch {
	case was && !is:
		s.add(here.place, widened, Addition, o, n, s.about(at)+": further properties are allowed now")
	case is && !was:
		s.effect(narrowed, here.called(at.name), o, n, "further properties are refused now")
	default:
		here.name += "[*]"
		s.subschema(key, o, n, at, here)
	}
}

// patterns compares patternProperties. A new one is a stricter rule, unless such
// properties were refused before.
func (s *schemas) patterns(o, n *view, at spot) {
	const key = "patternProperties"
	before, after := o.keywords[key], n.keywords[key]
	members(before, after, func(pattern string, old, new *node) {
		here := at.in(key, pattern)
		here.name = string(place(at.name).in(pattern))
		wasClosed := s.old.view(o.keywords["additionalProperties"]).never
		isClosed := s.new.view(n.keywords["additionalProperties"]).never
		switch {
		case old != nil && new != nil:
			s.compare(old, new, here)
		case old == nil && wasClosed:
			s.effect(widened, here.called(at.name), old, new, "properties named like "+named(pattern)+" are allowed now")
		case old == nil:
			s.effect(narrowed, here.called(at.name), old, new, "there is a rule for properties named like "+named(pattern)+" now")
		case isClosed:
			s.effect(narrowed, here.called(at.name), old, new, "properties named like "+named(pattern)+" are refused now")
		default:
			s.effect(widened, here.called(at.name), old, new, "there is no rule for properties named like "+named(pattern)+" any more")
		}
	})
	if !isObject(before) || !isObject(after) {
		s.assertion(key, before, after, at)
	}
}
