package servers

import (
	"errors"
	"runtime"
	"strings"

	"github.com/kballard/go-shellquote"
)

// Words splits a command line into its words, as programs of this system do;
// no shell is run.
func Words(text string) ([]string, error) { return WordsOn(runtime.GOOS, text) }

// WordsOn is [Words] for the system goos.
func WordsOn(goos, text string) ([]string, error) {
	if goos == "windows" {
		return windowsWords(text)
	}
	return shellquote.Split(text)
}

// windowsWords splits as the C library of Windows does. A backslash is part of
// a path; only in front of a quote it is doubled, or makes the quote a
// character. Single quotes are letters: they come in names.
func windowsWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, quoted := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], `\`))
			begun = true
			if i+n == len(text) || text[i+n] != '"' {
				word.WriteString(text[i : i+n])
				i += n - 1
				continue
			}
			word.WriteString(text[i : i+n/2])
			i += n - 1
			if n%2 == 1 {
				word.WriteByte('"')
				i++
			}
		case c == '"' && quoted && i+1 < len(text) && text[i+1] == '"':
			word.WriteByte('"')
			i++
		case c == '"':
			begun, quoted = true, !quoted
		case (c == ' ' || c == '\t') && !quoted:
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			word.WriteByte(c)
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// isDrivePath tells whether text is a path that begins with a drive of Windows,
// whose letter is no scheme.
func isDrivePath(text string) bool {
	if len(text) < 3 || text[1] != ':' || text[2] != '\\' && text[2] != '/' {
		return false
	}
	c := text[0] | 0x20
	return 'a' <= c && c <= 'z'
}
