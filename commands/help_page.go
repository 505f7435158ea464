package commands

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/prose"
)

const synopsis = "mcpq [FLAG…] COMMAND [ARG…] [-- SERVER-COMMAND [ARG…]]"

const summary = `curl and jq for MCP: one operation on a Model Context Protocol server, JSON on stdout, an exit code to branch on.`

const exitSummary = `0 done, 1 the answer is "no", 2 usage, 3 no session, 4 the server broke the protocol, 5 JSON-RPC error, 6 the tool failed, 7 not allowed, 8 out of time: 'mcpq help exit-codes'.`

// programExamples are those of the program as a whole.
func programExamples() []string {
	return []string{
		"mcpq list-tools -s demo: --jq '.tools[].name' -r",
		"mcpq call add a=2 b=3 -s demo: --format text",
		"mcpq describe add -- mcpq demo           # a server command goes behind --",
		`mcpq read demo://readme -s "$URL" -H 'Authorization: Bearer …'`,
	}
}

// dailyFlags are shown in the help of the program; 'mcpq help flags' shows all.
func dailyFlags() []string {
	return []string{"server", "header", "jq", "raw", "exit-status", "format", "timeout", "verbose", "trace", "help"}
}

// helpPage is a page of help being written.
type helpPage struct {
	b      strings.Builder
	width  int
	styled bool // headings stand out, on a terminal
}

// program is the page of mcpq itself: commands first, then the flags that are
// used daily, so that it is read in two screens.
func (p *helpPage) program(m *kong.Application) {
	p.usage(synopsis)
	p.b.WriteByte('\n')
	prose.Wrap(&p.b, summary, 0, p.width)
	p.commands(m)
	p.examples(programExamples())
	p.heading("Flags used most", " (all: 'mcpq help flags')")
	var daily []*kong.Flag
	for _, name := range dailyFlags() {
		if i := slices.IndexFunc(m.Flags, func(f *kong.Flag) bool { return f.Name == name }); i >= 0 {
			daily = append(daily, m.Flags[i])
		}
	}
	p.flags(daily)
	p.topics()
	p.heading("Exit codes", "")
	prose.Wrap(&p.b, exitSummary, 2, p.width)
}

// overview is what 'mcpq help' shows: all that there is help on.
func (p *helpPage) overview(m *kong.Application) {
	p.b.WriteString("'mcpq help COMMAND|TOPIC' shows more, 'mcpq --help' flags and examples.\n")
	p.commands(m)
	p.topics()
}

// commands lists the commands in their groups.
func (p *helpPage) commands(m *kong.Application) {
	column := 0
	for _, c := range m.Children {
		if !c.Hidden {
			column = max(column, len(c.Name))
		}
	}
	for _, group := range commandGroups() {
		var items []prose.Item
		for _, c := range m.Children {
			if !c.Hidden && about(c.Name).group == group {
				items = append(items, prose.Item{Term: c.Name + strings.Repeat(" ", column-len(c.Name)), Text: c.Help})
			}
		}
		if len(items) > 0 {
			p.heading(group, "")
			prose.Columns(&p.b, items, p.width)
		}
	}
}

func (p *helpPage) topics() {
	p.heading("Topics", " ('mcpq help TOPIC')")
	var items []prose.Item
	for _, t := range topics() {
		items = append(items, prose.Item{Term: t.name, Text: t.about})
	}
	prose.Columns(&p.b, items, p.width)
}

// command is the page of a command: what is its own in full, of the flags that
// all share only the names. Those would fill two more screens.
func (p *helpPage) command(m *kong.Application, node *kong.Node) {
	p.usage(usageLine(node))
	if len(node.Aliases) > 0 {
		p.b.WriteString("Also:  mcpq " + strings.Join(node.Aliases, ", mcpq ") + "\n")
	}
	text := aboutNode(node)
	p.b.WriteString("\n" + prose.Terminal(description(node), p.width))
	p.examples(text.examples)
	if len(node.Children) > 0 {
		p.heading("Commands", "")
		var items []prose.Item
		for _, c := range node.Children {
			items = append(items, prose.Item{Term: nodePath(c), Text: c.Help})
		}
		prose.Columns(&p.b, items, p.width)
	}
	if len(node.Positional) > 0 {
		p.heading("Arguments", "")
		var items []prose.Item
		for _, v := range node.Positional {
			items = append(items, prose.Item{Term: positional(v), Text: v.Help})
		}
		prose.Columns(&p.b, items, p.width)
	}
	if own := ownFlags(node); len(own) > 0 {
		p.heading("Flags", "")
		p.flags(own)
	}
	if isBare(node) {
		return
	}
	for _, g := range flagGroups(m) {
		if g.key == text.flags && g.key != "" {
			p.heading(g.title, "")
			p.flags(g.flags)
		}
	}
	p.heading("Flags of all commands", " (what they do: 'mcpq help flags')")
	var items []prose.Item
	for _, g := range flagGroups(m) {
		if g.key == text.flags && g.key != "" {
			continue
		}
		var names []string
		for _, f := range g.flags {
			name := "--" + f.Name
			if f.Short != 0 {
				name = "-" + string(f.Short) + "/" + name
			}
			names = append(names, name)
		}
		items = append(items, prose.Item{Term: g.title, Text: strings.Join(names, ", ")})
	}
	prose.Columns(&p.b, items, p.width)
}

// sharedFlags is the page of the flags that commands have in common.
func (p *helpPage) sharedFlags(m *kong.Application) {
	p.b.WriteString(prose.Terminal(flagsIntro, p.width))
	for _, g := range flagGroups(m) {
		p.heading(g.title, "")
		p.flags(g.flags)
	}
}

const flagsIntro = `Flags of all commands that have to do with a server. They may stand before or behind the command; what a command has of its own is shown by 'mcpq COMMAND --help'.`

func (p *helpPage) flags(flags []*kong.Flag) {
	short := slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Short != 0 })
	var items []prose.Item
	for _, f := range flags {
		term := flagForm(f)
		if short && f.Short == 0 {
			term = "    " + term
		}
		items = append(items, prose.Item{Term: term, Text: f.Help})
	}
	prose.Columns(&p.b, items, p.width)
}

func (p *helpPage) examples(lines []string) {
	if len(lines) == 0 {
		return
	}
	p.heading("Examples", "")
	for _, l := range lines {
		p.b.WriteString("  " + l + "\n")
	}
}

// usage is the first line of a page.
func (p *helpPage) usage(line string) { p.b.WriteString(p.strong("Usage:") + " " + line + "\n") }

func (p *helpPage) strong(text string) string {
	if p.styled {
		return "\x1b[1m" + text + "\x1b[0m"
	}
	return text
}

// heading begins a section. The rest of its line does not stand out.
func (p *helpPage) heading(title, rest string) {
	if p.b.Len() > 0 {
		p.b.WriteByte('\n')
	}
	p.b.WriteString(p.strong(title) + rest + ":\n")
}
