package prose

import (
	"strings"
	"unicode/utf8"
)

// Terminal lays a text out in lines of a width.
func Terminal(text string, width int) string {
	var b strings.Builder
	for i, block := range Parse(text) {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case block.List != nil:
			Columns(&b, block.List, width)
		case block.Example != nil:
			for _, line := range block.Example {
				b.WriteString("    " + line + "\n")
			}
		default:
			Wrap(&b, block.Paragraph, 0, width)
		}
	}
	return b.String()
}

// Columns writes a list, indented by two, in two columns of which the first is
// as wide as it must be, but leaves room for the second.
func Columns(b *strings.Builder, items []Item, width int) {
	const gap = 2
	most := max(width*2/5, 20)
	column := 0
	for _, i := range items {
		if n := utf8.RuneCountInString(i.Term); n <= most {
			column = max(column, n)
		}
	}
	if column == 0 {
		column = 8 // no term fits
	}
	text := itemIndent + column + gap
	for _, i := range items {
		b.WriteString("  " + i.Term)
		n := utf8.RuneCountInString(i.Term)
		if i.Text == "" {
			b.WriteByte('\n')
			continue
		}
		if n > column {
			b.WriteString("\n" + strings.Repeat(" ", text))
		} else {
			b.WriteString(strings.Repeat(" ", column-n+gap))
		}
		wrapFrom(b, i.Text, text, width)
	}
}

// Wrap writes a paragraph in lines of a width that are indented.
func Wrap(b *strings.Builder, text string, indent, width int) {
	b.WriteString(strings.Repeat(" ", indent))
	wrapFrom(b, text, indent, width)
}

// wrapFrom is Wrap when the indent of the first line has been written.
func wrapFrom(b *strings.Builder, text string, indent, width int) {
	column := indent
	for i, word := range words(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}
