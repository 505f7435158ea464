package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxShown is how much of a value an error repeats.
const maxShown = 60

// oneOf lists the members of an enum, as many as can be read.
func oneOf(members []value) string {
	const most = 12
	var names []string
	for i := range members[:min(len(members), most)] {
		names = append(names, jsonOf(&members[i]))
	}
	switch {
	case len(members) > most:
		names = append(names, fmt.Sprintf("… (%d in all)", len(members)))
	case len(members) == 1:
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

// jsonOf shows a value, shortened, safe for a terminal.
func jsonOf(v *value) string {
	switch v.kind {
	case stringKind:
		return show(v.text)
	case objectKind, arrayKind:
		return article(v.kind)
	}
	return shorten(v.text)
}

func article(k kind) string {
	switch k {
	case nullKind:
		return "null"
	case arrayKind, objectKind:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// nameOf shows a name: bare if it is plain, else quoted.
func nameOf(name string) string {
	if isPlain(name) {
		return name
	}
	return show(name)
}

// show quotes a text, shortened.
func show(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	return strconv.Quote(shortened(s)) + "…"
}

func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return shortened(s) + "…"
}

func shortened(s string) string {
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// oneLine drops what could break the line or reach a terminal as a command.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

// isPlain says whether a name needs no quotes, as it can neither be mistaken
// for punctuation nor do anything to a terminal.
func isPlain(name string) bool {
	if name == "" || len(name) > maxShown {
		return false
	}
	for _, r := range name {
		if r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$@:/", r) {
			return false
		}
	}
	return true
}
