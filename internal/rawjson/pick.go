package rawjson

import "encoding/json"

// Picker keeps members of an object that goes by in pieces. What is written to
// it must be one value that is known to be sound and compact, as the bytes of a
// [Value] are: a Picker checks nothing, and so costs a fraction of a second
// reading.
//
// Of a member that comes more than once the last is kept. What is no object has
// no members.
type Picker struct {
	limit   func(key string) int
	members map[string]json.RawMessage

	place   place
	key     []byte // as it is spelled; longer than maxKey when it was cut
	room    int    // how many bytes of the current value may still be kept
	value   []byte // what has been kept of it
	depth   int    // of containers within the value
	text    bool   // inside one of its strings
	escaped bool   // the next byte of the string, or key, belongs to an escape
}

// place is where a Picker stands in the object.
type place uint8

const (
	beforeObject place = iota
	beforeKey
	insideKey
	beforeColon
	insideValue
	behindObject
)

// NewPicker returns a Picker. The function limit says of the member with a key
// how many bytes its value may have to be kept: 0 for a member of no interest.
func NewPicker(limit func(key string) int) *Picker {
	return &Picker{limit: limit, members: make(map[string]json.RawMessage)}
}

// Members returns what has been kept, by key. It is complete when the whole
// object has been written.
func (p *Picker) Members() map[string]json.RawMessage { return p.members }

// WriteText is Write for a piece that lies inside of one string: it need not be
// searched for what ends there.
func (p *Picker) WriteText(b []byte) (int, error) {
	if p.place != insideValue || !p.text || p.escaped {
		return p.Write(b)
	}
	p.keep(b)
	return len(b), nil
}

// Write takes the next piece, of any length. It never fails.
func (p *Picker) Write(b []byte) (int, error) {
	total := len(b)
	for len(b) > 0 {
		n := 1
		switch p.place {
		case beforeObject:
			p.place = behindObject
			if b[0] == '{' {
				p.place = beforeKey
			}
		case beforeKey:
			switch b[0] { // else a comma
			case '"':
				p.place = insideKey
				p.key = append(p.key[:0], '"')
			case '}':
				p.place = behindObject
			}
		case insideKey:
			var ended bool
			n, ended = p.string(b)
			p.key = append(p.key, b[:min(n, max(0, maxKey+1-len(p.key)))]...)
			if ended {
				p.place = beforeColon
			}
		case beforeColon:
			p.place = insideValue
			p.begin()
		case insideValue:
			var ended bool
			n, ended = p.inside(b)
			p.keep(b[:n])
			if ended {
				p.place = beforeKey
				p.end()
			}
		case behindObject:
			return total, nil
		}
		b = b[n:]
	}
	return total, nil
}

func (p *Picker) begin() {
	p.room, p.value = 0, nil
	if key, ok := Unquote(p.key); ok && len(p.key) <= maxKey {
		p.room = p.limit(key)
	}
}

// keep adds a piece to the current value, unless that gets too long.
func (p *Picker) keep(b []byte) {
	if len(b) > p.room {
		p.room, p.value = 0, nil
	}
	if p.room > 0 {
		p.room -= len(b)
		p.value = append(grown(p.value, len(b), 0), b...)
	}
}

func (p *Picker) end() {
	if p.value != nil {
		key, _ := Unquote(p.key)
		p.members[key] = p.value
		p.value = nil
	}
}

// inside returns how much of b belongs to the current value, and whether what
// follows there does not.
func (p *Picker) inside(b []byte) (n int, ended bool) {
	for i := 0; i < len(b); {
		if p.text {
			n, closed := p.string(b[i:])
			p.text = !closed
			i += n
			continue
		}
		switch b[i] {
		case '"':
			p.text = true
		case '{', '[':
			p.depth++
		case '}', ']', ',':
			if p.depth == 0 {
				return i, true
			}
			if b[i] != ',' {
				p.depth--
			}
		}
		i++
	}
	return len(b), false
}

// string returns how much of b belongs to the current string, and whether its
// closing quote is among it.
func (p *Picker) string(b []byte) (n int, ended bool) {
	if p.escaped {
		n = 1
	}
	behind, open := closingQuote(b[n:])
	p.escaped = open == insideEscape
	return n + behind, open == closed
}
