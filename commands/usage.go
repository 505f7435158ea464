package commands

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// What is wrong with a command line. kong has one type for all of its errors,
// so they are told apart by where it stopped, and worded here.

// noCommand is the error for a command line that names no command.
func (r *runner) noCommand() error {
	u := &UsageError{Err: errors.New("no command given"), Hint: "'mcpq --help' lists them"}
	if r.grammar == nil {
		r.grammar = new(grammar)
	}
	before, after := r.serverNamed()
	if server := strings.Join(append(before, after...), " "); server != "" {
		u.Hint = fmt.Sprintf("such as 'mcpq info %s', or list-tools; 'mcpq --help' lists all", server)
	}
	return u
}

// usageError makes one of kong's errors ours.
func (r *runner) usageError(err error, words []string) error {
	var own *UsageError
	if errors.As(err, &own) { // of a command's own check
		return own
	}
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context == nil {
		return &UsageError{Err: err, Hint: "'mcpq --help' shows the usage"}
	}
	line := &badLine{ctx: parse.Context, node: parse.Context.Model.Node, words: words}
	line.server = r.dashes || r.env.Getenv("MCPQ_SERVER") != "" || slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "-s") || strings.HasPrefix(w, "--server")
	})
	if selected := parse.Context.Selected(); selected != nil {
		line.node = selected
	}
	var u *UsageError
	if parse.Context.Error != nil {
		u = line.stopped()
	} else {
		u = line.incomplete()
	}
	switch {
	case u == nil && line.root() && parse.Context.Error == nil:
		return r.noCommand()
	case u == nil:
		u = &UsageError{Err: parse.Unwrap()}
	}
	if u.Hint == "" {
		u.Hint = line.usage()
	}
	return u
}

// badLine is a command line that could not be understood.
type badLine struct {
	ctx   *kong.Context
	node  *kong.Node // the command that was understood, or the program
	words []string

	server bool // the line names a server
}

func (l *badLine) root() bool { return l.node == l.ctx.Model.Node }

func (l *badLine) usage() string {
	if l.root() {
		return "'mcpq --help' shows the usage"
	}
	return "usage: " + usageLine(l.node)
}

// stopped explains the word that kong stopped at: the first that it has put
// nothing on its path for.
func (l *badLine) stopped() *UsageError {
	rest := l.ctx.Path[len(l.ctx.Path)-1].Remainder()
	if len(rest) == 0 || len(rest) > len(l.words) {
		return nil
	}
	whole := l.words[len(l.words)-len(rest)]
	word := rest[0]
	switch {
	case strings.HasPrefix(word, "--") && word == whole:
		return l.flag(rest)
	case strings.HasPrefix(word, "-") && word == whole && len(word) > 1:
		return l.shortFlag(word[1:], rest)
	case word != whole && strings.HasPrefix(whole, "-") && !strings.HasPrefix(whole, "--") && word != "":
		return l.shortFlag(word, rest) // what is left of several in one word
	case word != whole:
		return nil // the value of a flag that was understood
	case len(l.node.Children) > 0:
		return l.unknownCommand(rest)
	}
	return l.unexpected(word)
}

// flag explains a flag that is not known here, or has no good value.
func (l *badLine) flag(rest []string) *UsageError {
	name, _, hasValue := strings.Cut(rest[0][2:], "=")
	for _, f := range l.flags() {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return l.value(f, rest[1:], hasValue)
		}
	}
	return l.unknownFlag("--"+name, name)
}

func (l *badLine) shortFlag(letters string, rest []string) *UsageError {
	letter := []rune(letters)[0]
	for _, f := range l.flags() {
		if f.Short == letter {
			return l.value(f, rest[1:], len(letters) > len(string(letter)))
		}
	}
	for _, f := range l.flags() {
		if f.Name == letters {
			return usageErrorf("unknown flag -%s, did you mean --%s?", letters, letters)
		}
	}
	return l.unknownFlag("-"+string(letter), "")
}

// value explains a flag whose value is missing or of the wrong kind.
func (l *badLine) value(f *kong.Flag, rest []string, hasValue bool) *UsageError {
	if !hasValue && (len(rest) == 0 || strings.HasPrefix(rest[0], "-") && rest[0] != "-") {
		u := usageErrorf("--%s needs a value: %s", f.Name, longForm(f))
		if len(rest) > 0 {
			u.Hint = fmt.Sprintf("a value that begins with - is written --%s=VALUE", f.Name)
		}
		return u
	}
	switch f.Target.Kind() {
	case reflect.Int:
		return usageErrorf("--%s takes a whole number: %s", f.Name, longForm(f))
	case reflect.Bool:
		return usageErrorf("--%s takes no value but true or false", f.Name)
	}
	return nil // the flag's own words
}

// unknownFlag says which flags are near, and who has this one. name is that of
// its long form, if it was written so.
func (l *badLine) unknownFlag(written, name string) *UsageError {
	owners, form := l.owners(written, name)
	switch {
	case len(owners) == 0 && name == "": // of one letter there is nothing near
		return usageErrorf("unknown flag %s", written)
	case len(owners) == 0:
		var known []string
		for _, f := range l.flags() {
			known = append(known, "--"+f.Name)
		}
		return usageErrorf("unknown flag %s%s", written, didYouMean("--"+name, known))
	case len(l.node.Children) > 0: // the command is still to come
		u := usageErrorf("%s is a flag of %s", written, either(owners, "and"))
		u.Hint = "it goes behind the command: mcpq " + owners[0] + " " + form
		return u
	}
	u := usageErrorf("unknown flag %s of %s", written, nodePath(l.node))
	u.Hint = fmt.Sprintf("%s goes with %s", written, either(owners, "and"))
	return u
}

// owners are the commands that have a flag, those among the words first, and
// how it is written.
func (l *badLine) owners(written, name string) (paths []string, form string) {
	_ = kong.Visit(l.ctx.Model.Node, func(v kong.Visitable, next kong.Next) error {
		node, ok := v.(*kong.Node)
		if !ok || node == l.ctx.Model.Node {
			return next(nil)
		}
		for _, f := range node.Flags {
			if !f.Hidden && (f.Name == name || "-"+string(f.Short) == written) {
				form = longForm(f)
				if slices.Contains(l.words, node.Name) {
					paths = slices.Insert(paths, 0, nodePath(node))
				} else {
					paths = append(paths, nodePath(node))
				}
			}
		}
		return next(nil)
	})
	return paths, form
}

// flags are those that may stand where kong stopped.
func (l *badLine) flags() []*kong.Flag {
	return slices.Concat(l.node.AllFlags(true)...)
}

// incomplete explains a command line whose words were all understood.
func (l *badLine) incomplete() *UsageError {
	given := 0
	for _, p := range l.ctx.Path {
		if p.Positional != nil {
			given = p.Positional.Position + 1
		}
		value, name := p.Positional, ""
		switch {
		case p.Flag != nil:
			value, name = p.Flag.Value, "--"+p.Flag.Name
		case value != nil:
			name = strings.ToUpper(value.Name)
		}
		if value == nil || value.Enum == "" {
			continue
		}
		if got := fmt.Sprint(value.Target.Interface()); !slices.Contains(value.EnumSlice(), got) {
			return unknownChoice(name, got, value.EnumSlice())
		}
	}
	switch {
	case l.root():
		return nil
	case len(l.node.Children) > 0:
		u := usageErrorf("no command given to %s", nodePath(l.node))
		u.Hint = "it has " + either(commandNames(l.node), "and")
		return u
	case given < len(l.node.Positional) && l.node.Positional[given].Required:
		return usageErrorf("missing argument %s", positional(l.node.Positional[given]))
	}
	for _, f := range l.flags() {
		if f.Required && !f.Set {
			return usageErrorf("missing flag %s", longForm(f))
		}
	}
	return nil
}

func usageErrorf(format string, a ...any) *UsageError {
	return &UsageError{Err: fmt.Errorf(format, a...)}
}
