package rawjson

import (
	"encoding/json"
	"io"
)

// Elements splits an array into its elements. They are compact, and parts of
// raw where they were so there.
func Elements(raw []byte) ([]json.RawMessage, error) {
	d := NewBytes(raw)
	elements := []json.RawMessage{}
	err := d.Array(func(_ int, v *Value) error {
		element, _, err := v.Raw(0)
		elements = append(elements, element)
		return err
	})
	if err != nil {
		return nil, unexpected(err)
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return elements, nil
}

// Compact checks that raw is one JSON value and returns it without white space
// between tokens: part of raw, or all of it, if there is none.
func Compact(raw []byte) (json.RawMessage, error) {
	d := NewBytes(raw)
	value, _, err := d.Value().Raw(0)
	if err != nil {
		return nil, unexpected(err)
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return value, nil
}

// unexpected is for who was given the whole input: nothing at all is then not a
// clean end.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Array writes items as a JSON array.
func Array(items []json.RawMessage) json.RawMessage {
	size := len("[]")
	for _, item := range items {
		size += len(item) + len(",")
	}
	out := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}
