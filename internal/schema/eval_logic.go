package schema

import "slices"

func (r *run) logic(l *logicRules, v *value, seen *marks) bool {
	ok := true
	for _, n := range l.allOf {
		if ok = r.self(n, v, seen, nil) && ok; !ok && r.isQuiet() {
			return false
		}
	}
	if l.not != nil && r.quietly(func() bool { return r.self(l.not, v, nil, nil) }) {
		ok = r.fail(failure{keyword: "not"})
	}
	if l.anyOf != nil {
		ok = r.alternatives("anyOf", l.anyOf, v, seen) && ok
	}
	if l.oneOf != nil {
		ok = r.alternatives("oneOf", l.oneOf, v, seen) && ok
	}
	if l.cond != nil {
		next := l.els
		if r.quietly(func() bool { return r.self(l.cond, v, seen, nil) }) {
			next = l.then
		}
		if next != nil {
			ok = r.self(next, v, seen, nil) && ok
		}
	}
	return ok
}

// alternatives applies schemas of which any or one has to fit.
func (r *run) alternatives(keyword string, nodes []*node, v *value, seen *marks) bool {
	first := len(r.failures)
	var branches [][]failure
	matched := false
	for _, n := range nodes {
		if matched && keyword == "anyOf" && seen == nil {
			break
		}
		before := len(r.failures)
		fits := false
		if matched {
			fits = r.quietly(func() bool { return r.self(n, v, seen, nil) })
		} else {
			fits = r.self(n, v, seen, nil)
		}
		switch {
		case fits && matched && keyword == "oneOf":
			r.failures = r.failures[:first]
			return r.fail(failure{keyword: "oneOf", n: 2})
		case fits:
			matched = true
		case !matched && !r.isQuiet():
			branches = append(branches, r.failures[before:])
		}
	}
	best := r.best(branches)
	r.failures = r.failures[:first]
	switch {
	case matched:
		return true
	case best == nil:
		return r.fail(failure{keyword: keyword})
	}
	r.failures = append(r.failures, best...)
	return false
}

// best picks what to say about alternatives that all failed. Those that want
// another type of value are out as soon as one does not; if a single one is
// left, its failures are what the user needs. It gives none if it cannot tell.
func (r *run) best(branches [][]failure) []failure {
	var near [][]failure
	var types failure
	for _, branch := range branches {
		if len(branch) == 1 && branch[0].keyword == "type" && len(branch[0].path) == len(r.path) {
			for _, name := range branch[0].names {
				if !slices.Contains(types.names, name) {
					types.names = append(types.names, name)
				}
			}
			types.path, types.keyword, types.got = branch[0].path, "type", branch[0].got
			continue
		}
		near = append(near, branch)
	}
	switch {
	case len(near) == 1 && len(near[0]) > 0: // empty once too much was found
		return slices.Clone(near[0])
	case len(near) == 0 && types.got != nil:
		return []failure{types}
	}
	return nil
}
