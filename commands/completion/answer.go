package completion

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mcpq/output"
)

// Item is one candidate.
type Item struct {
	Text string // the whole word
	Help string // what it is, in a few words
	Open bool   // the word goes on behind it: no blank is put there
}

// Files says which files the word at the cursor may name.
type Files int

// The kinds of files.
const (
	NoFiles Files = iota
	AnyFile
	Folders
)

// Answer is what may stand at the cursor.
type Answer struct {
	Items []Item
	Files Files
	From  int // where in the text of the word the name of the file begins

	// Command tells that the word belongs to the command behind --, of which
	// that is the i-th word before the cursor.
	Command bool
	Dashes  int
}

// maxHelp is how much of a description is shown.
const maxHelp = 100

// Encode writes the answer as the shell wants it. What would steer a terminal,
// or break a line, is no candidate.
func (l *Line) Encode(a *Answer) []byte {
	items := make([]Item, 0, len(a.Items))
	for _, item := range a.Items {
		if safe(item.Text) && item.Text != "" {
			items = append(items, item)
		}
	}
	var b strings.Builder
	b.WriteString(l.mode(a) + "\n")
	if a.Files != NoFiles && l.shell != Zsh {
		items = append(items, l.files(a)...)
	}
	for _, item := range items {
		if line, ok := l.encode(item); ok {
			b.WriteString(line + "\n")
		}
	}
	return []byte(b.String())
}

// mode is the first line of an answer.
func (l *Line) mode(a *Answer) string {
	switch {
	case a.Command && l.shell == Fish && !strings.Contains(l.Behind(a.Dashes), "\n"):
		return "command " + l.Behind(a.Dashes)
	case a.Command && l.shell != Fish:
		return "command"
	case l.shell != Zsh: // the files are among the candidates
	case a.Files == AnyFile:
		return "files " + strconv.Itoa(l.rawLength(a.From))
	case a.Files == Folders:
		return "dirs " + strconv.Itoa(l.rawLength(a.From))
	}
	return "words"
}

// rawLength is how many characters of the raw word make the first n bytes of
// its text.
func (l *Line) rawLength(n int) int {
	n = min(max(n+len(l.Word.Typed)-len(l.Word.Text), 0), len(l.Word.Typed))
	raw := l.Word.Raw
	switch {
	case n == 0:
		return 0 // a quote that is open is no part of the word to zsh
	case n < len(l.point.at):
		raw = raw[:l.point.at[n]]
	}
	return utf8.RuneCountInString(raw)
}

// encode writes one candidate; ok is false for one that does not go on with
// what is typed, where the shell leaves it to the program to tell.
func (l *Line) encode(item Item) (line string, ok bool) {
	rest, goesOn := strings.CutPrefix(item.Text, l.Word.Text)
	help := brief(item.Help)
	switch l.shell {
	case Bash:
		if !goesOn {
			return "", false
		}
		line = l.kept() + quote(rest, l.point.quote)
		if !item.Open && l.point.quote == 0 {
			line += " "
		}
		return line, true
	case Zsh:
		text := strings.NewReplacer(`\`, `\\`, `:`, `\:`).Replace(item.Text)
		if line = "final "; item.Open {
			line = "open "
		}
		if line += text; help != "" {
			line += ":" + help
		}
		return line, true
	}
	text := item.Text
	if l.Word.Typed != l.Word.Text { // fish compares with what was typed
		if !goesOn {
			return "", false
		}
		text = l.Word.Typed + rest
	}
	return text + "\t" + help, true
}

// kept is the part of the raw word that bash replaces, as it was typed.
func (l *Line) kept() string {
	kept := l.Word.Raw
	if strings.HasSuffix(kept, l.replaced) {
		kept = l.replaced
	}
	if l.point.dangling {
		kept = strings.TrimSuffix(kept, `\`)
	}
	return kept
}

// brief is the first line of a description, cut, and safe on a terminal.
func brief(help string) string {
	help, _, _ = strings.Cut(strings.TrimSpace(help), "\n")
	help = strings.TrimSpace(output.SafeLine(help))
	if r := []rune(help); len(r) > maxHelp {
		return string(r[:maxHelp-1]) + "…"
	}
	return help
}

func safe(s string) bool { return output.SafeLine(s) == s }
