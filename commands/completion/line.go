package completion

import (
	"path"
	"slices"
	"strings"
)

// Line is a command line that is being typed, without the name of the program.
type Line struct {
	Before []Word // in front of the word at the cursor
	Word   Word   // at the cursor, up to it
	After  []Word // behind the word at the cursor

	// Redirect tells that the word at the cursor is the file of a redirection.
	Redirect bool

	shell    Shell
	replaced string
	point    decoder // of the word at the cursor
	text     string  // before the cursor
	ends     []int   // where in it the words of Before end
}

// Read reads what stands before and behind the cursor. Getenv gives the values
// of variables. Replaced is what bash is going to replace by the answer, the end
// of the word at the cursor: it takes words apart at = and : too.
func Read(shell Shell, before, after, replaced string, getenv func(string) string) *Line {
	s := &scanner{shell: shell, getenv: getenv, text: before + after, cursor: len(before)}
	l := &Line{shell: shell, text: before, replaced: replaced, point: *s.decoder()}
	found, redirect := false, false // the word at the cursor; a > before the next word
	for {
		t := s.next()
		if !found && t.start >= s.cursor {
			found, l.Redirect = true, redirect // there is a blank at the cursor
		}
		switch {
		case t.kind == endToken && t.start < s.cursor:
			l.Before, l.ends = nil, nil // what follows is another command
		case t.kind == endToken:
			l.dropProgram()
			return l
		case t.kind == redirectToken || t.kind == numberToken:
		case t.start < s.cursor && t.end >= s.cursor:
			l.point = *s.decoder()
			l.point.decode(before[t.start:])
			l.Word, l.Redirect, found = l.point.word, redirect, true
		case redirect:
		case t.end < s.cursor:
			l.Before, l.ends = append(l.Before, t.word), append(l.ends, t.end)
		default:
			l.After = append(l.After, t.word)
		}
		redirect = t.kind == redirectToken
	}
}

// Behind is the text between the i-th word before the cursor and the cursor.
func (l *Line) Behind(i int) string { return strings.TrimLeft(l.text[l.ends[i]:], " \t") }

// program is what fish, which hands over keywords and variables too, is asked
// about.
const program = "mcpq"

// dropProgram takes the name of the program away, and what stands before it.
func (l *Line) dropProgram() {
	n := 0
	for n < len(l.Before) && isAssignment(l.Before[n].Raw) {
		n++
	}
	if l.shell == Fish {
		named := func(w Word) bool { return path.Base(w.Text) == program }
		if i := slices.IndexFunc(l.Before, named); i >= 0 {
			n = i
		}
	}
	n = min(n+1, len(l.Before))
	l.Before, l.ends = l.Before[n:], l.ends[n:]
}

func isAssignment(raw string) bool {
	name, _, ok := strings.Cut(raw, "=")
	return ok && isName(name)
}

// token is a part of a line.
type token struct {
	kind       tokenKind
	start, end int
	word       Word // of a wordToken
}

type tokenKind int

const (
	wordToken     tokenKind = iota
	redirectToken           // <, >> and the like
	numberToken             // the 2 of 2>
	endToken                // of the line, or of the command
)

// scanner takes a line apart.
type scanner struct {
	shell  Shell
	getenv func(string) string
	text   string
	cursor int
	at     int
}

func (s *scanner) decoder() *decoder {
	return &decoder{shell: s.shell, getenv: s.getenv}
}

func (s *scanner) next() token {
	for {
		rest := strings.TrimLeft(s.text[s.at:], " \t")
		joined := strings.TrimPrefix(rest, "\\\n") // the line goes on
		s.at = len(s.text) - len(joined)
		if len(joined) == len(rest) {
			break
		}
	}
	t := token{kind: endToken, start: s.at}
	switch rest := s.text[s.at:]; {
	case rest == "":
	case rest[0] == '<' || rest[0] == '>' || strings.HasPrefix(rest, "&>"):
		t.kind = redirectToken
		s.at += len(rest) - len(strings.TrimLeft(rest, "<>&|"))
	case strings.IndexByte(";|&\n)", rest[0]) >= 0:
		s.at++
	default:
		t.kind = wordToken
		t.word = s.word()
		if isNumber(t.word.Raw) && s.at < len(s.text) && strings.IndexByte("<>", s.text[s.at]) >= 0 {
			t.kind = numberToken
		}
	}
	t.end = s.at
	return t
}

// word reads a word. One at the cursor whose quote is never closed ends with the
// first blank behind the cursor: the rest is meant to be other words.
func (s *scanner) word() Word {
	d := s.decoder()
	end := s.at + d.decode(s.text[s.at:])
	if d.quote != 0 && s.at < s.cursor {
		if n := strings.IndexAny(s.text[s.cursor:], " \t\n"); n >= 0 {
			end = s.cursor + n
		}
	}
	s.at = end
	return d.word
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
