package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// param is one argument of a tool. The input schema is made from it and the
// argument is checked by it, so that the two cannot disagree.
type param struct {
	name     string
	kind     string // string, number or integer
	about    string
	required bool
	fallback string   // default as a JSON literal; empty for none
	min, max string   // bounds as JSON literals; empty for none
	header   string   // x-mcp-header name; empty for none
	choices  []string // enum of a string
}

// inputSchema writes the schema of a parameter list, members in their order.
func inputSchema(params []param) json.RawMessage {
	var b bytes.Buffer
	quote := func(s string) string { q, _ := encode(s); return string(q) } // a string always encodes
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s:{"type":%s,"description":%s`, quote(p.name), quote(p.kind), quote(p.about))
		for _, kv := range [][2]string{{"default", p.fallback}, {"minimum", p.min}, {"maximum", p.max}} {
			if kv[1] != "" {
				fmt.Fprintf(&b, `,%q:%s`, kv[0], kv[1])
			}
		}
		if p.choices != nil {
			list, _ := encode(p.choices)
			fmt.Fprintf(&b, `,"enum":%s`, list)
		}
		if p.header != "" {
			fmt.Fprintf(&b, `,"x-mcp-header":%s`, quote(p.header))
		}
		b.WriteByte('}')
		if p.required {
			required = append(required, p.name)
		}
	}
	b.WriteByte('}')
	if required != nil {
		list, _ := encode(required)
		fmt.Fprintf(&b, `,"required":%s`, list)
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

// arguments are checked arguments, defaults filled in.
type arguments map[string]json.RawMessage

// argumentError says which argument does not fit the input schema.
type argumentError struct{ name, problem string }

func (e *argumentError) Error() string { return fmt.Sprintf("argument %q: %s", e.name, e.problem) }

// checkArguments fits raw arguments to the parameter list.
func checkArguments(params []param, raw map[string]json.RawMessage) (arguments, error) {
	args := make(arguments, len(params))
	for _, p := range params {
		v, given := raw[p.name]
		switch {
		case given:
			if problem := p.check(v); problem != "" {
				return nil, &argumentError{p.name, problem}
			}
			args[p.name] = v
		case p.required:
			return nil, &argumentError{p.name, "is required"}
		case p.fallback != "":
			args[p.name] = json.RawMessage(p.fallback)
		}
	}
	if len(raw) > 0 {
		for name := range raw {
			if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
				return nil, &argumentError{name, "is unknown"}
			}
		}
	}
	return args, nil
}

// check returns what is wrong with a value, or "".
func (p param) check(v json.RawMessage) string {
	got := kindOf(v)
	if p.kind == "string" {
		if got != "string" {
			return "want a string, got " + got
		}
		if p.choices != nil && !slices.Contains(p.choices, unquote(v)) {
			return "want one of " + strings.Join(p.choices, ", ")
		}
		return ""
	}
	if got != "number" {
		return "want " + p.kind + ", got " + got
	}
	n, ok := exact(string(v))
	if !ok {
		return "the number is out of range"
	}
	if p.kind == "integer" && !n.IsInt() {
		return "want an integer"
	}
	if low, ok := exact(p.min); ok && n.Cmp(low) < 0 {
		return "must be at least " + p.min
	}
	if high, ok := exact(p.max); ok && n.Cmp(high) > 0 {
		return "must be at most " + p.max
	}
	return ""
}

// kindOf names the JSON type of a value.
func kindOf(v json.RawMessage) string {
	switch v[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func unquote(v json.RawMessage) string {
	var s string
	_ = json.Unmarshal(v, &s) // the caller has checked the kind
	return s
}

// text returns a string argument; empty when absent.
func (a arguments) text(name string) string {
	if v, ok := a[name]; ok {
		return unquote(v)
	}
	return ""
}

// number returns a numeric argument exactly; zero when absent.
func (a arguments) number(name string) *big.Rat {
	if n, ok := exact(string(a[name])); ok {
		return n
	}
	return new(big.Rat)
}

// integer returns an integer argument that the parameter's bounds keep small.
func (a arguments) integer(name string) int64 { return a.number(name).Num().Int64() }

// maxDigits bounds exact arithmetic: 1e999999999 is ten bytes to send and a
// gigabyte to hold.
const maxDigits = 5000

// exact reads a JSON number without rounding; false for what is no number or
// has too many digits.
func exact(literal string) (*big.Rat, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	if len(mantissa) > maxDigits {
		return nil, false
	}
	if exponent != "" {
		if e, err := strconv.Atoi(exponent); err != nil || e > maxDigits || e < -maxDigits {
			return nil, false
		}
	}
	return new(big.Rat).SetString(literal)
}

// decimal writes an exact decimal fraction as a JSON number.
func decimal(n *big.Rat) json.RawMessage {
	digits, _ := n.FloatPrec() // exact: sums of decimal literals have no other primes below the line
	return json.RawMessage(n.FloatString(digits))
}
