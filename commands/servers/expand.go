package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Launch is what an entry stands for, with nothing left to be filled in.
type Launch struct {
	Target    *Target
	Transport string // http or sse where the entry insists on it
	Env       []Pair // of a command
	Dir       string // of a command
	Headers   []Pair // of a URL

	// Secrets are the values that came from inputs and from variables; those
	// of Env and Headers are secrets anyway.
	Secrets []Pair
}

// Expander fills in what entries leave open.
type Expander struct {
	// Lookup is the environment.
	Lookup func(name string) (value string, set bool)
	// Input asks for an input of VS Code. Where there is nobody to ask it fails
	// with an *InputError.
	Input func(ctx context.Context, e *Entry, in Input) (string, error)
	Home  string
}

// VariableError is a variable that an entry needs and that is not set.
type VariableError struct{ Variable string }

func (e *VariableError) Error() string {
	return fmt.Sprintf("the variable %s is not set, and there is no default for it", e.Variable)
}

// Launch expands an entry and makes a server of it.
func (x *Expander) Launch(ctx context.Context, e *Entry) (*Launch, error) {
	d, err := e.Define()
	if err != nil {
		return nil, err
	}
	f := &filling{Expander: x, entry: e, inputs: make(map[string]string)}
	l := &Launch{Transport: d.Transport}
	if d.Kind == Command {
		l.Target = &Target{Kind: Command, Args: f.texts(ctx, "args", d.Args)}
		l.Env = f.environment(ctx, d)
		l.Dir = f.folder(f.text(ctx, "cwd", d.Dir))
	} else {
		url := f.text(ctx, "url", d.URL)
		if f.err == nil {
			l.Target, f.err = fromURL(url)
		}
		l.Headers = f.pairs(ctx, "headers", d.Headers)
	}
	if f.err != nil {
		return nil, e.fail("%w", f.err)
	}
	l.Secrets = f.used
	l.Target.Name = e.Name
	return l, nil
}

// Text expands one more text of an entry.
func (x *Expander) Text(ctx context.Context, e *Entry, what, text string) (string, error) {
	f := &filling{Expander: x, entry: e, inputs: make(map[string]string)}
	text = f.text(ctx, what, text)
	if f.err != nil {
		return "", e.fail("%w", f.err)
	}
	return text, nil
}

// fromURL is the server at an address: that of an entry starts nothing.
func fromURL(url string) (*Target, error) {
	t, err := parse(url)
	switch {
	case err != nil:
		return nil, errors.New("url: this is no URL")
	case t.Kind != HTTP && t.Kind != Socket:
		return nil, errors.New("url: it has to begin with https://, http://, unix: or tcp:")
	}
	return t, nil
}

// filling is the expansion of one entry. After an error it does nothing more.
type filling struct {
	*Expander
	entry  *Entry
	inputs map[string]string // the answers: each is asked for once
	used   []Pair
	err    error
}

func (f *filling) texts(ctx context.Context, what string, texts []string) []string {
	expanded := make([]string, len(texts))
	for i, t := range texts {
		expanded[i] = f.text(ctx, what, t)
	}
	return expanded
}

func (f *filling) pairs(ctx context.Context, what string, pairs []Pair) []Pair {
	expanded := make([]Pair, len(pairs))
	for i, p := range pairs {
		expanded[i] = Pair{p.Name, f.text(ctx, what+" "+p.Name, p.Value)}
	}
	return expanded
}

// environment is what the entry sets, over its file of variables.
func (f *filling) environment(ctx context.Context, d *Definition) []Pair {
	var env []Pair
	for _, name := range d.Pass {
		if value, set := f.Lookup(name); set {
			env = append(env, Pair{name, value})
		}
	}
	if name := f.folder(f.text(ctx, "envFile", d.EnvFile)); d.EnvFile != "" && f.err == nil {
		text, err := readBounded(name)
		if err == nil {
			var more []Pair
			more, err = parseEnvFile(text)
			env = append(env, more...)
		}
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		if err != nil {
			f.err = fmt.Errorf("envFile %s: %w", name, err)
		}
	}
	env = append(env, f.pairs(ctx, "env", d.Env)...)
	for _, p := range env {
		if f.err == nil && (p.Name == "" || strings.ContainsAny(p.Name, "=\x00")) {
			f.err = fmt.Errorf("env: %q is no name of a variable", p.Name)
		}
	}
	return env
}

// folder makes a path of the entry absolute. A command of a project starts in
// the project's folder, any other where mcpq does.
func (f *filling) folder(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = f.Home + path[1:]
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.entry.Folder, path)
	}
	return path
}

// text expands ${VAR}, ${VAR:-default}, ${env:VAR}, ${input:ID} and the folders
// that VS Code and Cursor know. What is none of these stays, because it may be
// meant for a shell. A value is not expanded again.
func (f *filling) text(ctx context.Context, what, text string) string {
	var b strings.Builder
	for f.err == nil {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			break
		}
		inner, after, closed := "", "", false
		if strings.HasPrefix(rest, "{") {
			// Where there are many, it must not be looked far for the end of each.
			const longest = 4096
			if end := strings.IndexByte(rest[:min(len(rest), longest)], '}'); end > 0 {
				inner, after, closed = rest[1:end], rest[end+1:], true
			}
		}
		value, known, err := "", false, error(nil)
		switch {
		case closed:
			value, known, err = f.reference(ctx, inner)
		case f.entry.File.Client == gemini: // which knows $VAR too, and leaves what is not set
			name := rest[:nameLength(rest)]
			if value, known = f.variable(name); known {
				after = rest[len(name):]
			}
		}
		if err != nil {
			f.err = fmt.Errorf("%s: %w", what, err)
		}
		if known {
			b.WriteString(value)
			text = after
		} else {
			b.WriteByte('$')
			text = rest
		}
	}
	return b.String()
}

// reference gives the value of what stands between ${ and }.
func (f *filling) reference(ctx context.Context, inner string) (value string, known bool, err error) {
	kind, rest, colon := strings.Cut(inner, ":")
	switch {
	case inner == "workspaceFolder":
		return f.entry.Folder, true, nil
	case inner == "workspaceFolderBasename":
		return filepath.Base(f.entry.Folder), true, nil
	case inner == "userHome":
		return f.Home, true, nil
	case inner == "pathSeparator", inner == "/":
		return string(filepath.Separator), true, nil
	case colon && kind == "input":
		value, err = f.input(ctx, rest)
		return value, true, err
	case colon && (kind == "command" || kind == "config" || kind == "file"): // of VS Code and Windsurf
		return "", true, fmt.Errorf("mcpq does not know ${%s}", inner)
	case colon && kind == "env":
		inner = rest
	}
	name, otherwise, hasDefault := strings.Cut(inner, ":-")
	if name == "" || nameLength(name) != len(name) {
		return "", false, nil
	}
	value, set := f.variable(name)
	switch {
	case value == "" && hasDefault:
		return otherwise, true, nil
	case !set:
		return "", true, &VariableError{Variable: name}
	}
	return value, true, nil
}

func (f *filling) variable(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	value, set := f.Lookup(name)
	if value != "" {
		f.used = append(f.used, Pair{name, value})
	}
	return value, set
}

// nameLength is how much of the text is the name of a variable.
func nameLength(text string) int {
	for i := range len(text) {
		c := text[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
