package completion

import (
	"strings"
)

// Word is one word of a line.
type Word struct {
	Text  string // as the program would be given it
	Typed string // the same, but ~ and variables stand as they were typed
	Raw   string // with its quotes

	// Unknown tells that the shell alone knows what it will be: a command is
	// to be run for it, or a variable has no value that is exported.
	Unknown bool
}

// decoder takes the quotes of one word away.
type decoder struct {
	shell  Shell
	getenv func(string) string // values of variables

	word     Word
	text     strings.Builder
	typed    strings.Builder
	at       []int // where in the raw word each byte of typed comes from
	quote    byte  // that is open at the end; $ is that of $'…'
	dangling bool  // it ends in a backslash
}

// decode reads one word from the start of s, and says where it ends. What ends
// it is a blank or an operator that is not quoted.
func (d *decoder) decode(s string) (end int) {
	i := 0
	for i < len(s) && !d.ends(s[i]) {
		i = d.next(s, i)
	}
	d.word.Raw, d.word.Text, d.word.Typed = s[:i], d.text.String(), d.typed.String()
	return i
}

// ends tells whether an unquoted character ends a word.
func (d *decoder) ends(c byte) bool {
	switch c {
	case ' ', '\t', '\n', ';', '|', '&', '<', '>':
		return true
	case ')':
		return d.shell != Fish // there ( ) never stand alone
	}
	return false
}

// next takes what stands at i, a character or something quoted or expanded, and
// says where it ends.
func (d *decoder) next(s string, i int) int {
	rest := s[i:]
	switch c := s[i]; {
	case c == '\'':
		return d.quoted(s, i+1, '\'')
	case c == '"':
		return d.quoted(s, i+1, '"')
	case d.shell != Fish && strings.HasPrefix(rest, "$'"):
		return d.quoted(s, i+2, '$')
	case d.shell != Fish && strings.HasPrefix(rest, `$"`):
		return d.quoted(s, i+2, '"')
	case c == '\\':
		if i+1 == len(s) {
			d.dangling = true
			return i + 1
		}
		d.put(i, s[i+1:i+2])
		return i + 2
	case c == '$', c == '`', c == '(':
		return d.expansion(s, i)
	case c == '~' && i == 0 && (len(s) == 1 || s[1] == '/' || d.ends(s[1])):
		d.expand(i, "~", d.getenv("HOME"))
		return i + 1
	}
	d.put(i, s[i:i+1])
	return i + 1
}

// quoted takes what stands between quotes, of which the first ends at i.
func (d *decoder) quoted(s string, i int, quote byte) int {
	for i < len(s) {
		c := s[i]
		switch {
		case c == '\'' && quote == '$', c == quote && quote != '$':
			return i + 1
		case c == '\\' && i+1 == len(s) && quote != '\'':
			d.dangling, d.quote = true, quote
			return i + 1
		case c == '\\' && i+1 < len(s) && d.escapes(quote, s[i+1]):
			d.put(i, s[i+1:i+2])
			i += 2
		case quote == '"' && (c == '$' || c == '`'):
			i = d.expansion(s, i)
		default:
			d.put(i, s[i:i+1])
			i++
		}
	}
	d.quote = quote
	return i
}

// escapes tells whether a backslash makes c literal between quotes.
func (d *decoder) escapes(quote, c byte) bool {
	switch {
	case quote == '$':
		return true // \n and its like do not occur in what is completed
	case quote == '"' && d.shell == Fish:
		return c == '"' || c == '\\' || c == '$'
	case quote == '"':
		return strings.IndexByte("\"\\$`", c) >= 0
	}
	return d.shell == Fish && (c == '\'' || c == '\\')
}

// expansion takes a variable or a command that stands at i.
func (d *decoder) expansion(s string, i int) int {
	end := i + 1
	name := ""
	switch {
	case s[i] == '`':
		if n := strings.IndexByte(s[end:], '`'); n >= 0 {
			end += n + 1
		} else {
			end = len(s)
		}
	case s[i] == '(' || strings.HasPrefix(s[i:], "$("):
		end = balanced(s, i+strings.IndexByte(s[i:], '('))
	case strings.HasPrefix(s[i:], "${"):
		n := strings.IndexByte(s[end:], '}')
		if n < 0 {
			end = len(s)
			break
		}
		name, end = s[end+1:end+n], end+n+1
	default:
		for end < len(s) && isName("_"+s[end:end+1]) {
			end++
		}
		if name = s[i+1 : end]; name == "" {
			d.put(i, "$")
			return end
		}
	}
	value := ""
	if isName(name) {
		value = d.getenv(name)
	}
	d.word.Unknown = d.word.Unknown || value == ""
	d.expand(i, s[i:end], value)
	return end
}

// balanced finds the end of what begins with a parenthesis at i.
func balanced(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (d *decoder) put(at int, s string) { d.expand(at, s, s) }

func (d *decoder) expand(at int, typed, value string) {
	for range len(typed) {
		d.at = append(d.at, at)
	}
	d.typed.WriteString(typed)
	d.text.WriteString(value)
}
