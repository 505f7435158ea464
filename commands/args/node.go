package args

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"mcpq/internal/rawjson"
)

type nodeKind int

const (
	rawNode nodeKind = iota // JSON as it was given, not looked into
	objectNode
	arrayNode
)

// node is a JSON value under construction. What no path steps into stays the
// bytes it was, so digits, escapes and order are those of the user.
type node struct {
	kind    nodeKind
	raw     json.RawMessage // rawNode
	members []member        // objectNode, in the order first set
	index   map[string]int  // name to position in members
	items   []*node         // arrayNode
}

// member keeps beside its value how its key was spelled.
type member struct {
	key   rawjson.Member
	value *node
}

// leaf holds valid JSON without white space around it.
func leaf(raw json.RawMessage) *node { return &node{raw: raw} }

// jsonKind names the JSON type of the value.
func (n *node) jsonKind() string {
	switch n.kind {
	case objectNode:
		return "object"
	case arrayNode:
		return "array"
	}
	return kindOf(n.raw)
}

// kindOf names the type of valid JSON.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func (n *node) find(name string) (int, bool) {
	i, ok := n.index[name]
	return i, ok
}

// set gives a member its value, in the place it already has or at the end.
func (n *node) set(name string, value *node) {
	n.setMember(rawjson.Member{Key: name}, value)
}

func (n *node) setMember(key rawjson.Member, value *node) {
	if i, ok := n.find(key.Key); ok {
		n.members[i].value = value
		return
	}
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[key.Key] = len(n.members)
	n.members = append(n.members, member{key, value})
}

// open turns a raw object or array into one that can be changed, its values
// still raw. Other values stay as they are.
func (n *node) open() error {
	if n.kind != rawNode {
		return nil
	}
	switch n.jsonKind() {
	case "object":
		object, err := rawjson.ParseObject(n.raw)
		if err != nil {
			return err
		}
		n.kind = objectNode
		for _, m := range object {
			n.setMember(m, leaf(m.Value))
		}
	case "array":
		items, err := rawjson.Elements(n.raw)
		if err != nil {
			return err
		}
		n.kind = arrayNode
		for _, item := range items {
			n.items = append(n.items, leaf(item))
		}
	}
	return nil
}

// encode gives the value as compact JSON.
func (n *node) encode() (json.RawMessage, error) {
	raw := n.bytes()
	if !json.Valid(raw) { // only nesting beyond what a JSON reader takes
		return nil, &Error{Reason: "the arguments nest too deeply"}
	}
	return raw, nil
}

func (n *node) bytes() json.RawMessage {
	switch n.kind {
	case objectNode:
		object := make(rawjson.Object, len(n.members))
		for i, m := range n.members {
			object[i] = m.key
			object[i].Value = m.value.bytes()
		}
		return object.Raw()
	case arrayNode:
		raw := []byte{'['}
		for i, item := range n.items {
			if i > 0 {
				raw = append(raw, ',')
			}
			raw = append(raw, item.bytes()...)
		}
		return append(raw, ']')
	}
	return n.raw
}

// parseJSON checks that raw is one JSON value and gives it without white space.
func parseJSON(argument string, raw []byte) (json.RawMessage, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // editors on Windows leave one in files
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, &Error{Argument: argument, Reason: "expected JSON, got nothing"}
	}
	if !utf8.Valid(raw) {
		return nil, &Error{Argument: argument, Reason: "expected JSON, got bytes that are not UTF-8"}
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, &Error{Argument: argument, Reason: "expected JSON, got " + show(string(raw)), Err: err}
	}
	return b.Bytes(), nil
}
