package schema

// marks are the members or items of a value that some schema was applied to.
type marks struct {
	all  bool
	bits []uint64
}

func (m *marks) add(i int) {
	if m == nil || m.all {
		return
	}
	for len(m.bits) <= i/64 {
		m.bits = append(m.bits, 0)
	}
	m.bits[i/64] |= 1 << (i % 64)
}

func (m *marks) addAll() {
	if m != nil {
		m.all = true
	}
}

func (m *marks) has(i int) bool {
	return m.all || i/64 < len(m.bits) && m.bits[i/64]&(1<<(i%64)) != 0
}

// merge adds the marks of other, and is true.
func (m *marks) merge(other *marks) bool {
	m.all = m.all || other.all
	for len(m.bits) < len(other.bits) {
		m.bits = append(m.bits, 0)
	}
	for i, bits := range other.bits {
		m.bits[i] |= bits
	}
	return true
}

// unevaluates says whether n asks what other schemas were applied to in v.
func (n *node) unevaluates(v *value) bool {
	switch v.kind {
	case objectKind:
		return n.object != nil && n.object.unevaluated != nil
	case arrayKind:
		return n.array != nil && n.array.unevaluated != nil
	}
	return false
}

func (r *run) unevaluated(n *node, v *value, seen *marks) bool {
	var rest *node
	if v.kind == objectKind {
		rest = n.object.unevaluated
	} else {
		rest = n.array.unevaluated
	}
	ok := true
	for i := range v.kids.items {
		if r.spend(1) && !seen.has(i) {
			ok = r.below(rest, v, i) && ok
		}
	}
	seen.addAll()
	return ok
}
