package args

import (
	"strings"
	"unicode/utf8"
)

// token is one word of the command line, taken apart.
type token struct {
	name  string // the key as the user wrote it, for errors
	path  []step // at least one, the first a member of the arguments object
	value string
	json  bool // := was used
}

// parseToken reads k=v and k:=v with a bracket path for k.
func parseToken(word string) (*token, error) {
	key, value, isJSON, err := splitToken(word)
	if err != nil {
		return nil, err
	}
	path, err := parsePath(key)
	if err != nil {
		return nil, err
	}
	return &token{name: key, path: path, value: value, json: isJSON}, nil
}

// splitToken splits a word at its first unescaped = and tells = from :=. The
// key keeps its escapes.
func splitToken(word string) (key, value string, isJSON bool, err error) {
	if !utf8.ValidString(word) {
		return "", "", false, &Error{Argument: word, Reason: "not valid UTF-8"}
	}
	end, colon := -1, false // colon: the byte before was an unescaped one
scan:
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '=':
			end = i
			break scan
		case c == '\\' && i+1 < len(word) && isEscapable(word[i+1]):
			i++
			colon = false
		default:
			colon = c == ':'
		}
	}
	if end < 0 {
		got := "a word without ="
		if word == "" {
			got = "an empty word"
		}
		return "", "", false, &Error{Argument: word, Reason: "expected KEY=VALUE, KEY:=JSON, KEY=@FILE or KEY:=@FILE, got " + got, Bare: word != ""}
	}
	key, value = word[:end], word[end+1:]
	if colon {
		key, isJSON = key[:len(key)-1], true
	}
	if key == "" {
		return "", "", false, &Error{Argument: word, Reason: "expected a name before the ="}
	}
	return key, value, isJSON, nil
}

// isEscapable says whether a backslash before c in a key makes c literal; before
// anything else the backslash is itself.
func isEscapable(c byte) bool { return strings.IndexByte(`[]=:\`, c) >= 0 }

// unescapeKey gives the name a key without a path stands for.
func unescapeKey(key string) string {
	var b strings.Builder
	for i := 0; i < len(key); i++ {
		if key[i] == '\\' && i+1 < len(key) && isEscapable(key[i+1]) {
			i++
		}
		b.WriteByte(key[i])
	}
	return b.String()
}
