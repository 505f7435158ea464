package completion

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote writes text so that bash takes it literally. open is the quote in which
// it stands; 0 for none.
func quote(text string, open byte) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case open == '\'' && r == '\'':
			b.WriteString(`'\''`)
		case open == '"' && r == '!':
			b.WriteString(`"'!'"`) // between double quotes a backslash would stay
		case open == '"' && strings.ContainsRune("\"\\$`", r),
			open == '$' && (r == '\'' || r == '\\'),
			open == 0 && !plain(r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain tells whether a character means nothing to the shell.
func plain(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-+./:=@%,", r)
	}
	return !unicode.IsSpace(r)
}
