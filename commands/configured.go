package commands

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/args"
	"mcpq/commands/servers"
)

// flagsGiven are the flags on a command line, by their names.
func flagsGiven(parsed *kong.Context) map[string]bool {
	given := make(map[string]bool)
	for _, p := range parsed.Path {
		if p.Flag != nil {
			given[p.Flag.Name] = true
		}
	}
	return given
}

// places are where config files are looked for.
func (r *runner) places() (servers.Places, error) {
	dir, err := os.Getwd()
	if err != nil {
		return servers.Places{}, &UsageError{Err: fmt.Errorf("the working directory: %w", err)}
	}
	return servers.Places{
		Config: r.grammar.Config, Dir: dir, Home: homeDir(r.env.Getenv), GOOS: runtime.GOOS, Getenv: r.env.Getenv,
	}, nil
}

func homeDir(getenv func(string) string) string {
	home := getenv("HOME")
	if runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	return filepath.Clean(home)
}

// configuredServers are the names of all servers in config files, each once. It
// asks nobody and says nothing: what cannot be read has no names.
func (r *runner) configuredServers() []string {
	p, err := r.places()
	if err != nil {
		return nil
	}
	entries, _ := p.All()
	var names []string
	seen := make(map[string]bool)
	for _, e := range entries {
		if !seen[e.Name] {
			names = append(names, e.Name)
		}
		seen[e.Name] = true
	}
	return names
}

// entry finds what config files have under a name.
func (r *runner) entry(name string) (*servers.Entry, error) {
	p, err := r.places()
	if err != nil {
		return nil, err
	}
	e, broken, err := p.Find(name)
	for _, b := range broken {
		r.messages.Warningf("%v", b)
	}
	var unknown *servers.UnknownError
	if errors.As(err, &unknown) {
		return nil, &UsageError{Err: err, Hint: unknownServerHint(unknown)}
	}
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return e, nil
}

func unknownServerHint(e *servers.UnknownError) string {
	near := args.Nearest(e.Name, append([]string{"demo:"}, e.Known...))
	switch {
	case len(near) > 0:
		return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	case strings.ContainsAny(e.Name, "./:"):
		return "a URL begins with https:// or http://; a command goes behind --"
	}
	return "'mcpq servers list' shows the names there are, 'mcpq servers add' adds one"
}

// configured makes the server that config files have under a name the one of
// this run: as if its definition had been given with flags. Flags that were
// given come first.
func (r *runner) configured(name string) (*servers.Target, error) {
	e, err := r.entry(name)
	if err != nil {
		return nil, err
	}
	if _, err := e.Define(); err != nil {
		return nil, &UsageError{Err: err}
	}
	r.note("server %s of %s", e.Name, e.File.Path)
	if err := r.requireTrust(e); err != nil {
		return nil, err
	}
	x := r.expander()
	l, err := x.Launch(r.ctx, e)
	if err != nil {
		return nil, expansionError(err)
	}
	r.hideSecrets(l)
	if err := r.adopt(e, l); err != nil {
		return nil, err
	}
	return l.Target, r.applySettings(x, e)
}

// expander fills in the variables of an entry.
func (r *runner) expander() *servers.Expander {
	return &servers.Expander{Lookup: r.lookup, Input: r.askInput, Home: homeDir(r.env.Getenv)}
}

// lookup tells an empty variable from none.
func (r *runner) lookup(name string) (string, bool) {
	if value := r.env.Getenv(name); value != "" {
		return value, true
	}
	return "", slices.Contains(r.env.Environ(), name+"=")
}

func expansionError(err error) error {
	var variable *servers.VariableError
	var input *servers.InputError
	u := &UsageError{Err: err}
	switch {
	case errors.As(err, &variable):
		u.Hint = fmt.Sprintf("set %s, or write ${%s:-default} there", variable.Variable, variable.Variable)
	case errors.As(err, &input):
		u.Hint = fmt.Sprintf("set %s", input.Input.Variable())
	}
	return u
}

// hideSecrets keeps what an entry sets, and the secrets that it uses, out of all
// messages.
func (r *runner) hideSecrets(l *servers.Launch) {
	for _, p := range l.Env {
		r.hideValue(p.Value)
	}
	for _, p := range l.Headers {
		r.secrets.hide(secretParts([]string{p.Value})...)
	}
	for _, p := range l.Secrets {
		if isSecret(p.Name) {
			r.secrets.hide(p.Value)
		}
	}
}

// hideValue hides the value of a variable. Words that are everywhere are no
// secrets, and without them no message could be read.
func (r *runner) hideValue(value string) {
	if !slices.Contains([]string{"true", "false", "null"}, value) {
		r.secrets.hide(value)
	}
}

// adopt makes flags of what an entry says.
func (r *runner) adopt(e *servers.Entry, l *servers.Launch) error {
	f := &r.grammar.ServerFlags
	if l.Transport != "" && !r.given["transport"] {
		f.Transport = l.Transport
	}
	var env []string
	for _, p := range l.Env {
		env = append(env, p.Name+"="+p.Value)
	}
	f.Env = append(env, f.Env...)
	r.isolated = l.Target.Kind == servers.Command
	if l.Target.Kind == servers.Command && f.Cwd == "" {
		f.Cwd = l.Dir
	}
	if l.Target.Kind != servers.HTTP {
		return nil
	}
	given, err := f.headers()
	if err != nil {
		return err
	}
	var lines []string
	for _, p := range l.Headers {
		switch name := http.CanonicalHeaderKey(p.Name); {
		case !validHeader(p.Name, p.Value):
			return usagef("server %q in %s: header %q has characters in it that no header has", e.Name, e.File.Path, p.Name)
		case given.Get(name) != "", name == "Authorization" && (r.given["token"] || r.given["token-file"]):
		default:
			lines = append(lines, p.Name+": "+p.Value)
		}
	}
	f.Header = append(lines, f.Header...)
	return nil
}
