package yamltree

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"mcpq/internal/rawjson"
)

// JSON makes JSON of a node and what is below it, by the core schema of YAML
// 1.2: yes and no are texts there. Numbers keep their spelling where JSON allows
// it. The path is for errors.
func (d *Document) JSON(path string, node ast.Node) (json.RawMessage, error) {
	return d.json(path, node, 0)
}

// maxDepth bounds what aliases that lead back to themselves make.
const maxDepth = 200

func (d *Document) json(path string, node ast.Node, depth int) (json.RawMessage, error) {
	if depth > maxDepth {
		return nil, &Error{Line: Line(node), Reason: "it nests too deep"}
	}
	node, tag, err := d.Resolve(path, node)
	if err != nil {
		return nil, err
	}
	switch n := node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		pairs, err := d.Pairs(path, node)
		if err != nil {
			return nil, err
		}
		object := rawjson.Object{}
		for _, p := range pairs {
			value, err := d.json(Join(path, p.Key), p.Value, depth+1)
			if err != nil {
				return nil, err
			}
			object = append(object, rawjson.Member{Key: p.Key, Value: value})
		}
		return object.Raw(), nil
	case *ast.SequenceNode:
		items := make([]json.RawMessage, len(n.Values))
		for i, one := range n.Values {
			if items[i], err = d.json(fmt.Sprintf("%s[%d]", path, i), one, depth+1); err != nil {
				return nil, err
			}
		}
		return rawjson.Array(items), nil
	}
	text, plain, ok := Scalar(node)
	switch {
	case !ok:
		return nil, &Error{Path: path, Line: Line(node), Reason: "it is of a kind that JSON does not have"}
	case tag == "!!str", tag == "" && !plain:
		return rawjson.Quote(text), nil
	case tag != "":
		return nil, &Error{Path: path, Line: Line(node), Reason: fmt.Sprintf("its tag %s is not known here", tag)}
	}
	value, ok := plainValue(text)
	if !ok {
		return nil, &Error{Path: path, Line: Line(node), Reason: fmt.Sprintf("JSON has no number %s", text)}
	}
	return value, nil
}

// plainValue is what a scalar without quotes stands for in the core schema; false
// for the numbers that JSON does not have.
func plainValue(text string) (json.RawMessage, bool) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return json.RawMessage("null"), true
	case "true", "True", "TRUE":
		return json.RawMessage("true"), true
	case "false", "False", "FALSE":
		return json.RawMessage("false"), true
	}
	switch strings.TrimLeft(strings.ToLower(text), "+-") {
	case ".inf", ".nan":
		return nil, false
	}
	for prefix, base := range map[string]int{"0x": 16, "0o": 8} {
		digits, ok := strings.CutPrefix(text, prefix)
		if !ok || strings.ContainsAny(digits, "+-_") {
			continue
		}
		if n, ok := new(big.Int).SetString(digits, base); ok {
			return json.RawMessage(n.String()), true
		}
	}
	if n, ok := number(text); ok {
		return n, true
	}
	return rawjson.Quote(text), true
}

// number spells a decimal number of YAML as JSON does: no plus sign, no zeros in
// front, and digits on both sides of the point.
func number(text string) (json.RawMessage, bool) {
	sign, rest := "", text
	switch {
	case strings.HasPrefix(rest, "-"):
		sign, rest = "-", rest[1:]
	case strings.HasPrefix(rest, "+"):
		rest = rest[1:]
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	spelled := sign + whole
	if point && fraction != "" {
		spelled += "." + fraction
	}
	spelled += exponent
	if !json.Valid([]byte(spelled)) { // an exponent without digits
		return nil, false
	}
	return json.RawMessage(spelled), true
}
