package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/prose"
	"mcpq/output"
)

// HelpCmd shows a topic, or the help of a command.
type HelpCmd struct {
	Topic []string `arg:"" optional:"" help:"A topic, or a command."`
}

// Run prints it.
func (h *HelpCmd) Run(r *runner) error {
	k, err := r.wholeParser()
	if err != nil {
		return err
	}
	page := r.newPage()
	switch t, node := findTopic(h.Topic), findNode(k.Model, h.Topic); {
	case len(h.Topic) == 0:
		page.overview(k.Model)
	case t != nil && t.name == topicFlags:
		page.sharedFlags(k.Model)
	case t != nil: // auth is a command too, which has --help
		page.b.WriteString(prose.Terminal(t.text, page.width))
	case node != nil:
		page.command(k.Model, node)
	default:
		return noHelp(k.Model, h.Topic)
	}
	return page.print(r)
}

// noHelp is the error for words that are neither a topic nor a command.
func noHelp(m *kong.Application, words []string) error {
	u := &UsageError{Hint: "topics: " + strings.Join(topicNames(), ", ") + "; and every command"}
	known := topicNames()
	for _, c := range m.Children {
		known = append(known, append([]string{c.Name}, c.Aliases...)...)
	}
	unknown := words[0]
	if findTopic(words[:1]) != nil {
		known = nil // what is too much is behind it
	}
	if node := findNode(m, words[:1]); node != nil {
		unknown, known = words[1], commandNames(node)
	}
	u.Err = fmt.Errorf("no help on %q%s", strings.Join(words, " "), didYouMean(unknown, known))
	return u
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return names
}

func findTopic(words []string) *topic {
	for _, t := range topics() {
		if len(words) == 1 && t.name == words[0] {
			return &t
		}
	}
	return nil
}

// findNode finds a command, or a command of a command.
func findNode(m *kong.Application, words []string) *kong.Node {
	node := m.Node
	for _, w := range words {
		i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == w || slices.Contains(c.Aliases, w) })
		if i < 0 {
			return nil
		}
		node = node.Children[i]
	}
	if node == m.Node {
		return nil
	}
	return node
}

// printHelp is what kong calls for -h and --help.
func (r *runner) printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	page := r.newPage()
	if node := ctx.Selected(); node != nil {
		page.command(ctx.Model, node)
	} else {
		page.program(ctx.Model)
	}
	return page.print(r)
}

// newPage begins a page as wide as the terminal, but not too wide to be read.
func (r *runner) newPage() *helpPage {
	const usual, least, most = 80, 40, 100
	width := columns(r.env)
	if width == 0 {
		width = usual
	}
	colour := colourOf(output.ColorAuto, r.env.Getenv)
	return &helpPage{
		width:  min(max(width, least), most),
		styled: !noColor(r.env) && (colour == output.ColorAlways || colour == output.ColorAuto && r.env.OutTTY),
	}
}

func (p *helpPage) print(r *runner) error {
	if _, err := fmt.Fprint(r.env.Out, p.b.String()); err != nil {
		return &output.WriteError{Stream: "stdout", Err: err}
	}
	return nil
}
