package output

import (
	"encoding/json"

	"mcpq/internal/rawjson"
)

// shape is what a document shows itself to be by its members.
type shape int

const (
	shapeOther shape = iota
	shapeList
	shapeToolResult
	shapeResource
	shapePrompt
	shapeBlock
	shapeCompletion
)

// shapeOf recognizes a result of the protocol. items are those of its list, its
// blocks of content, its messages or its values.
func shapeOf(doc []byte) (kind shape, object rawjson.Object, items []json.RawMessage) {
	if len(doc) == 0 || doc[0] != '{' {
		return shapeOther, nil, nil
	}
	object, err := rawjson.ParseObject(doc)
	if err != nil {
		return shapeOther, nil, nil
	}
	if _, ok := object.Get("capabilities"); ok { // a server with several lists
		return shapeOther, object, nil
	}
	for _, known := range []struct {
		key  string
		kind shape
	}{
		{"content", shapeToolResult}, {"contents", shapeResource}, {"messages", shapePrompt},
		{"tools", shapeList}, {"resources", shapeList}, {"resourceTemplates", shapeList}, {"prompts", shapeList},
		{"tasks", shapeList}, {"skills", shapeList}, {"servers", shapeList}, {"roots", shapeList}, {"changes", shapeList},
	} {
		raw, ok := object.Get(known.key)
		if !ok || raw[0] != '[' {
			continue
		}
		if items, err := rawjson.Elements(raw); err == nil {
			return known.kind, object, items
		}
	}
	if raw, ok := object.Get("completion"); ok {
		if items, err := rawjson.Elements(member(raw, "values")); err == nil {
			return shapeCompletion, object, items
		}
	}
	if isBlock(object) {
		return shapeBlock, object, nil
	}
	return shapeOther, object, nil
}

// isBlock tells whether an object is a block of content.
func isBlock(object rawjson.Object) bool {
	has := func(key string) bool { _, ok := object.Get(key); return ok }
	switch textOf(object, "type") {
	case "text":
		return has("text")
	case "image", "audio":
		return has("data")
	case "resource":
		return has("resource")
	case "resource_link":
		return has("uri")
	}
	return false
}

// linesOf are the documents that NDJSON makes of one: the items of a list or of
// an array, the blocks of a result, else the document itself.
func linesOf(doc []byte) []json.RawMessage {
	if len(doc) > 0 && doc[0] == '[' {
		if items, err := rawjson.Elements(doc); err == nil {
			return items
		}
	}
	switch kind, _, items := shapeOf(doc); kind {
	case shapeList, shapeToolResult, shapeResource, shapePrompt, shapeCompletion:
		return items
	}
	return []json.RawMessage{doc}
}

// member is a member of an object, nil if there is none.
func member(raw json.RawMessage, key string) json.RawMessage {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil
	}
	value, _ := object.Get(key)
	return value
}

// textOf is a member that is a string.
func textOf(object rawjson.Object, key string) string {
	raw, _ := object.Get(key)
	s, _ := rawjson.Unquote(raw)
	return s
}
