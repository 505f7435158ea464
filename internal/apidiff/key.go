package apidiff

import (
	"maps"
	"slices"
	"strconv"

	"mcpq/internal/schema"
)

// keyer writes texts that two schemas have in common only if they say the same.
// The same may be said in other ways that it does not see through.
type keyer struct {
	*side
	words  bool // what is for readers counts too
	within []*node
}

// key gives the text of a schema, or of what stands at a keyword.
func (s *side) key(keyword string, n *node, words bool) string {
	k := &keyer{side: s, words: words}
	if keyword == "" {
		return string(k.schema(nil, n))
	}
	return string(k.keyword(nil, keyword, n))
}

func (k *keyer) schema(dst []byte, n *node) []byte {
	if i := slices.Index(k.within, n); i >= 0 && n != nil { // as far out as it is
		return append(strconv.AppendInt(append(dst, '^'), int64(len(k.within)-i), 10), ';')
	}
	if len(k.within) > maxDepth {
		k.budget.left = -1
	}
	if !k.budget.spend(1) {
		return dst
	}
	k.within = append(k.within, n)
	defer func() { k.within = k.within[:len(k.within)-1] }()
	v := k.view(n)
	switch {
	case v.never:
		return append(dst, '!')
	case v.odd != nil:
		return k.data(append(dst, '?'), v.odd)
	}
	dst = append(dst, '{')
	if v.types != 0 {
		dst = append(strconv.AppendInt(append(dst, 't'), int64(v.types), 10), ';')
	}
	for _, key := range slices.Sorted(maps.Keys(v.keywords)) {
		if key == "type" && v.types != 0 || classOf(key).checksNothing() && !k.words {
			continue
		}
		dst = k.keyword(k.name(dst, key), key, v.keywords[key])
	}
	for _, p := range v.properties {
		dst = k.schema(k.name(append(dst, 'p'), p.key), p.value)
	}
	for _, name := range slices.Sorted(maps.Keys(v.required)) {
		dst = k.name(append(dst, 'r'), name)
	}
	return append(dst, '}')
}

func (k *keyer) keyword(dst []byte, keyword string, n *node) []byte {
	class := classOf(keyword)
	switch {
	case class == subschemas && n.is('['), keyword == "items" && n.is('['):
		parts := make([]string, len(n.items))
		for i, part := range n.items {
			parts[i] = string(k.schema(nil, part))
		}
		if keyword != "prefixItems" && keyword != "items" {
			slices.Sort(parts)
		}
		for _, part := range parts {
			dst = k.name(append(dst, ','), part)
		}
		return dst
	case class == schemaMap && n.is('{'):
		for _, m := range n.members {
			dst = k.name(dst, m.key)
			if m.value.is('[') { // of names, in dependencies
				dst = k.data(dst, m.value)
			} else {
				dst = k.schema(dst, m.value)
			}
		}
		return append(dst, '.')
	case class == subschema, class == application:
		return k.schema(dst, n)
	case keyword == "$ref", keyword == "$dynamicRef", keyword == "$recursiveRef":
		if target := k.resolve(n); target != nil {
			return k.schema(dst, target)
		}
	case keyword == "enum" && n.is('['):
		parts := make([]string, len(n.items))
		for i, part := range n.items {
			parts[i] = string(k.data(nil, part))
		}
		slices.Sort(parts)
		for _, part := range slices.Compact(parts) {
			dst = k.name(append(dst, ','), part)
		}
		return dst
	}
	return k.data(dst, n)
}

// name writes a text so that it cannot run into what follows.
func (k *keyer) name(dst []byte, s string) []byte {
	k.budget.text(len(s))
	dst = strconv.AppendInt(dst, int64(len(s)), 10)
	return append(append(dst, ':'), s...)
}

// data writes a value that is no schema.
func (k *keyer) data(dst []byte, n *node) []byte {
	if !k.budget.spend(1) {
		return dst
	}
	switch {
	case n.is('"'):
		return k.name(append(dst, '"'), n.text)
	case n.is('['):
		dst = append(dst, '[')
		for _, item := range n.items {
			dst = k.data(dst, item)
		}
		return append(dst, ']')
	case n.is('{'):
		dst = append(dst, '{')
		for _, m := range n.members {
			dst = k.data(k.name(dst, m.key), m.value)
		}
		return append(dst, '}')
	case n.isNumber():
		return k.name(append(dst, '#'), schema.NumberKey(string(n.raw)))
	}
	return append(dst, n.raw[0])
}
