// Package frontmatter compares the YAML front matter of a Markdown file with a
// JSON object that claims to be the same.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"mcpq/internal/yamltree"
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
func Compare(document []byte, claimed json.RawMessage) error {
	text, err := Split(document)
	if err != nil {
		return err
	}
	doc, err := yamltree.Parse(text)
	if err == nil {
		c := &comparison{doc}
		err = c.value("", doc.Root, claimed)
	}
	var unreadable *yamltree.Error
	if errors.As(err, &unreadable) {
		return &Error{Field: unreadable.Path, Reason: unreadable.Reason}
	}
	return err
}
