package args

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// baseFlag names the whole-object flag in errors.
const baseFlag = "--args"

// maxShown is how much of a value an error repeats: enough to recognize it.
const maxShown = 60

// Error is a mistake in an argument: nothing may be sent.
type Error struct {
	Argument string // the argument as the user named it, or --args
	Reason   string // what was expected and what was given, one line
	Err      error  // the cause, if there is one
	Bare     bool   // the argument is a word without =
}

func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Argument == "":
	case e.Argument == baseFlag:
		b.WriteString(baseFlag + ": ")
	default:
		b.WriteString("argument " + displayName(e.Argument) + ": ")
	}
	b.WriteString(e.Reason)
	if e.Err != nil {
		b.WriteString(": " + oneLine(e.Err.Error()))
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// displayName leaves plain names bare and quotes the others, so that a name
// can neither break the line nor reach the terminal as a control sequence.
func displayName(name string) string {
	if name == "" {
		return `""`
	}
	for _, r := range name {
		if r == utf8.RuneError || r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return show(name)
		}
	}
	if len(name) > maxShown {
		return show(name)
	}
	return name
}

// show quotes a value for an error, shortened.
func show(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "…"
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

// article puts "a" or "an" before the name of a JSON type.
func article(kind string) string {
	switch kind {
	case "null":
		return "null"
	case "integer", "array", "object":
		return "an " + kind
	}
	return "a " + kind
}
