// Package yamltree reads YAML: it walks over the parser's tree with aliases,
// tags and merge keys seen to, in bounded time, and makes JSON of it.
package yamltree

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Error is YAML that cannot be read or walked over.
type Error struct {
	Path   string // such as steps[0].name; empty for all of it
	Line   int    // from 1; 0 if it is not known
	Reason string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// maxSteps bounds the values that are looked at: aliases make few bytes into
// many values.
const maxSteps = 100_000

// Document is one document. It is for one goroutine at a time.
type Document struct {
	Root ast.Node

	anchors map[string]ast.Node
	budget  int
}

// Parse reads a text that is exactly one document. What it takes grows with the
// square of how deep brackets nest, so texts of strangers should be short.
func Parse(text []byte) (doc *Document, err error) {
	defer func() { // of the parser, which is not ours
		if p := recover(); p != nil {
			doc, err = nil, &Error{Reason: "it cannot be read"}
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, &Error{Reason: "it is not YAML: " + firstLine(err)}
	}
	doc = &Document{anchors: make(map[string]ast.Node), budget: maxSteps}
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if doc.Root != nil {
			return nil, &Error{Reason: "it is more than one document"}
		}
		doc.Root = d.Body
	}
	if doc.Root == nil {
		return nil, &Error{Reason: "there is nothing in it"}
	}
	return doc, nil
}

// firstLine is what a parser says before it draws the place.
func firstLine(err error) string {
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return string(line)
}

// Line is where a node begins, from 1.
func Line(node ast.Node) int {
	if t := node.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func (d *Document) spend(path string, n int) error {
	if d.budget -= n; d.budget < 0 {
		return &Error{Path: path, Reason: "it repeats itself too often"}
	}
	return nil
}

// Resolve follows aliases and takes anchors and tags off a node.
func (d *Document) Resolve(path string, node ast.Node) (_ ast.Node, tag string, err error) {
	for {
		if err := d.spend(path, 1); err != nil {
			return nil, "", err
		}
		switch n := node.(type) {
		case *ast.AnchorNode:
			d.anchors[n.Name.String()] = n.Value
			node = n.Value
		case *ast.AliasNode:
			target := d.anchors[n.Value.String()]
			if target == nil {
				return nil, "", &Error{Path: path, Line: Line(n), Reason: fmt.Sprintf("its alias %s leads nowhere", n.Value)}
			}
			node = target
		case *ast.TagNode:
			tag, node = n.Start.Value, n.Value
		default:
			return node, tag, nil
		}
	}
}

// Pair is one field of a mapping.
type Pair struct {
	Key   string
	Value ast.Node
}

// Pairs are the fields of a mapping, those merged into it included.
func (d *Document) Pairs(path string, node ast.Node) ([]Pair, error) {
	var values []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, &Error{Path: path, Line: Line(node), Reason: "what is merged into it is no mapping"}
	}
	if err := d.spend(path, len(values)); err != nil {
		return nil, err
	}
	var own, merged []Pair
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			more, err := d.merged(path, v.Value)
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
			continue
		}
		key, _, ok := Scalar(v.Key)
		if !ok {
			return nil, &Error{Path: path, Line: Line(v), Reason: "a key of it is no scalar"}
		}
		own = append(own, Pair{key, v.Value})
	}
	has := make(map[string]bool)
	for _, p := range own {
		if has[p.Key] {
			return nil, &Error{Path: Join(path, p.Key), Line: Line(p.Value), Reason: "it is there twice"}
		}
		has[p.Key] = true
	}
	if err := d.spend(path, len(merged)); err != nil {
		return nil, err
	}
	for _, p := range merged {
		if !has[p.Key] { // the first one counts
			has[p.Key] = true
			own = append(own, p)
		}
	}
	return own, nil
}

// merged are the fields that a merge key brings: of a mapping, or of several.
func (d *Document) merged(path string, node ast.Node) ([]Pair, error) {
	node, _, err := d.Resolve(path, node)
	if err != nil {
		return nil, err
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return d.Pairs(path, node)
	}
	var all []Pair
	for _, one := range list.Values {
		more, err := d.merged(path, one)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// Join is the path of a field of what is at path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Scalar gives the text of a scalar. A plain one, without quotes, may stand for
// something else than text.
func Scalar(node ast.Node) (text string, plain, ok bool) {
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
		return Scalar(n.Value)
	}
	return "", false, false
}
