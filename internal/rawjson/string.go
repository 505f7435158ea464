package rawjson

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special sets the high bit of the lowest byte of x that is a quote, a
// backslash or a control character. Bits above it may be wrong (a borrow),
// never one below, and the result is 0 exactly if there is no such byte.
//
// Flipping bit 1 moves the quote (0x22) to 0x20 and nothing else below 0x21,
// so that one comparison finds both quotes and control characters.
func special(x uint64) uint64 {
	quoteOrControl := (x ^ 2*ones) - 0x21*ones
	backslash := (x ^ '\\'*ones) - ones
	return (quoteOrControl | backslash) &^ x & highs
}

// plain returns how many bytes at the front of w stand for themselves inside a
// string. It looks at the first few alone: where there is one escape there often
// is another.
func plain(w []byte) int {
	i := 0
	if len(w) >= 8 {
		if m := special(binary.LittleEndian.Uint64(w)); m != 0 {
			return bits.TrailingZeros64(m) / 8
		}
		i = 8
	}
	for ; len(w)-i >= 32; i += 32 {
		b := w[i : i+32 : i+32]
		m0 := special(binary.LittleEndian.Uint64(b))
		m1 := special(binary.LittleEndian.Uint64(b[8:]))
		m2 := special(binary.LittleEndian.Uint64(b[16:]))
		m3 := special(binary.LittleEndian.Uint64(b[24:]))
		if m0|m1|m2|m3 == 0 {
			continue
		}
		switch {
		case m0 != 0:
			return i + bits.TrailingZeros64(m0)/8
		case m1 != 0:
			return i + 8 + bits.TrailingZeros64(m1)/8
		case m2 != 0:
			return i + 16 + bits.TrailingZeros64(m2)/8
		}
		return i + 24 + bits.TrailingZeros64(m3)/8
	}
	for ; len(w)-i >= 8; i += 8 {
		if m := special(binary.LittleEndian.Uint64(w[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(w); i++ {
		if c := w[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
	}
	return i
}

// text returns how many bytes at the front of w, which begins inside a string,
// belong to it for sure: plain ones and whole escapes of one letter, of which
// real text is full. What it leaves is for the scanner to look at.
func text(w []byte) int {
	i := 0
	for {
		i += plain(w[i:])
		if i+1 >= len(w) || w[i] != '\\' || !letterEscape(w[i+1]) {
			return i
		}
		i += 2
	}
}

// letterEscape reports whether c behind a backslash is a whole escape.
func letterEscape(c byte) bool {
	const letters uint64 = 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64) | 1<<('\\'-64)
	const signs uint64 = 1<<'"' | 1<<'/'
	if c < 64 {
		return signs>>c&1 != 0
	}
	return c < 128 && letters>>(c-64)&1 != 0
}

// Quote returns s as a JSON string. It escapes only what must be escaped, and
// writes U+FFFD for bytes of s that are not UTF-8.
func Quote(s string) json.RawMessage {
	return appendQuoted(make([]byte, 0, len(s)+2), s)
}

func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// Unquote returns the text of a JSON string, and false if raw, apart from white
// space around it, is not exactly one. A lone surrogate becomes U+FFFD; bytes
// that are not UTF-8 stay as they are.
func Unquote(raw []byte) (string, bool) {
	raw = trimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	body := raw[1:]
	n := plain(body)
	if n == len(body)-1 && body[n] == '"' {
		return string(body[:n]), true
	}
	text := make([]byte, 0, len(body))
	for {
		n := plain(body)
		text = append(text, body[:n]...)
		if body = body[n:]; len(body) == 0 {
			return "", false
		}
		switch {
		case len(body) == 1 && body[0] == '"':
			return string(text), true
		case len(body) == 1 || body[0] != '\\':
			return "", false
		}
		c := body[1]
		body = body[2:]
		switch c {
		case '"', '\\', '/':
			text = append(text, c)
		case 'b':
			text = append(text, '\b')
		case 'f':
			text = append(text, '\f')
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'u':
			r := hex4(body)
			if r < 0 {
				return "", false
			}
			body = body[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(body) >= 2 && body[0] == '\\' && body[1] == 'u' {
					low = hex4(body[2:])
				}
				// A second half that does not fit is left for the next round.
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					body = body[6:]
				}
			}
			text = utf8.AppendRune(text, r)
		default:
			return "", false
		}
	}
}

// hex4 reads four hex digits, or returns -1.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		n := hexDigit(c)
		if n < 0 {
			return -1
		}
		r = r<<4 | n
	}
	return r
}

func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
