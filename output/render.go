package output

import (
	"github.com/tidwall/pretty"

	"mcpq/internal/rawjson"
)

// Indentation grows with the square of the depth, and a hostile document of a
// megabyte could become a terabyte. A document whose white space would exceed
// both limits is printed as it is.
const (
	maxIndentBytes = 1 << 20
	maxIndentRatio = 32
)

// compact removes the white space between the tokens of doc, and nothing else.
// The result may share memory with doc, which is not changed.
func compact(doc []byte) []byte {
	if rawjson.IsCompact(doc) { // as most are; a large one need not be copied then
		return doc
	}
	return pretty.Ugly(doc)
}

// indent lays doc, which is compact, out over lines as jq does: two spaces a
// level, each member and item on its own line, empty containers closed at once.
func indent(doc []byte) []byte {
	if n := indentBytes(doc); n > maxIndentBytes && n > maxIndentRatio*len(doc) {
		return doc
	}
	// A width would put short arrays on one line; the others follow no rule a
	// reader could see.
	out := pretty.PrettyOptions(doc, &pretty.Options{Width: 0, Indent: "  "})
	if n := len(out); n > 0 && out[n-1] == '\n' {
		out = out[:n-1]
	}
	return out
}

// indentBytes is how many spaces [indent] would put at the beginnings of lines.
func indentBytes(doc []byte) int {
	inString, depth, levels := false, 0, 0
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			levels += depth
		case c == '}' || c == ']':
			depth--
			levels += depth
		case c == ',':
			levels += depth
		}
	}
	return 2 * levels // a little more than needed: empty containers count too
}

// colour marks up the tokens of doc for a terminal: keys stand out, strings and
// literals are told apart, punctuation stays as it is.
func colour(doc []byte) []byte {
	const reset = "\x1b[0m"
	return pretty.Color(doc, &pretty.Style{
		Key:    [2]string{"\x1b[1;34m", reset},
		String: [2]string{"\x1b[32m", reset},
		Number: [2]string{"\x1b[36m", reset},
		True:   [2]string{"\x1b[33m", reset},
		False:  [2]string{"\x1b[33m", reset},
		Null:   [2]string{"\x1b[90m", reset},
		Append: func(dst []byte, c byte) []byte { return append(dst, c) },
	})
}
