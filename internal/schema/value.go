package schema

import (
	"slices"
	"strconv"
	"strings"
)

type kind uint8

const (
	nullKind kind = iota
	booleanKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

func (k kind) String() string {
	switch k {
	case nullKind:
		return "null"
	case booleanKind:
		return "boolean"
	case numberKind:
		return "number"
	case stringKind:
		return "string"
	case arrayKind:
		return "array"
	}
	return "object"
}

// value is a JSON value. It does not change once it was read, and its address
// names its place in the document.
type value struct {
	kind kind
	text string // of a string, decoded; of a number, boolean or null, as spelled
	kids *kids  // of an array or object
}

// kids is what an array or object holds. Of members with the same name the
// last one counts.
type kids struct {
	items []value
	names []string       // of an object, as many as items
	index map[string]int // of an object with many members
}

// fewNames is how many names are found faster one by one than in a map.
const fewNames = 8

func (k *kids) find(name string) int {
	if k.index != nil {
		if i, ok := k.index[name]; ok {
			return i
		}
		return -1
	}
	return slices.Index(k.names, name)
}

func (k *kids) set(name string, v value) {
	if i := k.find(name); i >= 0 {
		k.items[i] = v
		return
	}
	k.names, k.items = append(k.names, name), append(k.items, v)
	switch n := len(k.names); {
	case k.index != nil:
		k.index[name] = n - 1
	case n > fewNames:
		k.index = make(map[string]int, 2*n)
		for i, name := range k.names {
			k.index[name] = i
		}
	}
}

// get gives the member of an object, or nil.
func (v *value) get(name string) *value {
	if v.kind != objectKind {
		return nil
	}
	if i := v.kids.find(name); i >= 0 {
		return &v.kids.items[i]
	}
	return nil
}

// items gives what an array or object holds.
func (v *value) items() []value {
	if v.kids == nil {
		return nil
	}
	return v.kids.items
}

// find looks for a member, which takes longer the longer the name is.
func (b *budget) find(k *kids, name string) int {
	b.spend(1 + len(name)/textPerStep)
	return k.find(name)
}

// equal compares as JSON Schema does: 1 and 1.0 are one number, the order of
// members means nothing.
func (b *budget) equal(x, y *value) bool {
	if x.kind != y.kind || !b.spend(1+min(len(x.text), len(y.text))/textPerStep) {
		return false
	}
	switch x.kind {
	case arrayKind, objectKind:
		if len(x.kids.items) != len(y.kids.items) {
			return false
		}
		for i := range x.kids.items {
			j := i
			if x.kind == objectKind {
				if j = b.find(y.kids, x.kids.names[i]); j < 0 {
					return false
				}
			}
			if !b.equal(&x.kids.items[i], &y.kids.items[j]) {
				return false
			}
		}
		return true
	case numberKind:
		if x.text == y.text {
			return true
		}
		return b.spend((len(x.text)+len(y.text))/8) && readDecimal(x.text) == readDecimal(y.text)
	}
	return x.text == y.text
}

// key appends a text that two values have in common only if they are equal.
func (b *budget) key(to []byte, v *value) []byte {
	b.spend(1 + len(v.text)/textPerStep)
	to = append(to, '0'+byte(v.kind))
	switch v.kind {
	case arrayKind:
		for i := range v.kids.items {
			to = b.key(to, &v.kids.items[i])
		}
		return append(to, ']')
	case objectKind:
		order := make([]int, len(v.kids.names))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return strings.Compare(v.kids.names[i], v.kids.names[j]) })
		for _, i := range order {
			to = b.key(to, &value{kind: stringKind, text: v.kids.names[i]})
			to = b.key(to, &v.kids.items[i])
		}
		return append(to, '}')
	case numberKind:
		return readDecimal(v.text).key(to)
	}
	to = strconv.AppendInt(to, int64(len(v.text)), 10)
	to = append(to, ':')
	return append(to, v.text...)
}

// duplicates finds two items of an array that are equal.
func (b *budget) duplicates(items []value) (i, j int, found bool) {
	seen := make(map[string]int, len(items))
	var key []byte
	for j := range items {
		if key = b.key(key[:0], &items[j]); b.err != nil {
			return 0, 0, false
		}
		if i, ok := seen[string(key)]; ok {
			return i, j, true
		}
		seen[string(key)] = j
	}
	return 0, 0, false
}
