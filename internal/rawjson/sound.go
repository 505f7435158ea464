package rawjson

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// What is in this file is for JSON that has been checked before: it looks for
// nothing but the ends of strings and containers, which costs a fraction of a
// second reading. Of what is not sound it makes something, but does not panic.

// Members splits an object, known to be sound and compact, into its members: of
// a repeated one, the last. The values are parts of raw. What is no object has
// no members.
func Members(raw []byte) map[string]json.RawMessage {
	members := make(map[string]json.RawMessage)
	if len(raw) == 0 || raw[0] != '{' {
		return members
	}
	for rest := raw[1:]; len(rest) > 0 && rest[0] == '"'; {
		n, _ := closingQuote(rest[1:])
		key, _ := Unquote(rest[:n+1])
		rest = rest[min(n+len(`":`), len(rest)):]
		n = valueLen(rest)
		members[key] = rest[:n:n]
		rest = rest[min(n+len(","), len(rest)):]
	}
	return members
}

// Items splits an array, known to be sound and compact, into its elements, which
// are parts of raw. What is no array gives false.
func Items(raw []byte) ([]json.RawMessage, bool) {
	if len(raw) < len("[]") || raw[0] != '[' {
		return nil, false
	}
	items := []json.RawMessage{}
	for rest := raw[1:]; len(rest) > 0 && rest[0] != ']'; {
		n := valueLen(rest)
		items = append(items, rest[:n:n])
		rest = rest[min(n, len(rest)):]
		if len(rest) > 0 && rest[0] == ',' {
			rest = rest[1:]
		} else {
			break
		}
	}
	return items, true
}

// IsCompact reports whether doc, known to be sound, has no white space between
// its tokens.
func IsCompact(doc []byte) bool {
	for i := 0; i < len(doc); i++ {
		if doc[i] == '"' {
			n, _ := closingQuote(doc[i+1:])
			i += n
		} else if isSpace(doc[i]) {
			return false
		}
	}
	return true
}

// valueLen returns the length of the value at the front of b.
func valueLen(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n, _ := closingQuote(b[i+1:])
			i += n
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}

// ending is how a part of a string ends.
type ending uint8

const (
	closed ending = iota
	insideString
	insideEscape // behind its backslash
)

// closingQuote returns the length of text, which begins inside of a string, up
// to and with the quote that closes it: all of it if there is none.
func closingQuote(text []byte) (int, ending) {
	n := 0
	for ; n < 2*8 && n+8 <= len(text); n += 8 { // most strings are short
		if m := special(binary.LittleEndian.Uint64(text[n:])); m != 0 {
			n += bits.TrailingZeros64(m) / 8
			if text[n] == '"' {
				return n + 1, closed
			}
			break
		}
	}
	for {
		quote := bytes.IndexByte(text[n:], '"')
		if quote < 0 {
			if endsInEscape(text[n:]) {
				return len(text), insideEscape
			}
			return len(text), insideString
		}
		escaped := endsInEscape(text[n : n+quote])
		n += quote + 1
		if !escaped {
			return n, closed
		}
	}
}

// endsInEscape reports whether the last byte of text, which begins outside of an
// escape, is the backslash of one.
func endsInEscape(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}
