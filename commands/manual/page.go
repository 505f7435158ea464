package manual

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// Options say how a page looks and what stands around its examples.
type Options struct {
	Width  int      // of lines; 0 is 80
	Styled bool     // headings stand out, on a terminal
	Before []string // words of the command line that name the server, behind the command
	After  []string // and at its end: -- and the server's command
}

// page is a page being written.
type page struct {
	o    Options
	b    strings.Builder
	bold bool // the next word that is written stands out
}

func (p *page) section(title string) {
	if p.b.Len() > 0 {
		p.b.WriteByte('\n')
	}
	if p.o.Styled {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	p.b.WriteString(title + "\n")
}

// text writes lines of a server's text, wrapped.
func (p *page) text(indent int, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(output.Safe(text), " \n"), "\n") {
		p.wrap(indent, line)
	}
}

// wrap writes a line that is safe over as many lines as it needs. What is
// indented keeps its indent.
func (p *page) wrap(indent int, line string) {
	rest := strings.TrimLeft(line, " \t")
	indent += min(len(line)-len(rest), 20)
	width := p.o.Width
	if width <= 0 {
		width = 80
	}
	room := max(width-indent, 20)
	space := strings.Repeat(" ", indent)
	used := 0
	for word := range strings.FieldsSeq(rest) {
		w := output.Width(word)
		switch {
		case used == 0:
			p.b.WriteString(space)
		case used+1+w > room:
			p.b.WriteString("\n" + space)
			used = 0
		default:
			p.b.WriteByte(' ')
			used++
		}
		if p.bold {
			word = "\x1b[1m" + word + "\x1b[0m"
			p.bold = false
		}
		p.b.WriteString(word)
		used += w
	}
	p.b.WriteByte('\n')
}

// command writes a command line; it is not wrapped, so that it can be copied.
func (p *page) command(words ...string) { p.b.WriteString("    " + strings.Join(words, " ") + "\n") }

func (p *page) head(name string, o rawjson.Object) {
	p.section("NAME")
	line := output.SafeLine(name)
	if title := textOf(o, "title"); title != "" && title != name {
		line += " - " + output.SafeLine(title)
	}
	p.wrap(4, line)
}

func (p *page) about(o rawjson.Object) {
	if about := textOf(o, "description"); strings.TrimSpace(about) != "" {
		p.section("DESCRIPTION")
		p.text(4, about)
	}
}

// Tool writes the page of a tool.
func Tool(ctx context.Context, definition json.RawMessage, o Options) (string, error) {
	object, err := rawjson.ParseObject(definition)
	if err != nil {
		return "", err
	}
	p := &page{o: o}
	name := textOf(object, "name")
	input, _ := object.Get("inputSchema")
	r := &reader{root: input, required: "required"}
	p.head(name, object)
	p.section("USAGE")
	p.wrap(4, ToolUsage(name, input))
	p.about(object)
	if v := r.look(input); len(v.properties)+len(v.patterns) > 0 || v.others != nil {
		p.section("ARGUMENTS")
		p.properties(r, v, 4, "", 0)
	}
	if out, ok := object.Get("outputSchema"); ok {
		r := &reader{root: out}
		if v := r.simple(r.look(out)); len(v.properties) > 0 {
			p.section("RESULT (structuredContent)")
			r.required = "always"
			p.properties(r, v, 4, "", 0)
		}
	}
	p.hints(object)
	arguments, fits := (&reader{root: input}).example(ctx, input)
	title := "EXAMPLE"
	if !fits {
		title = "EXAMPLE (with values to be replaced)"
	}
	p.section(title)
	p.command(p.line("call", name, (&reader{root: input}).words(input, arguments))...)
	return p.b.String(), nil
}

// line is a whole command line, quoted for a shell.
func (p *page) line(command, name string, arguments []string) []string {
	words := []string{"mcpq", command, word(name)}
	for _, a := range arguments {
		words = append(words, word(a))
	}
	for _, w := range append(p.o.Before, p.o.After...) {
		words = append(words, word(w))
	}
	return words
}

// properties writes what is known of arguments or of members of a result.
func (p *page) properties(r *reader, v view, indent int, path string, depth int) {
	for _, q := range v.properties {
		p.property(r, q, indent, path, depth)
	}
	for _, q := range v.patterns {
		p.others(r, q.schema, indent, path, depth, "any name matching "+output.SafeLine(q.name))
	}
	switch named := len(v.properties) + len(v.patterns); {
	case v.others == nil:
	case named > 0:
		p.others(r, v.others, indent, path, depth, "any other name")
	case path == "" || !isSingle(r.simple(r.look(v.others))): // else the kind has said it
		p.others(r, v.others, indent, path, depth, "any name")
	}
}

// others writes what is known of members that are not named.
func (p *page) others(r *reader, raw json.RawMessage, indent int, path string, depth int, which string) {
	v := r.simple(r.look(raw))
	name := "NAME"
	if path != "" {
		name = path + "[NAME]"
	}
	p.entry(indent, name, append([]string{r.kind(v, 0), which}, facts(v)...), v.about)
	leave, again := r.enter(raw)
	defer leave()
	if !again && depth < maxShownDepth && r.steps <= maxSteps {
		p.properties(r, v, indent+4, name, depth+1)
	}
}

func (p *page) property(r *reader, q property, indent int, path string, depth int) {
	v := r.simple(r.look(q.schema))
	name := output.SafeLine(Key(q.name))
	if path != "" {
		name = path + "[" + name + "]"
	}
	what := r.kind(v, 0)
	if len(v.choices) > 1 {
		var all []string
		for _, c := range v.choices[:min(len(v.choices), maxChoices)] {
			all = append(all, shown(c))
		}
		if n := len(v.choices); n > maxChoices {
			all = append(all, fmt.Sprintf("… (%d in all)", n))
		}
		what += " " + strings.Join(all, ", ")
	}
	words := []string{what}
	if q.required {
		words = append(words, r.required)
	}
	words = append(words, facts(v)...)
	leave, again := r.enter(q.schema)
	defer leave()
	if again {
		words = append(words, "as what it stands in")
	}
	about := v.about
	if about == "" {
		about = v.title
	}
	p.entry(indent, name, words, about)
	if again || depth >= maxShownDepth || r.steps > maxSteps {
		return
	}
	p.properties(r, v, indent+4, name, depth+1)
	if v.items != nil {
		leave, again := r.enter(v.items)
		defer leave()
		if item := r.simple(r.look(v.items)); len(item.properties) > 0 && !again {
			p.properties(r, item, indent+4, name+"[]", depth+1)
		}
	}
	for i, form := range v.forms {
		one := r.simple(r.look(form))
		if len(one.properties) == 0 || i >= maxForms {
			continue
		}
		label := "either:"
		if i > 0 {
			label = "or:"
		}
		if one.title != "" {
			label = strings.TrimSuffix(label, ":") + ", " + output.SafeLine(one.title) + ":"
		}
		p.wrap(indent+4, label)
		p.properties(r, one, indent+6, name, depth+1)
	}
}

// entry writes a name, what it stands for in a few words, and what it is for.
func (p *page) entry(indent int, name string, words []string, about string) {
	p.bold = p.o.Styled
	p.wrap(indent, name+"  ("+strings.Join(words, "; ")+")")
	if strings.TrimSpace(about) != "" {
		p.text(indent+4, about)
	}
}

const (
	maxShownDepth = 5
	maxForms      = 10
	maxChoices    = 200
)

// hints writes what a tool claims of itself.
func (p *page) hints(o rawjson.Object) {
	raw, ok := o.Get("annotations")
	if !ok {
		return
	}
	words := Hints(raw)
	if len(words) == 0 {
		return
	}
	p.section("HINTS (what the server claims; nothing makes sure of it)")
	for _, w := range words {
		p.wrap(4, w)
	}
}

// Hints words the annotations of a tool.
func Hints(annotations json.RawMessage) []string {
	object, err := rawjson.ParseObject(annotations)
	if err != nil {
		return nil
	}
	var words []string
	for _, h := range []struct{ key, yes, no string }{
		{"readOnlyHint", "read-only: it changes nothing", "not read-only: it changes something"},
		{"destructiveHint", "destructive: it may overwrite or delete", "not destructive: it only adds"},
		{"idempotentHint", "idempotent: a second call changes nothing more", "not idempotent: every call counts"},
		{"openWorldHint", "open world: it reaches outside of the server", "closed world: it stays inside of the server"},
	} {
		value, _ := object.Get(h.key)
		switch string(value) {
		case "true":
			words = append(words, h.yes)
		case "false":
			words = append(words, h.no)
		}
	}
	return words
}

func textOf(o rawjson.Object, key string) string {
	raw, _ := o.Get(key)
	s, _ := rawjson.Unquote(raw)
	return s
}
