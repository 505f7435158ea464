package commands

import (
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/completion"
)

// completer finds out what may stand at the cursor of one line.
type completer struct {
	r        *runner
	line     *completion.Line
	terminal func() (io.ReadWriteCloser, error) // that a person types at; may be nil

	*walk               // up to the cursor
	whole *walk         // with what stands behind it
	args  []string      // of the command, in front of the cursor
	later []string      // behind it
	peer  *completePeer // the server
}

// answer is what may stand at the cursor.
func (c *completer) answer() (*completion.Answer, error) {
	if c.line.Redirect {
		return &completion.Answer{Files: completion.AnyFile}, nil
	}
	isDashes := func(w completion.Word) bool { return w.Text == "--" }
	if i := slices.IndexFunc(c.line.Before, isDashes); i >= 0 {
		return &completion.Answer{Command: true, Dashes: i, Files: completion.AnyFile}, nil
	}
	c.r.grammar = new(grammar)
	parser, err := c.r.parser(c.r.grammar, table(), helpOptions()...)
	if err != nil {
		return nil, err
	}
	after := c.line.After
	var command []completion.Word
	dashes := slices.IndexFunc(after, isDashes)
	if dashes >= 0 {
		after, command = after[:dashes], after[dashes+1:]
	}
	c.walk, c.whole = newWalk(parser.Model.Node), newWalk(parser.Model.Node)
	for _, w := range c.line.Before {
		c.walk.word(w)
		c.whole.word(w)
	}
	c.args = c.walk.args
	c.whole.flag = nil // its value is at the cursor
	for _, w := range after {
		c.whole.word(w)
	}
	c.later = c.whole.args[len(c.args):]
	c.peer = &completePeer{r: c.r, terminal: c.terminal, walk: c.whole, dashes: dashes >= 0, command: command}
	return c.atCursor(), nil
}

// atCursor looks at the word itself.
func (c *completer) atCursor() *completion.Answer {
	text := c.line.Word.Text
	switch {
	case c.flag != nil:
		return c.flagValue(c.flag, "", text)
	case strings.HasPrefix(text, "--") && strings.Contains(text, "="):
		name, value, _ := strings.Cut(text[2:], "=")
		if f := c.find(name); f != nil && takesValue(f) {
			return c.flagValue(f, "--"+name+"=", value)
		}
		return new(completion.Answer)
	case strings.HasPrefix(text, "-"):
		return c.options(text)
	case len(c.node.Children) > 0 && len(c.args) == 0:
		return c.commands(text)
	}
	return c.argument(text)
}

// options are the flags; or the values of one that stands in the same word.
func (c *completer) options(text string) *completion.Answer {
	if letters := strings.TrimPrefix(text, "-"); !strings.HasPrefix(letters, "-") {
		for i, letter := range letters {
			f := c.short(letter)
			if f == nil {
				break
			}
			if value := letters[i+len(string(letter)):]; takesValue(f) && value != "" {
				return c.flagValue(f, strings.TrimSuffix(text, value), value)
			}
		}
	}
	a := new(completion.Answer)
	for _, f := range c.shown() {
		if f.Short != 0 && (text == "-" || text == "-"+string(f.Short)) {
			a.Items = append(a.Items, completion.Item{Text: "-" + string(f.Short), Help: f.Help})
		}
		a.Items = append(a.Items, completion.Item{Text: "--" + f.Name, Help: f.Help})
	}
	if !c.bare() && (text == "-" || text == "--") {
		a.Items = append(a.Items, completion.Item{Text: "--", Help: "The command of a server follows."})
	}
	return a
}

// shown are the flags to offer. A command that is not about a server has none
// but its own.
func (c *completer) shown() []*kong.Flag {
	flags := c.whole.offered(c.node)
	if !c.bare() {
		return flags
	}
	return slices.DeleteFunc(flags, func(f *kong.Flag) bool {
		return slices.Contains(c.root.Flags, f) && f.Name != "help"
	})
}

// bare tells whether the command has nothing to do with a server.
func (c *completer) bare() bool {
	top, _, _ := strings.Cut(c.path(), " ")
	return slices.ContainsFunc(table(), func(k command) bool { return k.name == top && k.bare })
}

// commands are those below the one at hand.
func (c *completer) commands(text string) *completion.Answer {
	a := new(completion.Answer)
	fits := false
	for _, n := range c.node.Children {
		if !n.Hidden {
			a.Items = append(a.Items, completion.Item{Text: n.Name, Help: n.Help})
			fits = fits || strings.HasPrefix(n.Name, text)
		}
	}
	if fits {
		return a
	}
	for _, n := range c.node.Children { // other names are for those who know them
		for _, alias := range n.Aliases {
			a.Items = append(a.Items, completion.Item{Text: alias, Help: n.Help})
		}
	}
	return a
}

// given puts the values of a flag or argument behind what stands before them in
// the word.
func given(lead string, items ...completion.Item) *completion.Answer {
	for i := range items {
		items[i].Text = lead + items[i].Text
	}
	return &completion.Answer{Items: items}
}

// itemsOf makes items of plain words.
func itemsOf(words ...string) []completion.Item {
	items := make([]completion.Item, len(words))
	for i, w := range words {
		items[i].Text = w
	}
	return items
}

// filesBehind are the files that may follow lead.
func filesBehind(lead string, kind completion.Files) *completion.Answer {
	return &completion.Answer{Files: kind, From: len(lead)}
}
