package args

import (
	"fmt"
	"strconv"
	"strings"
)

// step is one part of a bracket path.
type step struct {
	name   string // unescaped; what stands between the brackets
	push   bool   // []
	digits bool   // could be the index of an array
}

// parsePath reads a[b][0][].
func parsePath(key string) ([]step, error) {
	fail := func(reason string) ([]step, error) {
		return nil, &Error{Argument: key, Reason: reason}
	}
	open := nextBracket(key, '[')
	if open == 0 {
		return fail(`expected a name before the [ (write \[ for a bracket in a name)`)
	}
	if open < 0 {
		return []step{{name: unescapeKey(key)}}, nil
	}
	path := []step{{name: unescapeKey(key[:open])}}
	for rest := key[open:]; rest != ""; {
		if rest[0] != '[' {
			return fail(fmt.Sprintf(`expected [ or the end of the name after ], got %s`, show(rest)))
		}
		end := nextBracket(rest, ']')
		if end < 0 {
			return fail(`expected a ] for every [ (write \[ for a bracket in a name)`)
		}
		inner := rest[1:end]
		path = append(path, step{name: unescapeKey(inner), push: inner == "", digits: isIndex(inner)})
		rest = rest[end+1:]
		if len(path) > maxDepth {
			return fail(fmt.Sprintf("expected at most %d levels of brackets; give deeper data as JSON with :=", maxDepth))
		}
	}
	return path, nil
}

// nextBracket finds the first unescaped b.
func nextBracket(s string, b byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && isEscapable(s[i+1]):
			i++
		case s[i] == b:
			return i
		}
	}
	return -1
}

// isIndex says whether s is spelled as an array index: 0, 7, 12, not 007.
func isIndex(s string) bool {
	if s == "" || len(s) > 9 || len(s) > 1 && s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// slot is a place in the tree that a value can be put in.
type slot struct {
	parent *node
	key    string // when the parent is an object
	index  int    // when it is an array; its length appends
}

func (s slot) get() *node {
	if s.parent.kind == arrayNode {
		if s.index < len(s.parent.items) {
			return s.parent.items[s.index]
		}
		return nil
	}
	if i, ok := s.parent.find(s.key); ok {
		return s.parent.members[i].value
	}
	return nil
}

func (s slot) put(value *node) {
	switch {
	case s.parent.kind == objectNode:
		s.parent.set(s.key, value)
	case s.index < len(s.parent.items):
		s.parent.items[s.index] = value
	default:
		s.parent.items = append(s.parent.items, value)
	}
}

// container gives the array or object in the slot that st steps into, making
// one where there is nothing yet (or null). What is there and holds nothing is
// an error rather than overwritten: it is far more often a slip than a wish.
func (s slot) container(t *token, st step, wanted string) (*node, error) {
	at := s.get()
	if at == nil || at.jsonKind() == "null" {
		at = &node{kind: objectNode}
		if st.push || st.digits && wanted != "object" {
			at.kind = arrayNode
		}
		s.put(at)
		return at, nil
	}
	if err := at.open(); err != nil {
		return nil, &Error{Argument: t.name, Reason: "cannot be put into what was set before", Err: err}
	}
	if at.kind == rawNode {
		return nil, &Error{Argument: t.name, Reason: fmt.Sprintf(
			"expected an array or object to put [%s] in, got %s set before", st.name, article(at.jsonKind()))}
	}
	return at, nil
}

// at gives the slot that st names in n.
func (n *node) at(t *token, st step) (slot, error) {
	switch {
	case n.kind == objectNode && st.push:
		return slot{}, &Error{Argument: t.name, Reason: "expected a name in [], got none: an object was set before"}
	case n.kind == objectNode:
		return slot{parent: n, key: st.name}, nil
	case st.push:
		return slot{parent: n, index: len(n.items)}, nil
	case !st.digits:
		return slot{}, &Error{Argument: t.name, Reason: fmt.Sprintf(
			"expected an index, got [%s]: an array was set before", oneLine(st.name))}
	}
	index, err := strconv.Atoi(st.name)
	if err != nil || index > len(n.items) {
		// No holes: a null nobody wrote must not reach a server.
		return slot{}, &Error{Argument: t.name, Reason: fmt.Sprintf(
			"expected an index up to %d (the array has %d items), got %s", len(n.items), len(n.items), st.name)}
	}
	return slot{parent: n, index: index}, nil
}
