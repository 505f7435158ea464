// Package uritemplate expands URI templates (RFC 6570) with values that are
// texts in any writing. There are no lists and maps: an argument of MCP is a
// text.
package uritemplate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Template is a parsed template.
type Template struct {
	raw   string
	parts []part
}

// part is a literal text, or an expression.
type part struct {
	literal string
	op      *operator // nil: it is a literal
	vars    []variable
}

type variable struct {
	name   string
	prefix int // how many characters of the value; 0 is all
}

// operator is what the character behind "{" means: the table in appendix A.
type operator struct {
	first, sep string
	named      bool
	ifEmpty    string // behind the name
	reserved   bool   // reserved characters and %XX stay as they are
}

func operatorOf(c byte) (op operator, found bool) {
	switch c {
	case '+':
		return operator{sep: ",", reserved: true}, true
	case '#':
		return operator{first: "#", sep: ",", reserved: true}, true
	case '.':
		return operator{first: ".", sep: "."}, true
	case '/':
		return operator{first: "/", sep: "/"}, true
	case ';':
		return operator{first: ";", sep: ";", named: true}, true
	case '?':
		return operator{first: "?", sep: "&", named: true, ifEmpty: "="}, true
	case '&':
		return operator{first: "&", sep: "&", named: true, ifEmpty: "="}, true
	}
	return operator{sep: ","}, false
}

// Error is a text that is no template.
type Error struct {
	Expression string // the part that is wrong
	Reason     string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Expression, e.Reason) }

// Parse reads a template. The error is an [*Error].
func Parse(text string) (*Template, error) {
	t := &Template{raw: text}
	for rest := text; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, &Error{rest, "a } without its {"}
		}
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
		}
		if !found {
			break
		}
		expression, after, closed := strings.Cut(after, "}")
		if !closed {
			return nil, &Error{"{" + expression, "it is not closed"}
		}
		p, err := parseExpression(expression)
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, *p)
		rest = after
	}
	return t, nil
}

func parseExpression(text string) (*part, error) {
	wrong := func(reason string) error { return &Error{"{" + text + "}", reason} }
	if text == "" {
		return nil, wrong("it names no variable")
	}
	if strings.IndexByte("=,!@|", text[0]) >= 0 {
		return nil, wrong("its operator is reserved")
	}
	op, found := operatorOf(text[0])
	p := &part{op: &op}
	names := text
	if found {
		names = text[1:]
	}
	for spec := range strings.SplitSeq(names, ",") {
		name, length, cut := strings.Cut(strings.TrimSuffix(spec, "*"), ":")
		v := variable{name: name}
		if cut {
			n, err := strconv.ParseUint(length, 10, 16)
			if err != nil || n < 1 || n > 9999 || strings.HasSuffix(spec, "*") {
				return nil, wrong("a prefix is a number from 1 to 9999")
			}
			v.prefix = int(n)
		}
		if !isName(name) {
			return nil, wrong(fmt.Sprintf("%q is no name of a variable", name))
		}
		p.vars = append(p.vars, v)
	}
	return p, nil
}

// isName tells whether a variable can have the name: letters and digits of
// ASCII, _ and %XX, with dots between.
func isName(name string) bool {
	if name == "" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.Contains(name, "..") {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_', c == '.', isAlphanumeric(c):
		case isTriplet(name[i:]):
			i += 2
		default:
			return false
		}
	}
	return true
}

// String gives the text of the template.
func (t *Template) String() string { return t.raw }

// Names are the variables, each once, in the order of the template.
func (t *Template) Names() []string {
	var names []string
	for _, p := range t.parts {
		for _, v := range p.vars {
			if !slices.Contains(names, v.name) {
				names = append(names, v.name)
			}
		}
	}
	return names
}

// Expand gives the URI for values by the names of their variables. One that has
// no value is left out, as the template says.
func (t *Template) Expand(values map[string]string) string {
	var uri []byte
	for _, p := range t.parts {
		if p.op == nil {
			uri = appendEscaped(uri, p.literal, true)
			continue
		}
		before := p.op.first
		for _, v := range p.vars {
			value, given := values[v.name]
			if !given {
				continue
			}
			uri = append(uri, before...)
			before = p.op.sep
			uri = p.op.expand(uri, v, value)
		}
	}
	return string(uri)
}

func (op *operator) expand(uri []byte, v variable, value string) []byte {
	if op.named {
		uri = append(uri, v.name...)
		if value == "" {
			return append(uri, op.ifEmpty...)
		}
		uri = append(uri, '=')
	}
	return appendEscaped(uri, prefixOf(value, v.prefix), op.reserved)
}

// prefixOf is the first n characters of a text; all of it for 0.
func prefixOf(text string, n int) string {
	if n == 0 {
		return text
	}
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

// appendEscaped appends text with every byte escaped that is not unreserved, or
// with reserved: not reserved either, nor part of an escape.
func appendEscaped(dst []byte, text string, reserved bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		c := text[i]
		switch {
		case isAlphanumeric(c), strings.IndexByte("-._~", c) >= 0,
			reserved && (strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0 || isTriplet(text[i:])):
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isTriplet tells whether text begins with %XX.
func isTriplet(text string) bool {
	return len(text) >= 3 && text[0] == '%' && isHex(text[1]) && isHex(text[2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
