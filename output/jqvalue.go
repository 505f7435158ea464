package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"

	"github.com/itchyny/gojq"
)

// maxFilterDepth is how deep a document may nest that a filter gets, because
// gojq recurses over it. encoding/json draws the line at the same depth.
const maxFilterDepth = 10_000

// origins remembers the bytes each object was decoded from, by the identity of
// the map. gojq never changes a map it was given, so an object that leaves the
// filter with the identity it came with is the server's own and is printed from
// these bytes, members in their order.
type origins map[uintptr]origin

type origin struct {
	raw json.RawMessage
	// object keeps the map alive: the value of a duplicate key is reachable from
	// nowhere else, and a new map must not take its address.
	object map[string]any
}

func (o origins) clone() origins {
	if len(o) == 0 {
		return origins{}
	}
	return maps.Clone(o)
}

func identity(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

// decode turns one document into the types of gojq; numbers stay text.
func decode(doc []byte, from origins) (any, error) {
	d := decoder{doc: compact(doc), from: from}
	d.Decoder = json.NewDecoder(bytes.NewReader(d.doc))
	d.UseNumber()
	v, err := d.value(0)
	if err != nil {
		return nil, badJSON(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("not one JSON document: there is more after its end")
	}
	return v, nil
}

func badJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not JSON: it ends too early")
	}
	return fmt.Errorf("not JSON: %w", err)
}

type decoder struct {
	*json.Decoder
	doc  []byte
	from origins
}

func (d *decoder) value(depth int) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth++; depth > maxFilterDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxFilterDepth)
	}
	if delim == '[' {
		return d.array(depth)
	}
	return d.object(depth)
}

func (d *decoder) array(depth int) (any, error) {
	items := []any{}
	for d.More() {
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	_, err := d.Token()
	return items, err
}

func (d *decoder) object(depth int) (any, error) {
	start := d.InputOffset() - 1
	members := map[string]any{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		members[key.(string)] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	d.from[identity(members)] = origin{raw: d.doc[start:d.InputOffset()], object: members}
	return members, nil
}

// encode appends the compact JSON of a value that a filter yielded.
func (o origins) encode(dst []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
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
			return append(dst, known.raw...)
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
