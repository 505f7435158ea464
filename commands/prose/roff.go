package prose

import (
	"fmt"
	"strings"
	"unicode"
)

// Roff lays a text out with the macros of man(7). It begins behind a heading,
// where no paragraph has to be begun.
func Roff(text string) string {
	var b strings.Builder
	for i, block := range Parse(text) {
		if i > 0 && block.List == nil {
			b.WriteString(".PP\n")
		}
		switch {
		case block.List != nil:
			RoffList(&b, block.List)
		case block.Example != nil:
			RoffExample(&b, block.Example, 4)
		default:
			RoffText(&b, block.Paragraph)
		}
	}
	return b.String()
}

// RoffList writes a list.
func RoffList(b *strings.Builder, items []Item) {
	for _, i := range items {
		term := RoffTerm(i.Term)
		if !strings.Contains(i.Term, "-") && strings.ToUpper(i.Term) == i.Term { // environment variables
			term = `\fB` + Escape(i.Term) + `\fR`
		}
		b.WriteString(".TP\n" + term + "\n")
		RoffText(b, i.Text)
	}
}

// RoffExample writes lines that are kept as they are, indented.
func RoffExample(b *strings.Builder, lines []string, indent int) {
	fmt.Fprintf(b, ".RS %d\n.EX\n", indent)
	for _, line := range lines {
		b.WriteString(atStart(Escape(line)) + "\n")
	}
	b.WriteString(".EE\n.RE\n")
}

// RoffText writes running text, a line each about as long as the lines of a
// terminal, so that changes of it are easily seen. Flags stand out.
func RoffText(b *strings.Builder, text string) {
	const width = 78
	column := 0
	for _, word := range words(text) {
		styled := emphasised(word)
		switch {
		case column == 0:
		case column+1+len(styled) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		if column == 0 {
			styled = atStart(styled)
		}
		b.WriteString(styled)
		column += len(styled)
	}
	b.WriteByte('\n')
}

// emphasised is a word of running text: bold if it is a flag.
func emphasised(word string) string {
	core := strings.TrimLeft(word, "('")
	if len(core) < 2 || core[0] != '-' || strings.Contains(word, " ") || core == "--" {
		return Escape(word)
	}
	before := word[:len(word)-len(core)]
	flag := strings.TrimRight(core, ".,;:)'…")
	return Escape(before) + `\fB` + Escape(flag) + `\fR` + Escape(core[len(flag):])
}

// RoffTerm is a term of a list, or the usage of a command: what is typed as it
// is is bold, what stands for something else, in capitals, is not.
func RoffTerm(term string) string {
	var b strings.Builder
	font := 'R'
	for _, part := range termParts(term) {
		want := 'B'
		switch {
		case strings.Trim(part, " []|…,()") == "":
			want = 'R'
		case isPlaceholder(part):
			want = 'I'
		}
		if want != font && strings.TrimSpace(part) != "" {
			b.WriteString(`\f` + string(want))
			font = want
		}
		b.WriteString(Escape(part))
	}
	if font != 'R' {
		b.WriteString(`\fR`)
	}
	return atStart(b.String())
}

// termParts takes a term apart: words, and what stands between them.
func termParts(term string) []string {
	var parts []string
	start, inWord := 0, false
	for i, r := range term {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_$./@'\\{}", r)
		if i > 0 && word != inWord {
			parts = append(parts, term[start:i])
			start = i
		}
		inWord = word
	}
	return append(parts, term[start:])
}

// isPlaceholder tells whether a word is in capitals, and no environment
// variable or number.
func isPlaceholder(word string) bool {
	return strings.ContainsFunc(word, unicode.IsLetter) && strings.ToUpper(word) == word &&
		!strings.ContainsAny(word, "_$") && !strings.HasPrefix(word, "-")
}

// Escape makes text what troff prints as it is: hyphens that can be copied,
// quotes that stay straight, and no bytes but those of ASCII.
func Escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch r {
		case '\\':
			b.WriteString(`\e`)
		case '-':
			b.WriteString(`\-`)
		case '\'':
			b.WriteString(`\(aq`)
		case '"':
			b.WriteString(`\(dq`)
		case '`':
			b.WriteString(`\(ga`)
		case '^':
			b.WriteString(`\(ha`)
		case '~':
			b.WriteString(`\(ti`)
		default:
			if r < 0x80 {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, `\[u%04X]`, r)
			}
		}
	}
	return b.String()
}

// atStart keeps a line from being taken for a request.
func atStart(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
