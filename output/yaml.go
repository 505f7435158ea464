package output

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcpq/internal/rawjson"
)

const (
	// maxYAMLDepth is how deep the block style goes; what nests deeper is
	// written as JSON, which is YAML too and does not grow with the depth.
	maxYAMLDepth = 40
	// maxYAMLKey is how long a key may be for a reader to look for its colon.
	maxYAMLKey = 1000
)

// AppendYAML appends a compact JSON document as YAML: members in their order,
// numbers as they are spelled, texts of several lines as blocks. Every character
// that could steer a terminal is escaped. Of a repeated member the last one
// counts, as YAML allows no other.
func AppendYAML(dst []byte, doc []byte) []byte {
	y := yamlWriter{dst: dst}
	y.value(doc, 0, 0)
	return append(y.dst, '\n')
}

type yamlWriter struct{ dst []byte }

// value writes a value that stands at the place where its first line begins.
func (y *yamlWriter) value(raw json.RawMessage, indent, depth int) {
	if depth < maxYAMLDepth && len(raw) > 2 { // not {} or []
		switch raw[0] {
		case '{':
			if object, err := rawjson.ParseObject(raw); err == nil {
				y.object(object, indent, depth)
				return
			}
		case '[':
			if items, err := rawjson.Elements(raw); err == nil {
				y.array(items, indent, depth)
				return
			}
		}
	}
	y.scalar(raw, indent)
}

func (y *yamlWriter) object(object rawjson.Object, indent, depth int) {
	last := make(map[string]int, len(object))
	for i, m := range object {
		last[m.Key] = i
	}
	first := true
	for i, m := range object {
		if last[m.Key] != i {
			continue
		}
		if !first {
			y.newLine(indent)
		}
		first = false
		key := yamlString(m.Key)
		if len(key) > maxYAMLKey {
			y.dst = append(y.dst, "? "+key...)
			y.newLine(indent)
			y.dst = append(y.dst, ':')
		} else {
			y.dst = append(y.dst, key+":"...)
		}
		if nests(m.Value, depth+1) {
			if m.Value[0] == '[' { // items may stand under their key
				y.newLine(indent)
				y.value(m.Value, indent, depth+1)
			} else {
				y.newLine(indent + 2)
				y.value(m.Value, indent+2, depth+1)
			}
			continue
		}
		y.dst = append(y.dst, ' ')
		y.scalar(m.Value, indent+2)
	}
}

func (y *yamlWriter) array(items []json.RawMessage, indent, depth int) {
	for i, item := range items {
		if i > 0 {
			y.newLine(indent)
		}
		y.dst = append(y.dst, "- "...)
		y.value(item, indent+2, depth+1)
	}
}

// nests tells whether a value is written over lines of its own.
func nests(raw json.RawMessage, depth int) bool {
	return depth < maxYAMLDepth && len(raw) > 2 && (raw[0] == '{' || raw[0] == '[')
}

func (y *yamlWriter) newLine(indent int) {
	y.dst = append(y.dst, '\n')
	for range indent {
		y.dst = append(y.dst, ' ')
	}
}

// scalar writes a string, number or literal, or a container as JSON.
func (y *yamlWriter) scalar(raw json.RawMessage, indent int) {
	s, ok := rawjson.Unquote(raw)
	switch {
	case !ok:
		y.dst = append(y.dst, escapeJSON(raw)...)
	case isYAMLBlock(s):
		y.block(s, max(indent, 2))
	default:
		y.dst = append(y.dst, yamlString(s)...)
	}
}

// block writes a text of several lines as it is.
func (y *yamlWriter) block(s string, indent int) {
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		y.dst = append(y.dst, "|-"...)
	case 1:
		y.dst = append(y.dst, '|')
	default:
		y.dst = append(y.dst, "|+"...)
		body = s[:len(s)-1]
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line == "" {
			y.dst = append(y.dst, '\n')
			continue
		}
		y.newLine(indent)
		y.dst = append(y.dst, line...)
	}
}

// isYAMLBlock tells whether a text can stand in a block and is better there.
func isYAMLBlock(s string) bool {
	if !strings.Contains(strings.TrimRight(s, "\n"), "\n") || s[0] == ' ' || s[0] == '\t' || s[0] == '\n' {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !isYAMLPrintable(r) {
			return false
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.Trim(line, " \t") == "" { // readers do not agree on it
			return false
		}
	}
	return true
}

// yamlString spells a text as a scalar of one line: plain where no reader can
// take it for anything else.
func yamlString(s string) string {
	if isYAMLPlain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isYAMLPrintable(r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString(hexEscape('U', r, 8))
		case r > 0xff:
			b.WriteString(hexEscape('u', r, 4))
		default:
			b.WriteString(hexEscape('x', r, 2))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hexEscape(kind byte, r rune, digits int) string {
	const hex = "0123456789abcdef"
	b := []byte{'\\', kind}
	for i := digits - 1; i >= 0; i-- {
		b = append(b, hex[r>>(4*i)&0xf])
	}
	return string(b)
}

func isYAMLPrintable(r rune) bool {
	return !steers(r) && r != 0xfeff && r != 0xfffe && r != 0xffff && utf8.ValidRune(r)
}

// isYAMLPlain tells whether a text is safe without quotes, for readers of YAML
// 1.1 as well, to which "no" is false and "12:30" a number.
func isYAMLPlain(s string) bool {
	if s == "" || strings.HasSuffix(s, " ") {
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r), r == '_', r == '/' && len(s) > 1:
		case i == 0:
			return false
		case unicode.IsDigit(r), strings.ContainsRune(" -.+@%(),;$!?'", r):
		case r == ':' && i+1 < len(s) && s[i+1] != ' ':
		default:
			return false
		}
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}
