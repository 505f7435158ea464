package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// limits bounds a document that is read.
type limits struct {
	name                 string // of the document, in errors
	bytes, values, depth int
}

// parser makes the tree of a document whose syntax is known to be right.
type parser struct {
	text   string
	pos    int
	values int
	limits limits
	budget *budget
}

// notJSON marks errors of syntax.
type notJSON struct{ err error }

func (e *notJSON) Error() string { return e.err.Error() }

// read decodes a document and refuses what is out of bounds.
func read(raw json.RawMessage, l limits, b *budget) (*value, error) {
	if len(raw) > l.bytes {
		return nil, &UnsupportedError{Reason: fmt.Sprintf("%s is larger than %d MiB", l.name, l.bytes>>20)}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, &notJSON{err}
	}
	p := parser{text: string(raw), limits: l, budget: b}
	var doc value
	if err := p.value(&doc, 1); err != nil {
		return nil, err
	}
	return &doc, nil
}

func (p *parser) value(v *value, depth int) error {
	p.values++
	switch {
	case depth > p.limits.depth:
		return &UnsupportedError{Reason: fmt.Sprintf("%s nests deeper than %d levels", p.limits.name, p.limits.depth)}
	case p.values > p.limits.values:
		return &UnsupportedError{Reason: fmt.Sprintf("%s has more than %d values", p.limits.name, p.limits.values)}
	case p.values%stepsBetween == 0 && !p.budget.look():
		return p.budget.err
	}
	switch c := p.next(); c {
	case '{', '[':
		return p.container(v, c, depth)
	case '"':
		v.kind, v.text = stringKind, p.string()
		return nil
	case 'n':
		v.kind = nullKind
	case 't', 'f':
		v.kind = booleanKind
	default:
		v.kind = numberKind
	}
	start := p.pos
	if n := strings.IndexAny(p.text[start:], ",]} \t\r\n"); n >= 0 {
		p.pos += n
	} else {
		p.pos = len(p.text)
	}
	v.text = p.text[start:p.pos]
	if v.kind == numberKind && isHuge(v.text) {
		return &UnsupportedError{Reason: p.limits.name + " has the number " + shorten(v.text) + ", which is out of bounds"}
	}
	return nil
}

func (p *parser) container(v *value, open byte, depth int) error {
	v.kind, v.kids = arrayKind, &kids{}
	if open == '{' {
		v.kind = objectKind
	}
	for p.pos++; ; p.pos++ { // past the bracket or comma
		if c := p.next(); c == ']' || c == '}' {
			p.pos++
			return nil
		}
		var name string
		if v.kind == objectKind {
			name = p.string()
			p.next()
			p.pos++ // past the colon
		}
		var kid value
		if err := p.value(&kid, depth+1); err != nil {
			return err
		}
		if v.kind == objectKind {
			v.kids.set(name, kid)
		} else {
			v.kids.items = append(v.kids.items, kid)
		}
		if p.next() != ',' {
			p.pos++
			return nil
		}
	}
}

// next gives the next byte that is not white space.
func (p *parser) next() byte {
	for {
		switch c := p.text[p.pos]; c {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return c
		}
	}
}

// string decodes the string that begins here.
func (p *parser) string() string {
	start := p.pos
	for p.pos++; p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	p.pos++
	inner := p.text[start+1 : p.pos-1]
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return inner
	}
	var decoded string
	_ = json.Unmarshal([]byte(p.text[start:p.pos]), &decoded) // the syntax is known to be right
	return decoded
}
