// Package prose lays out the program's own texts: wrapped for a terminal, or in
// troff for man.
//
// A text is written as it is to be read on a terminal, and its shape says what
// is what. Blocks are separated by empty lines:
//
//   - Lines that begin at the margin are a paragraph, and wrapped anew.
//   - Lines indented by two are a list: a term, two spaces or more, and what is
//     said of it, which goes on in lines that are indented further. What is said
//     may also begin in the next line.
//   - Lines indented by four, or by two with no such gaps, are kept as they are:
//     examples.
package prose

import (
	"strings"
	"unicode/utf8"
)

// Block is a paragraph, a list or an example: one of its fields is set.
type Block struct {
	Paragraph string
	List      []Item
	Example   []string // lines, without their common indent
}

// Item is an item of a list.
type Item struct{ Term, Text string }

// Parse finds the blocks of a text.
func Parse(text string) []Block {
	var blocks []Block
	var lines []string
	end := func() {
		if len(lines) > 0 {
			blocks = append(blocks, block(lines))
			lines = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			end()
			continue
		case len(lines) > 0 && (indent(lines[0]) == 0) != (indent(line) == 0):
			end()
		}
		lines = append(lines, line)
	}
	end()
	return blocks
}

// block makes one block of the lines of one.
func block(lines []string) Block {
	switch indent(lines[0]) {
	case 0:
		return Block{Paragraph: strings.Join(lines, " ")}
	case itemIndent:
		if items := list(lines); items != nil {
			return Block{List: items}
		}
	}
	least := indent(lines[0])
	for _, l := range lines {
		least = min(least, indent(l))
	}
	example := make([]string, len(lines))
	for i, l := range lines {
		example[i] = l[least:]
	}
	return Block{Example: example}
}

const itemIndent = 2

// list reads a list; nil if the lines are none.
func list(lines []string) []Item {
	var items []Item
	for _, line := range lines {
		if indent(line) > itemIndent {
			last := &items[len(items)-1]
			last.Text = strings.TrimSpace(last.Text + " " + strings.TrimSpace(line))
			continue
		}
		term, text, _ := strings.Cut(line[itemIndent:], "  ")
		items = append(items, Item{term, strings.TrimSpace(text)})
	}
	for _, i := range items {
		if i.Text == "" {
			return nil
		}
	}
	return items
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// words are what a line may be broken between. A command in single quotes is
// one of them, unless it is long.
func words(text string) []string {
	const long = 32
	var found []string
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i++ {
		word := fields[i]
		if strings.HasPrefix(strings.TrimLeft(word, "("), "'") {
			whole := word
			for j := i + 1; j <= len(fields) && utf8.RuneCountInString(whole) <= long; j++ {
				if strings.HasSuffix(strings.TrimRight(whole, ".,;:)"), "'") && len(whole) > 1 {
					word, i = whole, j-1
					break
				}
				if j < len(fields) {
					whole += " " + fields[j]
				}
			}
		}
		found = append(found, word)
	}
	return found
}
