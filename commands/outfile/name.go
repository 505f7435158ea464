package outfile

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxName leaves room for a number, within the 255 bytes that file systems
	// allow.
	maxName      = 150
	maxExtension = 20
)

// SafeName makes a name that a server gave one for a file: one element of a
// path that is a plain file on every operating system. Separators, control
// characters and what Windows reserves become "_". It is empty when nothing of
// the name is left.
func SafeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029,
			strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		}
		return r
	}, name)
	name = shorten(strings.TrimRight(strings.TrimSpace(name), ". "))
	if strings.Trim(name, "_. ") == "" {
		return ""
	}
	if name[0] == '.' || name[0] == '-' || name[0] == '~' { // hidden, an option, a home
		name = "_" + name[1:]
	}
	if reserved(name) {
		name = "_" + name
	}
	return name
}

// shorten cuts a name that is too long, but not its extension.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > maxExtension {
		ext = ""
	}
	stem := name[:maxName-len(ext)]
	for len(stem) > 0 && !utf8.RuneStart(name[len(stem)]) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRight(stem, ". ") + ext
}

// reserved tells whether Windows takes a name for a device, whatever its
// extension.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem = strings.ToUpper(strings.TrimRight(stem, " ")); stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, device := range []string{"COM", "LPT"} {
		if digit, ok := strings.CutPrefix(stem, device); ok {
			return len(digit) == 1 && digit[0] >= '0' && digit[0] <= '9' || digit == "¹" || digit == "²" || digit == "³"
		}
	}
	return false
}

// fileName is the name for a block of content: the last part of its URI, or
// what kind of content it is, with the extension of its MIME type where the
// name has none.
func fileName(b Block) string {
	name, own := SafeName(lastOf(b.URI)), true
	if name == "" {
		name, own = SafeName(b.Name), true
	}
	if name == "" {
		name, own = b.Kind.fallback(b.MIME), false
	}
	if path.Ext(name) != "" {
		return name
	}
	ext := Extension(b.MIME)
	switch {
	case ext == "" && !own && b.Kind == Text:
		ext = ".txt"
	case ext == "" && !own && b.Kind == Structured:
		ext = ".json"
	case ext == "" && !own:
		ext = ".bin"
	case ext == ".txt" && own: // a Makefile is text/plain too
		ext = ""
	}
	return name + ext
}

// lastOf is the last part of a URI that is a name.
func lastOf(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	uri, _, _ = strings.Cut(uri, "?")
	uri = strings.TrimRight(uri, "/")
	uri = uri[strings.LastIndexByte(uri, '/')+1:]
	if decoded, err := url.PathUnescape(uri[strings.LastIndexByte(uri, ':')+1:]); err == nil {
		return decoded
	}
	return uri
}

// numbered puts a number between a name and its extension.
func numbered(name string, number string) string {
	ext := path.Ext(name)
	if len(ext) > maxExtension || ext == name {
		ext = ""
	}
	return strings.TrimSuffix(name, ext) + "-" + number + ext
}
