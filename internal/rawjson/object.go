package rawjson

import (
	"encoding/json"
	"slices"
)

// Member is one member of an [Object]. A parsed one remembers how its key was
// spelled and is written with that spelling.
type Member struct {
	Key   string
	Value json.RawMessage

	rawKey []byte // nil if not parsed
}

// Object is a JSON object in memory: its members in their order, repeated ones
// included.
type Object []Member

// ParseObject splits an object into its members. The values are compact; they
// are parts of raw where they were so there.
func ParseObject(raw []byte) (Object, error) {
	d := NewBytes(raw)
	o := Object{}
	if err := d.open('{'); err != nil {
		return nil, unexpected(err)
	}
	d.level++
	for {
		rawKey, err := d.nextKey()
		if err != nil {
			return nil, err
		}
		if rawKey == nil {
			break
		}
		value, _, err := d.value().Raw(0)
		if err != nil {
			return nil, err
		}
		key, _ := Unquote(rawKey)
		o = append(o, Member{Key: key, Value: value, rawKey: rawKey})
	}
	d.level--
	if err := d.End(); err != nil {
		return nil, err
	}
	return o, nil
}

// Get returns the value of the last member named key.
func (o Object) Get(key string) (json.RawMessage, bool) {
	for _, m := range slices.Backward(o) {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// Set returns o with v, which must be JSON, as the value of key: in the place of
// the last member of that name, the one that Get sees, else at the end. Like
// append it may change o.
func (o Object) Set(key string, v json.RawMessage) Object {
	for i := range slices.Backward(o) {
		if o[i].Key == key {
			o[i].Value = v
			return o
		}
	}
	return append(o, Member{Key: key, Value: v})
}

// Delete returns o without the members named key. It may change o.
func (o Object) Delete(key string) Object {
	return slices.DeleteFunc(o, func(m Member) bool { return m.Key == key })
}

// Append appends the object as compact JSON to dst, given that the values are
// compact. A nil value is written as null.
func (o Object) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		if m.rawKey != nil {
			dst = append(dst, m.rawKey...)
		} else {
			dst = appendQuoted(dst, m.Key)
		}
		dst = append(dst, ':')
		if len(m.Value) == 0 {
			dst = append(dst, "null"...)
		} else {
			dst = append(dst, m.Value...)
		}
	}
	return append(dst, '}')
}

// Raw returns the object as JSON; see [Object.Append].
func (o Object) Raw() json.RawMessage {
	size := 2
	for _, m := range o {
		size += len(m.Key) + len(m.Value) + len(`"":,`)
	}
	return o.Append(make([]byte, 0, size))
}
