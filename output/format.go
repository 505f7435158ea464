package output

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Format says what a result is printed as.
type Format string

// The values of [Format]. The empty Format means [FormatJSON].
const (
	FormatJSON   Format = "json"
	FormatNDJSON Format = "ndjson" // one item of a list, or of content, a line
	FormatYAML   Format = "yaml"
	FormatTable  Format = "table" // rows of a list
	FormatText   Format = "text"  // what a person would read
)

// Formats lists the values of [Format].
func Formats() []string {
	return []string{string(FormatJSON), string(FormatNDJSON), string(FormatYAML), string(FormatTable), string(FormatText)}
}

// ParseFormat finds a format by its name.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return FormatJSON, nil
	}
	if !slices.Contains(Formats(), name) {
		return "", fmt.Errorf("unknown format %q: choose %s", name, strings.Join(Formats(), ", "))
	}
	return Format(name), nil
}

// json tells whether documents are printed as JSON documents.
func (f Format) json() bool { return f == "" || f == FormatJSON }

// PerItem tells whether the items of a list are printed one by one, so that a
// caller may hand them to [Printer.Items] as they come.
func (p *Printer) PerItem() bool { return p.opts.Format == FormatNDJSON && p.opts.Filter == nil }

// Items prints items of a list, each a document of its own.
func (p *Printer) Items(items []json.RawMessage) error {
	for _, item := range items {
		item = compact(item)
		p.last.set(item)
		if err := p.line(p.render(item)); err != nil {
			return err
		}
	}
	return p.endDocuments()
}

// format prints one document, which is compact, in another form than JSON.
func (p *Printer) format(doc []byte) error {
	switch p.opts.Format {
	case FormatNDJSON:
		for _, item := range linesOf(doc) {
			if err := p.line(p.render(item)); err != nil {
				return err
			}
		}
		return nil
	case FormatYAML:
		if p.printed {
			if err := p.line([]byte("---")); err != nil {
				return err
			}
		}
		p.printed = true
		return p.whole(AppendYAML(nil, doc))
	case FormatTable:
		return p.whole(appendTable(nil, doc, p.opts.Columns))
	}
	return p.whole(p.appendText(nil, doc))
}

func (p *Printer) line(b []byte) error {
	if _, err := p.buf.Write(b); err != nil {
		return err
	}
	return p.buf.WriteByte('\n')
}

func (p *Printer) whole(b []byte) error {
	_, err := p.buf.Write(b)
	return err
}

// Coloured tells whether colours are wanted.
func (p *Printer) Coloured() bool { return p.colour }

// Page prints a text of our own, whose parts from a server are safe already.
func (p *Printer) Page(text string) error {
	if err := p.whole([]byte(text)); err != nil {
		return err
	}
	return p.endDocuments()
}
