package apidiff

// properties compares properties and required.
func (s *schemas) properties(o, n *view, at spot) {
	for _, name := range keysOf(o.properties, n.properties) {
		old, new := o.properties[name], n.properties[name]
		here := at.property(name)
		switch {
		case old != nil && new != nil:
			s.compare(old, new, here)
		case old != nil:
			s.add(here.place, removed, Breaks, old, nil, "%s was removed", s.about(here))
		case !n.required[name]:
			s.add(here.place, added, Addition, nil, new, "%s was added", s.about(here))
		case !s.input:
			s.add(here.place, added, Addition, nil, new, "%s was added and is always there", s.about(here))
		case o.required[name]:
			s.add(here.place, added, Addition, nil, new, "%s was added; it was required before", s.about(here))
		default:
			s.add(here.place, added, Breaks, nil, new, "%s was added and is required", s.about(here))
		}
	}
	for _, name := range keysOf(o.required, n.required) {
		old, new := o.properties[name], n.properties[name]
		if (old == nil) != (new == nil) { // told already
			continue
		}
		here := at.property(name)
		if old == nil {
			here.place = at.place.in("required")
		}
		switch needed, needs := o.required[name], n.required[name]; {
		case !needed && needs && s.input:
			s.add(here.place, required, Breaks, nil, nil, "%s is required now", s.about(here))
		case !needed && needs:
			s.add(here.place, required, Addition, nil, nil, "%s is always there now", s.about(here))
		case needed && !needs && s.input:
			s.add(here.place, optional, Addition, nil, nil, "%s is optional now", s.about(here))
		case needed && !needs:
			s.add(here.place, optional, Breaks, nil, nil, "%s may be missing now", s.about(here))
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
		s.add(here.place, widened, Addition, o, n, "%s: further properties are allowed now", s.about(at))
	case is && !was:
		s.effect(narrowed, here, o, n, "%s: further properties are refused now", s.about(at))
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
			s.effect(widened, here, old, new, "%s: properties named like %s are allowed now", s.about(at), named(pattern))
		case old == nil:
			s.effect(narrowed, here, old, new, "%s: there is a rule for properties named like %s now", s.about(at), named(pattern))
		case isClosed:
			s.effect(narrowed, here, old, new, "%s: properties named like %s are refused now", s.about(at), named(pattern))
		default:
			s.effect(widened, here, old, new, "%s: there is no rule for properties named like %s any more", s.about(at), named(pattern))
		}
	})
	if !isObject(before) || !isObject(after) {
		s.assertion(key, before, after, at)
	}
}
