package commands

import (
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/prose"
)

// manualDate is when the texts of the manual were last gone through as a whole.
// A date of the build would make the pages differ with every one.
const manualDate = "2026-11-21"

// manPage is a page of the manual being written.
type manPage struct{ b strings.Builder }

// programManual is mcpq(1).
func programManual(m *kong.Application) string {
	p := new(manPage)
	p.title("mcpq", "curl and jq for the Model Context Protocol")
	p.section("SYNOPSIS")
	p.line(prose.RoffTerm(synopsis))
	p.line(".br")
	p.line(prose.RoffTerm("mcpq COMMAND --help"))
	p.line(".br")
	p.line(prose.RoffTerm("mcpq help [TOPIC|COMMAND]"))
	p.section("DESCRIPTION")
	p.text(manualIntro)
	p.section("COMMANDS")
	for _, group := range commandGroups() {
		begun := false
		for _, c := range m.Children {
			if c.Hidden || about(c.Name).group != group {
				continue
			}
			if !begun {
				p.subsection(group)
				begun = true
			}
			p.line(".TP")
			p.line(`\fB` + prose.Escape(c.Name) + `\fR`)
			text := c.Help
			if len(c.Aliases) > 0 {
				text += " Also: " + strings.Join(c.Aliases, ", ") + "."
			}
			p.more(text)
		}
	}
	p.section("OPTIONS")
	p.text(flagsIntro)
	for _, g := range flagGroups(m) {
		p.subsection(g.title)
		p.flags(g.flags)
	}
	for _, t := range topics() {
		if t.name == topicFlags {
			continue
		}
		p.section(t.heading)
		switch t.name {
		case topicExits:
			p.text(exitTable + errorsText)
		case topicEnvironment:
			p.text(environmentList)
			p.section("FILES")
			p.text(filesList)
		default:
			p.text(t.text)
		}
	}
	p.section("EXAMPLES")
	p.examples(programExamples())
	for _, group := range commandGroups() {
		for _, c := range m.Children {
			if text := about(c.Name); !c.Hidden && text.group == group && len(text.examples) > 0 && !isBare(c) {
				p.line(".PP")
				p.more(c.Help)
				prose.RoffExample(&p.b, text.examples[:1], 4)
			}
		}
	}
	p.section("SEE ALSO")
	var pages []string
	for _, c := range m.Children {
		if !c.Hidden {
			pages = append(pages, "mcpq-"+c.Name)
		}
	}
	p.seeAlso(append(pages, "curl", "jq"))
	return p.b.String()
}

const manualIntro = `mcpq opens a session to a Model Context Protocol server, does one operation, prints what came back, and ends. The server is a command that is started, or a URL: all official versions of the protocol are spoken, and which one is found out.

The standard output carries the result and nothing else: the server's JSON with its own order of members, spelling of numbers and unknown fields. On a terminal it is indented and coloured. Logs, progress and errors go to the standard error.

The first Ctrl-C cancels the request, or the task, at the server and ends the session in good order; the second kills at once.`

// commandManual is the page of a command, and of the commands it has.
func commandManual(m *kong.Application, node *kong.Node) string {
	p := new(manPage)
	text := about(node.Name)
	p.title("mcpq-"+node.Name, node.Help)
	p.section("SYNOPSIS")
	nodes := []*kong.Node{node}
	if len(node.Children) > 0 {
		nodes = node.Children
	}
	for i, n := range nodes {
		if i > 0 {
			p.line(".br")
		}
		p.line(prose.RoffTerm(usageLine(n)))
	}
	p.section("DESCRIPTION")
	p.text(description(node))
	if len(node.Aliases) > 0 {
		p.line(".PP")
		p.more("Also: mcpq " + strings.Join(node.Aliases, ", mcpq ") + ".")
	}
	if len(node.Children) > 0 {
		p.section("COMMANDS")
		for _, c := range node.Children {
			p.subsection(nodePath(c))
			p.text(c.Help)
			p.arguments(c)
			p.flags(c.Flags)
		}
	} else if len(node.Positional) > 0 {
		p.section("ARGUMENTS")
		p.arguments(node)
	}
	if len(node.Flags) > 0 {
		p.section("OPTIONS")
		p.flags(node.Flags)
	}
	if !isBare(node) {
		p.sharedFlags(m, text.flags)
	}
	p.section("EXIT STATUS")
	if isBare(node) {
		p.text("0 when it is done, 2 for a bad command line.")
	} else {
		p.text(exitSummary)
	}
	if len(text.examples) > 0 {
		p.section("EXAMPLES")
		p.examples(text.examples)
	}
	p.section("SEE ALSO")
	p.seeAlso([]string{"mcpq"})
	return p.b.String()
}

// sharedFlags names the flags that every command has, and tells of one group of
// them; mcpq(1) tells of all.
func (p *manPage) sharedFlags(m *kong.Application, group string) {
	p.section("COMMON OPTIONS")
	p.line(`What they do is told in \fBmcpq\fR(1).`)
	for _, g := range flagGroups(m) {
		if g.key == group && group != "" {
			p.subsection(g.title)
			p.flags(g.flags)
			continue
		}
		p.line(".TP")
		p.line(prose.Escape(g.title))
		var names []string
		for _, f := range g.flags {
			names = append(names, "--"+f.Name)
		}
		p.more(strings.Join(names, ", "))
	}
}

func (p *manPage) arguments(node *kong.Node) {
	for _, v := range node.Positional {
		p.line(".TP")
		p.line(prose.RoffTerm(positional(v)))
		p.more(v.Help)
	}
}

func (p *manPage) flags(flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			p.line(".TP")
			p.line(prose.RoffTerm(flagForm(f)))
			p.more(f.Help)
		}
	}
}

// title begins the page. What is behind the dash is what apropos shows.
func (p *manPage) title(name, says string) {
	p.line(`.\" Generated by 'mcpq man'.`)
	p.line(`.TH ` + prose.Escape(strings.ToUpper(name)) + ` 1 ` + manualDate + ` mcpq "mcpq manual"`)
	p.line(".nh") // a flag must not be broken at its hyphens
	p.line(".ad l")
	p.section("NAME")
	p.line(prose.Escape(name) + ` \- ` + prose.Escape(strings.TrimSuffix(says, ".")))
}

func (p *manPage) section(title string)    { p.line(".SH " + roffArgument(title)) }
func (p *manPage) subsection(title string) { p.line(".SS " + roffArgument(title)) }
func roffArgument(text string) string      { return `"` + prose.Escape(text) + `"` }
func (p *manPage) line(text string)        { p.b.WriteString(text + "\n") }
func (p *manPage) text(text string)        { p.b.WriteString(prose.Roff(text)) }

// more goes on in the paragraph that was begun.
func (p *manPage) more(text string) { prose.RoffText(&p.b, text) }

func (p *manPage) examples(lines []string) { prose.RoffExample(&p.b, lines, 0) }

func (p *manPage) seeAlso(names []string) {
	for i, name := range names {
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		p.line(".BR " + prose.Escape(name) + " (1)" + comma)
	}
}
