package rawjson

import (
	"fmt"
	"io"
)

// MaxDepth is how deep arrays and objects may nest, as in encoding/json;
// deeper is a [*SyntaxError].
const MaxDepth = 10000

const tooDeep = "nested too deep"

// state is what the scanner expects next. It can be left and taken up again
// between any two bytes, so a value may arrive, and be asked for, in pieces of
// any size.
type state uint8

const (
	afterValue state = iota // a value has ended; at depth 0: between values
	beginValue
	beginElement // behind '[': a value or ']'
	beginMember  // behind '{': a key or '}'
	beginKey     // behind ',' in an object
	colon
	inString
	inKey
	inStringEscape
	inKeyEscape
	inStringHex // Reader.hex says how many digits are missing
	inKeyHex
	inLiteral // Reader.literal holds what is missing
	numMinus
	numZero
	numInt
	numDot
	numFrac
	numE
	numESign
	numExp
)

// wholeNumber reports whether a number may end in this state.
func (s state) wholeNumber() bool {
	return s == numZero || s == numInt || s == numFrac || s == numExp
}

// span returns the next bytes of the value that encloses everything deeper
// than level: a piece of the buffer of at most limit bytes, never empty, valid
// until the next call on d. It returns io.EOF when the value has ended.
func (d *Reader) span(level, limit int) ([]byte, error) {
	for {
		piece, err := d.ready(level, limit)
		if piece != nil || err != nil {
			return piece, err
		}
		if err := d.fill(); err == io.EOF {
			if d.depth == 0 && d.state.wholeNumber() {
				d.state = afterValue
				continue
			}
			d.err = io.ErrUnexpectedEOF
		}
	}
}

// ready is span for who has something to do before waiting for input: it
// returns nil and no error when the buffer has been used up.
func (d *Reader) ready(level, limit int) ([]byte, error) {
	for {
		if d.err != nil {
			return nil, d.err
		}
		if d.ended(level) {
			return nil, io.EOF
		}
		if d.pos == d.end {
			return nil, nil
		}
		w := d.buf[d.pos:d.end]
		if len(w) > limit {
			w = w[:limit]
		}
		from, to := d.scan(w, level)
		d.pos += to
		if from < to {
			return w[from:to:to], nil
		}
	}
}

// scan moves the machine over w until the value around it ends (the depth is
// level again), w ends, something is wrong (then d.err is set) or white space
// stands behind bytes that have to be returned. w[:to] is used up, and
// w[from:to] belongs to the output.
func (d *Reader) scan(w []byte, level int) (from, to int) {
	d.within = false
	st, depth, top := d.state, d.depth, d.top
	i := 0
	msg := ""
loop:
	for i < len(w) {
		c := w[i]
		switch st {
		case inString, inKey:
			begin := i
			i += text(w[i:])
			if i == len(w) {
				d.within = begin == 0 && st == inString
				break loop
			}
			switch c = w[i]; {
			case c == '"':
				i++
				if st == inKey {
					st = colon
					continue
				}
				st = afterValue
				if depth == level {
					break loop
				}
			case c == '\\':
				i++
				st += inStringEscape - inString
			default:
				msg = "in a string"
				break loop
			}
			continue

		case inStringEscape, inKeyEscape:
			switch c {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				st -= inStringEscape - inString
			case 'u':
				st += inStringHex - inStringEscape
				d.hex = 4
			default:
				msg = "in an escape"
				break loop
			}
			i++
			continue

		case inStringHex, inKeyHex:
			if hexDigit(c) < 0 {
				msg = "in a \\u escape"
				break loop
			}
			i++
			if d.hex--; d.hex == 0 {
				st -= inStringHex - inString
			}
			continue

		case afterValue:
			switch {
			case c == ',':
				i++
				st = beginValue
				if top&1 != 0 {
					st = beginKey
				}
				continue
			case c == '}' && top&1 != 0, c == ']' && top&1 == 0:
				i++
				depth, top = d.pop(depth, top)
				if depth == level {
					break loop
				}
				continue
			case !isSpace(c):
				msg = "after a value"
				break loop
			}

		case beginMember, beginKey:
			switch {
			case c == '"':
				i++
				st = inKey
				continue
			case c == '}' && st == beginMember:
				i++
				depth, top = d.pop(depth, top)
				st = afterValue
				if depth == level {
					break loop
				}
				continue
			case !isSpace(c):
				msg = "where a key must be"
				break loop
			}

		case colon:
			if c == ':' {
				i++
				st = beginValue
				continue
			}
			if !isSpace(c) {
				msg = "where ':' must be"
				break loop
			}

		case beginValue, beginElement:
			switch {
			case c == '"':
				i++
				st = inString
				continue
			case c == '{' || c == '[':
				if depth == MaxDepth {
					msg = tooDeep
					break loop
				}
				i++
				depth, top = d.push(depth, top)
				if c == '{' {
					top |= 1
					st = beginMember
				} else {
					st = beginElement
				}
				continue
			case '1' <= c && c <= '9':
				i++
				st = numInt
				continue
			case c == '0':
				i++
				st = numZero
				continue
			case c == '-':
				i++
				st = numMinus
				continue
			case c == 't' || c == 'f' || c == 'n':
				i++
				st = inLiteral
				d.literal = literalRest(c)
				continue
			case c == ']' && st == beginElement:
				i++
				depth, top = d.pop(depth, top)
				st = afterValue
				if depth == level {
					break loop
				}
				continue
			case !isSpace(c):
				msg = "where a value must be"
				break loop
			}

		case inLiteral:
			if c != d.literal[0] {
				msg = "in a literal"
				break loop
			}
			i++
			if d.literal = d.literal[1:]; d.literal == "" {
				st = afterValue
				if depth == level {
					d.bare = depth == 0
					break loop
				}
			}
			continue

		default: // in a number
			next, ok := nextInNumber(st, c)
			if ok {
				st = next
				i++
				continue
			}
			if !st.wholeNumber() {
				msg = "in a number"
				break loop
			}
			st = afterValue
			if depth == level {
				d.bare = depth == 0
				break loop
			}
			continue
		}

		// White space, which ends what can be returned in one piece.
		if i > from {
			break
		}
		for i < len(w) && isSpace(w[i]) {
			i++
		}
		from = i
	}
	d.state, d.depth, d.top = st, depth, top
	if msg != "" {
		d.err = d.syntaxError(d.pos+i, msg)
	}
	return from, i
}

// push and pop keep one bit per open container, set for an object. The 64
// innermost are in a word of their own, so that nesting allocates only beyond.
func (d *Reader) push(depth int, top uint64) (int, uint64) {
	if depth > 0 && depth%64 == 0 {
		d.outer = append(d.outer, top)
	}
	return depth + 1, top << 1
}

func (d *Reader) pop(depth int, top uint64) (int, uint64) {
	depth--
	if depth > 0 && depth%64 == 0 {
		last := len(d.outer) - 1
		top, d.outer = d.outer[last], d.outer[:last]
		return depth, top
	}
	return depth, top >> 1
}

// syntaxError blames the byte at pos of the buffer, or the nesting.
func (d *Reader) syntaxError(pos int, msg string) error {
	if pos < d.end && msg != tooDeep {
		msg = fmt.Sprintf("%q %s", d.buf[pos:pos+1], msg)
	}
	return &SyntaxError{Offset: d.base + int64(pos), Msg: msg}
}

func nextInNumber(st state, c byte) (state, bool) {
	digit := '0' <= c && c <= '9'
	switch st {
	case numMinus:
		if c == '0' {
			return numZero, true
		}
		return numInt, digit
	case numZero, numInt:
		switch {
		case digit:
			return numInt, st == numInt
		case c == '.':
			return numDot, true
		}
		return numE, c == 'e' || c == 'E'
	case numDot:
		return numFrac, digit
	case numFrac:
		if digit {
			return numFrac, true
		}
		return numE, c == 'e' || c == 'E'
	case numE:
		if c == '+' || c == '-' {
			return numESign, true
		}
		return numExp, digit
	}
	return numExp, digit // numESign, numExp
}

func literalRest(first byte) string {
	switch first {
	case 't':
		return "rue"
	case 'f':
		return "alse"
	}
	return "ull"
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
