package schema

func (r *run) object(o *objectRules, v *value, seen *marks) bool {
	kids := v.kids
	ok := r.size(len(kids.names), o.least, o.most, "minProperties", "maxProperties")
	if missing := r.missing(o.required, kids); missing != nil {
		ok = r.fail(failure{keyword: "required", names: missing})
	}
	var unknown []string
	for i, name := range kids.names {
		if !r.spend(1+len(name)/textPerStep) || !ok && r.isQuiet() {
			return false
		}
		known := false
		if n := o.properties.get(name); n != nil {
			known, ok = true, r.below(n, v, i) && ok
		}
		for _, p := range o.patterns {
			if !r.readable(p.pattern) {
				return r.stop(&UnsupportedError{Reason: "patternProperties has the regular expression " + show(p.pattern.source) + ", which cannot be read here"})
			}
			if r.match(p.pattern, name) {
				known, ok = true, r.below(p.node, v, i) && ok
			}
		}
		switch {
		case known:
			seen.add(i)
		case o.additional == nil:
		case o.additional.verdict == never:
			unknown, ok = append(unknown, name), false
		default:
			ok = r.below(o.additional, v, i) && ok
		}
		if o.names != nil && !r.nameFits(o.names, name) {
			ok = r.fail(failure{keyword: "propertyNames", got: &value{kind: stringKind, text: name}})
		}
	}
	if unknown != nil {
		r.fail(failure{keyword: "additionalProperties", names: unknown})
	}
	if o.additional != nil {
		seen.addAll()
	}
	return r.dependent(o.dependent, v, seen) && ok
}

// missing gives the names of which there is no member.
func (r *run) missing(names []string, kids *kids) []string {
	var missing []string
	for _, name := range names {
		if r.find(kids, name) < 0 && r.err == nil {
			missing = append(missing, name)
		}
	}
	return missing
}

func (r *run) nameFits(n *node, name string) bool {
	chain := r.chain
	r.chain = 0
	ok := r.quietly(func() bool { return r.eval(n, &value{kind: stringKind, text: name}, nil) })
	r.chain = chain
	return ok
}

func (r *run) dependent(all []dependency, v *value, seen *marks) bool {
	ok := true
	for _, d := range all {
		if r.find(v.kids, d.name) < 0 {
			continue
		}
		if d.node != nil {
			ok = r.self(d.node, v, seen, nil) && ok
		} else if missing := r.missing(d.required, v.kids); missing != nil {
			ok = r.fail(failure{keyword: d.keyword, names: missing, with: d.name})
		}
	}
	return ok
}
