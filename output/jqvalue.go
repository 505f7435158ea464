package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// origins remembers the bytes each object and array was decoded from, by the
// identity of the map or slice. gojq never changes one that it was given, so
// what leaves the filter with the identity it came with is the server's own and
// is printed from these bytes, members in their order and escapes as they were.
type origins map[place]origin

// place is where a map or slice lies in memory. Only slices have a length: a
// part of an array begins where the whole does.
type place struct {
	address uintptr
	length  int
}

type origin struct {
	raw json.RawMessage
	// value keeps the map or slice alive: that of a duplicate key is reachable
	// from nowhere else, and a new one must not take its address.
	value any
}

func (o origins) clone() origins {
	if len(o) == 0 {
		return origins{}
	}
	return maps.Clone(o)
}

func identity(m map[string]any) place { return place{address: reflect.ValueOf(m).Pointer()} }

func identityOf(a []any) place {
	return place{address: reflect.ValueOf(a).Pointer(), length: len(a)}
}

// decode turns one document into the types of gojq; numbers stay text.
func decode(doc []byte, from origins) (any, error) {
	if !json.Valid(doc) { // also false for what nests too deep to recurse over
		return nil, invalid(doc)
	}
	d := decoder{doc: doc, from: from, keys: map[string]string{}}
	return d.value(), nil
}

func invalid(doc []byte) error {
	var raw json.RawMessage
	return fmt.Errorf("not JSON: %w", json.Unmarshal(doc, &raw))
}

// decoder reads a document that is known to be valid. encoding/json would
// neither say where an object begins and ends nor keep up with large results.
type decoder struct {
	doc  []byte
	at   int
	from origins
	keys map[string]string // one copy of each key, however many objects have it
}

func (d *decoder) value() any {
	d.space()
	switch c := d.doc[d.at]; c {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		return unquote(d.token())
	case 't', 'f':
		d.token()
		return c == 't'
	case 'n':
		d.token()
		return nil
	default:
		return json.Number(d.token())
	}
}

func (d *decoder) object() any {
	start := d.at
	members := map[string]any{}
	for d.more('}') {
		raw := d.token()
		key, ok := d.keys[string(raw)]
		if !ok {
			key = unquote(raw)
			d.keys[string(raw)] = key
		}
		d.space()
		d.at++ // the colon
		members[key] = d.value()
	}
	d.from[identity(members)] = origin{raw: d.doc[start:d.at], value: members}
	return members
}

func (d *decoder) array() any {
	start := d.at
	items := []any{}
	for d.more(']') {
		items = append(items, d.value())
	}
	if len(items) > 0 { // the empty ones may all lie in the same place
		d.from[identityOf(items)] = origin{raw: d.doc[start:d.at], value: items}
	}
	return items
}

// more steps over the bracket or comma at hand, or the closing bracket that
// follows, and tells whether a member or item follows instead.
func (d *decoder) more(closing byte) bool {
	d.space()
	if d.doc[d.at] != closing {
		d.at++
		d.space()
		if d.doc[d.at] != closing {
			return true
		}
	}
	d.at++
	return false
}

func (d *decoder) space() {
	for d.doc[d.at] <= ' ' {
		d.at++
	}
}

// token returns the string, number or literal at hand.
func (d *decoder) token() []byte {
	start := d.at
	if d.doc[d.at] != '"' {
		for d.at < len(d.doc) && !endsToken(d.doc[d.at]) {
			d.at++
		}
		return d.doc[start:d.at]
	}
	for d.at++; d.doc[d.at] != '"'; d.at++ {
		if d.doc[d.at] == '\\' {
			d.at++
		}
	}
	d.at++
	return d.doc[start:d.at]
}

func endsToken(c byte) bool { return c <= ' ' || c == ',' || c == ']' || c == '}' }

// unquote is the text of a string token.
func unquote(token []byte) string {
	inside := token[1 : len(token)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside)
	}
	var s string
	_ = json.Unmarshal(token, &s) // valid, as the document it is from
	return s
}

// encode appends the compact JSON of a value that a filter yielded.
func (o origins) encode(dst []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
		if known, ok := o[identityOf(v)]; ok && len(v) > 0 {
			return append(dst, compact(known.raw)...)
		}
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = o.encode(dst, item)
		}
		return append(dst, ']')
	case map[string]any:
		if known, ok := o[identity(v)]; ok {
			return append(dst, compact(known.raw)...)
		}
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = o.encode(dst, key)
			dst = append(dst, ':')
			dst = o.encode(dst, v[key])
		}
		return append(dst, '}')
	default:
		b, _ := gojq.Marshal(v) // it has no way to fail
		return append(dst, b...)
	}
}
