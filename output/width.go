package output

import (
	"strings"
	"unicode"
)

// Width is how many columns of a terminal a text of one line takes: two for the
// wide characters of East Asia and for pictures, none for what combines with
// the character before it.
func Width(s string) int {
	width, joined := 0, false
	for _, r := range s {
		switch w := runeWidth(r); {
		case r == zeroWidthJoiner:
			joined = true
		case joined: // one picture together with what stood before
			joined = false
		default:
			width += w
		}
	}
	return width
}

const zeroWidthJoiner = 0x200d

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff, 0x1f3fb <= r && r <= 0x1f3ff:
		return 0 // marks, formats, the later parts of Hangul, tones of skin
	case wide(r):
		return 2
	}
	return 1
}

// wide tells whether r is of Unicode's East Asian width W or F, by the blocks
// such characters stand in.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, // Hangul
		r == 0x231a, r == 0x231b, r == 0x2329, r == 0x232a, 0x23e9 <= r && r <= 0x23ec, r == 0x23f0, r == 0x23f3,
		r == 0x25fd, r == 0x25fe, r == 0x2614, r == 0x2615, 0x2648 <= r && r <= 0x2653, r == 0x267f, r == 0x2693,
		r == 0x26a1, r == 0x26aa, r == 0x26ab, r == 0x26bd, r == 0x26be, r == 0x26c4, r == 0x26c5, r == 0x26ce,
		r == 0x26d4, r == 0x26ea, r == 0x26f2, r == 0x26f3, r == 0x26f5, r == 0x26fa, r == 0x26fd,
		r == 0x2705, r == 0x270a, r == 0x270b, r == 0x2728, r == 0x274c, r == 0x274e, 0x2753 <= r && r <= 0x2755, r == 0x2757,
		0x2795 <= r && r <= 0x2797, r == 0x27b0, r == 0x27bf, r == 0x2b1b, r == 0x2b1c, r == 0x2b50, r == 0x2b55:
		return true
	}
	return 0x2e80 <= r && r <= 0x303e || // radicals, CJK punctuation
		0x3041 <= r && r <= 0xa4cf && r != 0x303f || // kana, CJK, Yi
		0xa960 <= r && r <= 0xa97c || 0xac00 <= r && r <= 0xd7a3 || // Hangul
		0xf900 <= r && r <= 0xfaff || 0xfe10 <= r && r <= 0xfe19 || 0xfe30 <= r && r <= 0xfe6b ||
		0xff01 <= r && r <= 0xff60 || 0xffe0 <= r && r <= 0xffe6 ||
		0x16fe0 <= r && r <= 0x18cff || 0x1aff0 <= r && r <= 0x1b2fb ||
		r == 0x1f004 || r == 0x1f0cf || r == 0x1f18e || 0x1f191 <= r && r <= 0x1f19a || 0x1f1e6 <= r && r <= 0x1f265 ||
		0x1f300 <= r && r <= 0x1f64f || 0x1f680 <= r && r <= 0x1f6ff || 0x1f7e0 <= r && r <= 0x1f7eb ||
		0x1f90c <= r && r <= 0x1f9ff || 0x1fa70 <= r && r <= 0x1faff || 0x20000 <= r && r <= 0x3fffd
}

// shorten cuts a text of one line to a width, the last column being an ellipsis.
func shorten(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		w := runeWidth(r)
		if used+w > width-1 {
			break
		}
		used += w
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}

// pad fills a text up to a width with spaces.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}
