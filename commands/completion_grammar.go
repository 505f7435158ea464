package commands

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"mcpq/commands/completion"
)

// walk follows the words of a command line through the grammar, as kong would,
// but for a line that is not complete.
type walk struct {
	root *kong.Node
	node *kong.Node // the command that the words have come to
	flag *kong.Flag // whose value is the next word; nil for none

	args   []string                // of the command
	values map[*kong.Flag][]string // that were given; "" for flags without
	known  map[*kong.Flag]bool     // false: the shell alone knows the value
}

func newWalk(root *kong.Node) *walk {
	return &walk{root: root, node: root, values: make(map[*kong.Flag][]string), known: make(map[*kong.Flag]bool)}
}

// word takes a word.
func (w *walk) word(word completion.Word) {
	text := word.Text
	switch {
	case w.flag != nil:
		w.give(w.flag, text, !word.Unknown)
		w.flag = nil
	case strings.HasPrefix(text, "--"):
		name, value, ok := strings.Cut(text[2:], "=")
		w.option(w.find(name), value, ok, !word.Unknown)
	case strings.HasPrefix(text, "-") && text != "-":
		w.cluster(text[1:], !word.Unknown)
	default:
		if command := child(w.node, text); command != nil {
			w.node = command
			return
		}
		w.args = append(w.args, text)
	}
}

// cluster takes the letters behind a -.
func (w *walk) cluster(letters string, known bool) {
	for i, letter := range letters {
		flag := w.short(letter)
		if flag == nil {
			return
		}
		rest := letters[i+utf8.RuneLen(letter):]
		if takesValue(flag) {
			w.option(flag, rest, rest != "", known)
			return
		}
		w.give(flag, "", known)
	}
}

// option takes a flag, and its value where that is in the same word.
func (w *walk) option(flag *kong.Flag, value string, given, known bool) {
	switch {
	case flag == nil:
	case !takesValue(flag):
		w.give(flag, value, known) // as in --flag=false
	case given:
		w.give(flag, value, known)
	default:
		w.flag = flag
	}
}

func (w *walk) give(flag *kong.Flag, value string, known bool) {
	before, ok := w.known[flag]
	w.values[flag] = append(w.values[flag], value)
	w.known[flag] = known && (before || !ok)
}

// flagsOf are those that a command takes, its own first.
func flagsOf(n *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for ; n != nil; n = n.Parent {
		all = append(all, n.Flags...)
	}
	return all
}

func (w *walk) find(name string) *kong.Flag {
	return firstFlag(flagsOf(w.node), func(f *kong.Flag) bool { return f.Name == name || slices.Contains(f.Aliases, name) })
}

func (w *walk) short(letter rune) *kong.Flag {
	return firstFlag(flagsOf(w.node), func(f *kong.Flag) bool { return f.Short == letter })
}

// value gives the values of a flag by its name.
func (w *walk) value(name string) []string { return w.values[w.find(name)] }

func firstFlag(flags []*kong.Flag, is func(*kong.Flag) bool) *kong.Flag {
	if i := slices.IndexFunc(flags, is); i >= 0 {
		return flags[i]
	}
	return nil
}

func takesValue(f *kong.Flag) bool { return !f.IsBool() && !f.IsCounter() }

// child is the command of that name below a node; nil if there is none.
func child(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c
		}
	}
	return nil
}

// path is the command with its sub-command, without the program.
func (w *walk) path() string {
	names := []string{}
	for n := w.node; n != nil && n.Parent != nil; n = n.Parent {
		names = append([]string{n.Name}, names...)
	}
	return strings.Join(names, " ")
}

// offered are the flags of a command that may still be given.
func (w *walk) offered(n *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for _, f := range flagsOf(n) {
		_, given := w.values[f]
		repeats := f.IsCumulative() || f.IsCounter()
		if !f.Hidden && (!given || repeats) && !w.excluded(f) {
			all = append(all, f)
		}
	}
	return all
}

// excluded tells whether a flag that was given rules another one out.
func (w *walk) excluded(f *kong.Flag) bool {
	for other := range w.values {
		if other == f {
			continue
		}
		for _, group := range f.Xor {
			if slices.Contains(other.Xor, group) {
				return true
			}
		}
	}
	return false
}
