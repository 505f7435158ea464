package frontmatter

import (
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"mcpq/internal/rawjson"
)

// comparison walks over YAML and JSON together.
type comparison struct {
	anchors map[string]ast.Node
	budget  int
}

func differs(field, format string, args ...any) error {
	return &Error{Field: field, Reason: fmt.Sprintf(format, args...)}
}

func (c *comparison) value(field string, node ast.Node, claimed json.RawMessage) error {
	node, tag, err := c.resolve(field, node)
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
	text, plain, ok := scalar(node)
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

// resolve follows aliases and takes anchors and tags off a node.
func (c *comparison) resolve(field string, node ast.Node) (_ ast.Node, tag string, err error) {
	for {
		if c.budget--; c.budget < 0 {
			return nil, "", differs(field, "it repeats itself too often")
		}
		switch n := node.(type) {
		case *ast.AnchorNode:
			c.anchors[n.Name.String()] = n.Value
			node = n.Value
		case *ast.AliasNode:
			target := c.anchors[n.Value.String()]
			if target == nil {
				return nil, "", differs(field, "its alias %s leads nowhere", n.Value)
			}
			node = target
		case *ast.TagNode:
			tag, node = n.Start.Value, n.Value
		default:
			return node, tag, nil
		}
	}
}

func (c *comparison) mapping(field string, node ast.Node, claimed json.RawMessage) error {
	object, err := rawjson.ParseObject(claimed)
	if err != nil {
		return differs(field, "the entry is malformed: %v", err)
	}
	pairs, err := c.pairs(field, node)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, p := range pairs {
		at := join(field, p.key)
		value, ok := object.Get(p.key)
		if !ok {
			return differs(at, "the entry does not have it")
		}
		if err := c.value(at, p.value, value); err != nil {
			return err
		}
		seen[p.key] = true
	}
	for _, m := range object {
		if !seen[m.Key] {
			return differs(join(field, m.Key), "only the entry has it")
		}
	}
	if len(object) != len(seen) {
		return differs(field, "the entry has a field twice")
	}
	return nil
}

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}

type pair struct {
	key   string
	value ast.Node
}

// pairs are the fields of a mapping, those merged into it included.
func (c *comparison) pairs(field string, node ast.Node) ([]pair, error) {
	var values []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, differs(field, "what is merged into it is no mapping")
	}
	if c.budget -= len(values); c.budget < 0 {
		return nil, differs(field, "it repeats itself too often")
	}
	var own, merged []pair
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			more, err := c.merged(field, v.Value)
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
			continue
		}
		key, _, ok := scalar(v.Key)
		if !ok {
			return nil, differs(field, "a key of it is no scalar")
		}
		own = append(own, pair{key, v.Value})
	}
	has := make(map[string]bool)
	for _, p := range own {
		if has[p.key] {
			return nil, differs(join(field, p.key), "it is there twice")
		}
		has[p.key] = true
	}
	if c.budget -= len(merged); c.budget < 0 {
		return nil, differs(field, "it repeats itself too often")
	}
	for _, p := range merged {
		if !has[p.key] { // the first one counts
			has[p.key] = true
			own = append(own, p)
		}
	}
	return own, nil
}

// merged are the fields that a merge key brings: of a mapping, or of several.
func (c *comparison) merged(field string, node ast.Node) ([]pair, error) {
	node, _, err := c.resolve(field, node)
	if err != nil {
		return nil, err
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return c.pairs(field, node)
	}
	var all []pair
	for _, one := range list.Values {
		more, err := c.merged(field, one)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
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

// scalar gives the text of a scalar. A plain one, without quotes, may stand for
// something else than text.
func scalar(node ast.Node) (text string, plain, ok bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		quoted := n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType
		return n.Value, !quoted, true
	case *ast.LiteralNode:
		return n.Value.Value, false, true
	case *ast.NullNode:
		if n.Token.Type == token.ImplicitNullType {
			return "", true, true
		}
		return n.Token.Value, true, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return node.GetToken().Value, true, true
	case *ast.MappingKeyNode:
		return scalar(n.Value)
	}
	return "", false, false
}
