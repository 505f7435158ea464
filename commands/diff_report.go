package commands

import (
	"fmt"
	"strings"

	"mcpq/internal/apidiff"
	"mcpq/output"
)

// report tells of changes as a person would: what breaks comes first, and what
// changed in one item stands together.
func report(changes []apidiff.Change, styled bool) string {
	var breaking, other []apidiff.Change
	for _, c := range changes {
		if c.Breaking {
			breaking = append(breaking, c)
		} else {
			other = append(other, c)
		}
	}
	p := &reporter{styled: styled}
	switch {
	case len(changes) == 0:
		return "No changes.\n"
	case len(breaking) == 0:
		fmt.Fprintf(&p.b, "%s, none of them breaking\n", counted(len(other), "change"))
	case len(other) == 0:
		fmt.Fprintf(&p.b, "%s\n", counted(len(breaking), "breaking change"))
	default:
		fmt.Fprintf(&p.b, "%s, %s\n", counted(len(breaking), "breaking change"), counted(len(other), "other"))
	}
	p.section("BREAKING", "1;31", breaking)
	p.section("NOT BREAKING", "1", other)
	return p.b.String()
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

type reporter struct {
	b      strings.Builder
	styled bool
}

// style marks a text up, as the sequence of a terminal says.
func (p *reporter) style(sequence, text string) string {
	if !p.styled {
		return text
	}
	return "\x1b[" + sequence + "m" + text + "\x1b[0m"
}

func (p *reporter) section(title, sequence string, changes []apidiff.Change) {
	if len(changes) == 0 {
		return
	}
	p.b.WriteString("\n" + p.style(sequence, title) + "\n")
	for i, c := range changes {
		if i == 0 || c.Kind != changes[i-1].Kind || c.Name != changes[i-1].Name {
			line := "    " + c.Kind
			if c.Name != "" {
				line += " " + p.style("1", output.SafeLine(c.Name))
			}
			p.b.WriteString(line + "\n")
		}
		p.b.WriteString("      - " + output.SafeLine(c.Message) + "\n")
	}
}

// annotations tells of changes as commands of a GitHub workflow, the gravest
// first: of many, only some are shown there.
func annotations(changes []apidiff.Change) string {
	var b strings.Builder
	for _, level := range []string{"error", "warning", "notice"} {
		for _, c := range changes {
			if annotationLevel(c) != level {
				continue
			}
			title := strings.TrimSpace(c.Kind + " " + output.SafeLine(c.Name))
			if c.Breaking {
				title = "breaking change: " + title
			}
			fmt.Fprintf(&b, "::%s title=%s::%s\n", level, annotationProperty(title), annotationText(output.SafeLine(c.Message)))
		}
	}
	return b.String()
}

func annotationLevel(c apidiff.Change) string {
	switch c.Weight {
	case apidiff.Breaks:
		return "error"
	case apidiff.Caution:
		return "warning"
	}
	return "notice"
}

// annotationText escapes what would end the text of a workflow command.
func annotationText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// annotationProperty escapes what would end a property besides.
func annotationProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(annotationText(s))
}
