package schema

// size checks how many there are.
func (r *run) size(n int, least, most count, leastKeyword, mostKeyword string) bool {
	ok := true
	if least != noCount && n < int(least) {
		ok = r.fail(failure{keyword: leastKeyword, n: n, limit: least})
	}
	if most != noCount && n > int(most) {
		ok = r.fail(failure{keyword: mostKeyword, n: n, limit: most})
	}
	return ok
}

func (r *run) array(a *arrayRules, v *value, seen *marks) bool {
	items := v.kids.items
	ok := r.size(len(items), a.least, a.most, "minItems", "maxItems")
	if a.unique && len(items) > 1 {
		if i, j, found := r.duplicates(items); found {
			ok = r.fail(failure{keyword: "uniqueItems", n: i, limit: count(j)})
		}
	}
	ok = r.items(a, v, seen) && ok
	return (a.contains == nil || r.contains(a, v, seen)) && ok
}

func (r *run) items(a *arrayRules, v *value, seen *marks) bool {
	items := v.kids.items
	first := min(len(a.prefix), len(items))
	ok := true
	for i := range first {
		ok = r.below(a.prefix[i], v, i) && ok
		seen.add(i)
	}
	if a.rest == nil {
		return ok
	}
	seen.addAll()
	if a.isTuple && first < len(items) && a.rest.verdict == never {
		return r.fail(failure{keyword: "additionalItems", n: len(items) - first})
	}
	for i := first; i < len(items) && (ok || !r.isQuiet()); i++ {
		ok = r.below(a.rest, v, i) && ok
	}
	return ok
}

func (r *run) contains(a *arrayRules, v *value, seen *marks) bool {
	n := 0
	for i := range v.kids.items {
		if r.quietly(func() bool { return r.below(a.contains, v, i) }) {
			n++
			if a.contains.resource.dialect >= draft20 {
				seen.add(i)
			}
		}
	}
	least := max(a.containsLeast, 0)
	if a.containsLeast == noCount {
		least = 1
	}
	return r.size(n, least, a.containsMost, "contains", "maxContains")
}
