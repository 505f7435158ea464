package apidiff

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/internal/schema"
)

// node is a JSON value that remembers its bytes. Its address names its place in
// the document.
type node struct {
	raw     json.RawMessage // compact
	text    string          // of a string, decoded
	members []member        // of an object, by key
	items   []*node         // of an array
}

type member struct {
	key    string
	rawKey []byte // as it was spelled
	value  *node
}

// parse reads one JSON value.
func parse(raw []byte) (*node, error) {
	doc, err := rawjson.Compact(raw)
	if err != nil {
		return nil, err
	}
	p := &parser{doc: doc}
	return p.value(), nil
}

// parser makes the tree of a document that is known to be sound and compact, and
// no deeper than [rawjson.MaxDepth].
type parser struct {
	doc []byte
	pos int
}

func (p *parser) value() *node {
	n, start := new(node), p.pos
	switch p.doc[p.pos] {
	case '{':
		p.each('}', func() {
			rawKey := p.string()
			p.pos += len(":")
			key, _ := rawjson.Unquote(rawKey)
			n.members = append(n.members, member{key, rawKey, p.value()})
		})
		n.members = byKey(n.members)
	case '[':
		p.each(']', func() { n.items = append(n.items, p.value()) })
	case '"':
		n.text, _ = rawjson.Unquote(p.string())
	default:
		for p.pos < len(p.doc) && !strings.ContainsRune(",]}", rune(p.doc[p.pos])) {
			p.pos++
		}
	}
	n.raw = p.doc[start:p.pos:p.pos]
	return n
}

// each reads what stands between brackets.
func (p *parser) each(end byte, read func()) {
	p.pos++
	for p.doc[p.pos] != end {
		if p.doc[p.pos] == ',' {
			p.pos++
		}
		read()
	}
	p.pos++
}

func (p *parser) string() []byte {
	start := p.pos
	for p.pos++; p.doc[p.pos] != '"'; p.pos++ {
		if p.doc[p.pos] == '\\' {
			p.pos++
		}
	}
	p.pos++
	return p.doc[start:p.pos]
}

// byKey sorts members. Of those with the same key the last one counts.
func byKey(members []member) []member {
	sort.SliceStable(members, func(i, j int) bool { return members[i].key < members[j].key })
	kept := members[:0]
	for i, m := range members {
		if i+1 == len(members) || members[i+1].key != m.key {
			kept = append(kept, m)
		}
	}
	return kept
}

// is tells whether the value begins with a byte: { [ " t f n. There is none of
// what is nil.
func (n *node) is(kind byte) bool { return n != nil && n.raw[0] == kind }

// isNumber tells whether the value is one.
func (n *node) isNumber() bool {
	return n != nil && (n.raw[0] == '-' || '0' <= n.raw[0] && n.raw[0] <= '9')
}

// get gives a member of an object, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	return find(n.members, key)
}

// find gives the one of sorted members with a key, or nil.
func find(members []member, key string) *node {
	i, ok := slices.BinarySearchFunc(members, key, func(m member, key string) int { return strings.Compare(m.key, key) })
	if !ok {
		return nil
	}
	return members[i].value
}

// drop leaves members out, if there are such.
func (n *node) drop(keys ...string) {
	if n == nil {
		return
	}
	before := len(n.members)
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return slices.Contains(keys, m.key) })
	if len(n.members) < before {
		n.raw = n.canonical(nil)
	}
}

// canonical appends the value with the members of all objects sorted. Strings and
// numbers stay as they were spelled.
func (n *node) canonical(dst []byte) []byte {
	switch n.raw[0] {
	case '{':
		dst = append(dst, '{')
		for i, m := range n.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(dst, m.rawKey...), ':')
			dst = m.value.canonical(dst)
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.canonical(dst)
		}
		return append(dst, ']')
	}
	return append(dst, n.raw...)
}

// equal compares values as JSON Schema does: 1 and 1.0 are one number, and escapes
// are what they stand for. What is not there is equal to itself alone.
func equal(a, b *node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.isNumber() && b.isNumber():
		return schema.NumberKey(string(a.raw)) == schema.NumberKey(string(b.raw))
	case a.raw[0] != b.raw[0]:
		return false
	case a.is('"'):
		return a.text == b.text
	}
	return len(a.items) == len(b.items) && len(a.members) == len(b.members) &&
		slices.EqualFunc(a.items, b.items, equal) &&
		slices.EqualFunc(a.members, b.members, func(x, y member) bool { return x.key == y.key && equal(x.value, y.value) })
}

// rawOf gives the bytes of a value, nil if there is none.
func rawOf(n *node) json.RawMessage {
	if n == nil {
		return nil
	}
	return n.raw
}
