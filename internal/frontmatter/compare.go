package frontmatter

import (
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"mcpq/internal/rawjson"
	"mcpq/internal/yamltree"
)

// comparison walks over YAML and JSON together.
type comparison struct{ doc *yamltree.Document }

func differs(field, format string, args ...any) error {
	return &Error{Field: field, Reason: fmt.Sprintf(format, args...)}
}

func (c *comparison) value(field string, node ast.Node, claimed json.RawMessage) error {
	node, tag, err := c.doc.Resolve(field, node)
	if err != nil {
		return err
	}
	if len(claimed) == 0 {
		return differs(field, "nothing is claimed of it")
	}
	switch n := node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		if tag != "" || claimed[0] != '{' {
			return differs(field, "it is a mapping, the entry has %.60s", claimed)
		}
		return c.mapping(field, node, claimed)
	case *ast.SequenceNode:
		if tag != "" || claimed[0] != '[' {
			return differs(field, "it is a sequence, the entry has %.60s", claimed)
		}
		return c.sequence(field, n, claimed)
	}
	text, plain, ok := yamltree.Scalar(node)
	switch {
	case !ok:
		return differs(field, "it is of a kind that cannot be compared")
	case tag == "!!str", tag == "" && !plain:
		if s, ok := rawjson.Unquote(claimed); ok && s == text {
			return nil
		}
	case tag != "":
		return differs(field, "its tag %s cannot be compared", tag)
	case matches(text, claimed):
		return nil
	}
	return differs(field, "it is %.60q, the entry has %.60s", text, claimed)
}

func (c *comparison) mapping(field string, node ast.Node, claimed json.RawMessage) error {
	object, err := rawjson.ParseObject(claimed)
	if err != nil {
		return differs(field, "the entry is malformed: %v", err)
	}
	pairs, err := c.doc.Pairs(field, node)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, p := range pairs {
		at := yamltree.Join(field, p.Key)
		value, ok := object.Get(p.Key)
		if !ok {
			return differs(at, "the entry does not have it")
		}
		if err := c.value(at, p.Value, value); err != nil {
			return err
		}
		seen[p.Key] = true
	}
	for _, m := range object {
		if !seen[m.Key] {
			return differs(yamltree.Join(field, m.Key), "only the entry has it")
		}
	}
	if len(object) != len(seen) {
		return differs(field, "the entry has a field twice")
	}
	return nil
}

func (c *comparison) sequence(field string, node *ast.SequenceNode, claimed json.RawMessage) error {
	elements, err := rawjson.Elements(claimed)
	if err != nil {
		return differs(field, "the entry is malformed: %v", err)
	}
	if len(elements) != len(node.Values) {
		return differs(field, "it has %d elements, the entry %d", len(node.Values), len(elements))
	}
	for i, one := range node.Values {
		if err := c.value(fmt.Sprintf("%s[%d]", field, i), one, elements[i]); err != nil {
			return err
		}
	}
	return nil
}
