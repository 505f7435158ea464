// Package frontmatter compares the YAML front matter of a Markdown file with a
// JSON object that claims to be the same.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxSize bounds the front matter that is looked at, in bytes. That of real
// files has a few hundred, and what a parser does with many nested brackets is
// quadratic.
const MaxSize = 16 << 10

// Error is front matter that is not what was said of it.
type Error struct {
	Field  string // as a path such as metadata.version; empty for all of it
	Reason string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return "front matter: " + e.Reason
	}
	return fmt.Sprintf("front matter: %s: %s", e.Field, e.Reason)
}

// Split cuts the front matter out of a document: what stands between a first
// line of three hyphens and the next one.
func Split(document []byte) ([]byte, error) {
	rest := bytes.TrimPrefix(document, []byte("\xef\xbb\xbf"))
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	if !isFence(line) {
		return nil, &Error{Reason: "there is none"}
	}
	for at := 0; at < len(rest); {
		line, _, _ := bytes.Cut(rest[at:], []byte("\n"))
		if isFence(line) {
			if at > MaxSize {
				return nil, &Error{Reason: fmt.Sprintf("it is larger than %d bytes", MaxSize)}
			}
			return rest[:at], nil
		}
		at += len(line) + 1
	}
	return nil, &Error{Reason: "it has no end"}
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r")) == "---" }

// Compare compares the front matter of a document, field by field, with a JSON
// object. Scalars for which versions 1.1 and 1.2 of YAML disagree, such as yes
// or 010, match either way of reading them. A difference is an *Error.
func Compare(document []byte, claimed json.RawMessage) (err error) {
	text, err := Split(document)
	if err != nil {
		return err
	}
	defer func() { // of the parser, which is not ours
		if p := recover(); p != nil {
			err = &Error{Reason: "it cannot be read"}
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return &Error{Reason: "it is not YAML: " + firstLine(err)}
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	if len(bodies) != 1 {
		return &Error{Reason: "it is not one YAML mapping"}
	}
	c := &comparison{anchors: make(map[string]ast.Node), budget: maxSteps}
	return c.value("", bodies[0], claimed)
}

// firstLine is what a parser says before it draws the place.
func firstLine(err error) string {
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return string(line)
}

// maxSteps bounds the values that are looked at: aliases make few bytes into
// many values.
const maxSteps = 100_000
