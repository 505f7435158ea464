package commands

import (
	"bytes"

	"mcpq/internal/rawjson"
)

// editJSON gives every string and number of a JSON document to edit, and where
// edit changes it puts a string in its place. All other bytes stay, so that what
// was a document is one afterwards: words that a secret happens to share with
// the syntax are not looked at. key is the name of the member that was met last,
// "" for such names themselves.
func editJSON(doc []byte, edit func(key, text string) string) []byte {
	var out []byte // nil while nothing was changed
	done, key := 0, ""
	for i := 0; i < len(doc); {
		n := tokenLen(doc[i:])
		if n == 0 {
			i++
			continue
		}
		raw := doc[i : i+n]
		text, name := string(raw), false
		if raw[0] == '"' {
			text, _ = rawjson.Unquote(raw)
			rest := bytes.TrimLeft(doc[i+n:], " \t\r\n")
			name = len(rest) > 0 && rest[0] == ':'
		}
		of := key
		if name {
			of, key = "", text
		}
		if edited := edit(of, text); edited != text {
			out = append(append(out, doc[done:i]...), rawjson.Quote(edited)...)
			done = i + n
		}
		i += n
	}
	if out == nil {
		return doc
	}
	return append(out, doc[done:]...)
}

// tokenLen is the length of the string or number at the beginning of b; 0 if
// there stands something else.
func tokenLen(b []byte) int {
	switch c := b[0]; {
	case c == '"':
		for i := 1; i < len(b); i++ {
			switch b[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(b)
	case c == '-' || '0' <= c && c <= '9':
		n := 1
		for n < len(b) && bytes.IndexByte([]byte("+-.eE0123456789"), b[n]) >= 0 {
			n++
		}
		return n
	}
	return 0
}
