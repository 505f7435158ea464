package output

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// steers tells whether a terminal may act on r instead of showing it: control
// characters of both sets, and those that reorder or break the line around them.
// What is invisible and no writing needs counts as well, because names that are
// not the same look the same with it. The joiners, U+200C and U+200D, and the
// selectors of variants are parts of words and pictures.
func steers(r rune) bool {
	switch {
	case r < 0x20, 0x7f <= r && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, // direction marks
		0x2028 <= r && r <= 0x202e, // separators, embeddings, overrides
		0x2066 <= r && r <= 0x2069: // isolates
		return true
	case r == 0x180e, r == 0x200b, r == 0xfeff, // spaces without width
		0x2060 <= r && r <= 0x2065, 0x206a <= r && r <= 0x206f, // invisible operators, formats
		0xfff9 <= r && r <= 0xfffb,   // hidden annotations
		0xe0000 <= r && r <= 0xe007f: // tags: a second ASCII that nobody sees
		return true
	}
	return false
}

// Safe returns s with everything escaped that could steer a terminal: \x1b,
// \u202e, and \xff for a byte that is not UTF-8. Tabs and newlines stay, and a
// carriage return before a newline goes.
func Safe(s string) string {
	return makeSafe(strings.ReplaceAll(s, "\r\n", "\n"), func(r rune) bool { return r == '\n' || r == '\t' })
}

// SafeLine is [Safe] for a text that has to stay on one line: newlines and tabs,
// with the spaces around them, become one space.
func SafeLine(s string) string {
	if strings.ContainsAny(s, "\n\t\r") {
		fields := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\t' || r == '\r' })
		kept := fields[:0]
		for _, f := range fields {
			if f = strings.Trim(f, " "); f != "" {
				kept = append(kept, f)
			}
		}
		s = strings.Join(kept, " ")
	}
	return makeSafe(s, func(rune) bool { return false })
}

func makeSafe(s string, allowed func(rune) bool) string {
	var b []byte // nil while nothing had to be escaped
	done := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if bad := r == utf8.RuneError && size == 1; bad || steers(r) && !allowed(r) {
			b = append(b, s[done:i]...)
			b = appendEscaped(b, r, s[i])
			done = i + size
		}
		i += size
	}
	if b == nil {
		return s
	}
	return string(append(b, s[done:]...))
}

// appendEscaped spells r, or the byte that was no part of any character.
func appendEscaped(dst []byte, r rune, first byte) []byte {
	if r == utf8.RuneError {
		return fmt.Appendf(dst, `\x%02x`, first)
	}
	switch {
	case r < 0x80:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r > 0xffff:
		return fmt.Appendf(dst, `\U%08x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
