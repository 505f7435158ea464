package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// maxShown bounds, in bytes, what a report that people read shows of an answer.
const maxShown = 2000

// Plan is the beginning of a report in TAP, the Test Anything Protocol, version
// 14 (https://testanything.org/tap-version-14-specification.html).
func Plan(files []*File) string {
	n := 0
	for _, f := range files {
		n += len(f.Steps)
	}
	return fmt.Sprintf("TAP version 14\n1..%d\n", n)
}

// TAP is the part of the report about one outcome, whose number counts from 1. It
// is safe for a terminal.
func (o *Outcome) TAP(number int) string {
	name := strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(output.SafeLine(o.Step.Name))
	if o.Passed() {
		return fmt.Sprintf("ok %d - %s\n", number, name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "not ok %d - %s\n  ---\n", number, name)
	line := func(key string, value json.RawMessage) {
		fmt.Fprintf(&b, "  %s: %s\n", key, output.Safe(string(value)))
	}
	line("message", rawjson.Quote(o.Problem))
	line("file", rawjson.Quote(o.Step.File))
	if o.Step.Line > 0 {
		fmt.Fprintf(&b, "  line: %d\n", o.Step.Line)
	}
	if o.Got != nil {
		line("got", shown(o.Got))
	}
	b.WriteString("  ...\n")
	return b.String()
}

// BailOut is the end of a report that cannot go on.
func BailOut(err error) string { return "Bail out! " + output.SafeLine(err.Error()) + "\n" }

// shown is a document, or a text with its beginning if it is long.
func shown(doc json.RawMessage) json.RawMessage {
	if len(doc) <= maxShown {
		return doc
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(doc[cut]) {
		cut--
	}
	return rawjson.Quote(fmt.Sprintf("%s… (%d bytes)", doc[:cut], len(doc)))
}
