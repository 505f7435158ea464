package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcpq/commands/servers"
	"mcpq/internal/rawjson"
)

// ServersAddCmd adds a server.
type ServersAddCmd struct {
	Name  string `arg:"" help:"Name for the server."`
	URL   string `arg:"" optional:"" name:"url" help:"Its URL, unix:PATH or tcp:HOST:PORT; a command goes behind --."`
	Force bool   `help:"Take the place of a server of that name."`
}

// ServersRemoveCmd removes one.
type ServersRemoveCmd struct {
	Name string `arg:"" help:"Name of the server."`
}

// ServersImportCmd copies servers.
type ServersImportCmd struct {
	From  string   `arg:"" help:"A config file, or a client: claude-code, claude-desktop, cursor, vscode, windsurf, codex, gemini."`
	Names []string `arg:"" optional:"" name:"name" help:"Copy these only."`
	Force bool     `help:"Take the place of servers of the same names."`
}

// own is the file that is changed.
func (r *runner) own() (*servers.File, error) {
	p, err := r.places()
	if err != nil {
		return nil, err
	}
	if p.Config == "" {
		if !filepath.IsAbs(p.Own()) {
			return nil, usagef("there is no home directory for a config file: name one with --config")
		}
		return &servers.File{Path: p.Own(), Scope: servers.User}, nil
	}
	return p.Source(p.Config), nil
}

// changed is an error of a change, for the user.
func changed(err error) error {
	var file *servers.FileError
	if errors.As(err, &file) {
		return &UsageError{Err: err}
	}
	return err
}

// Run adds the server and prints it as the list does.
func (c *ServersAddCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	if err := checkName(c.Name); err != nil {
		return err
	}
	definition, err := c.definition(r)
	if err != nil {
		return err
	}
	file, err := r.own()
	if err != nil {
		return err
	}
	err = file.Change(ctx, func(e *servers.Edit) error {
		if !c.Force && e.Has(c.Name) {
			return &UsageError{Err: fmt.Errorf("there is a server %q in %s", c.Name, file.Path), Hint: "--force replaces it"}
		}
		return e.Set(c.Name, definition)
	})
	if err != nil {
		return changed(err)
	}
	return r.printOwn(ctx, file, c.Name)
}

// printOwn prints a server of the file that was changed, and warns if the name
// means another one here.
func (r *runner) printOwn(ctx context.Context, file *servers.File, name string) error {
	e, err := r.entry(name)
	if err != nil {
		return err
	}
	item := r.item(e)
	if e.File.Path != file.Path {
		r.messages.Warningf("%s has a server %q too, and comes first here", e.File.Path, name)
		all, err := file.Read()
		if err != nil {
			return changed(err)
		}
		if i := slices.IndexFunc(all, func(e *servers.Entry) bool { return e.Name == name }); i >= 0 {
			item = r.item(all[i])
			item.Shadowed = true
		}
	}
	return r.printJSON(ctx, item)
}

// checkName refuses names that -s would take for something else.
func checkName(name string) error {
	t, err := servers.Resolve(nil, false, name, "")
	if err != nil || t.Kind != servers.Named || strings.HasPrefix(name, "-") || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return usagef("bad name %q for a server: -s would not take it for a name", name)
	}
	return nil
}

// definition is what the command line says of the server.
func (c *ServersAddCmd) definition(r *runner) (json.RawMessage, error) {
	flags := &r.grammar.ServerFlags
	var object rawjson.Object
	switch {
	case r.dashes && c.URL != "":
		return nil, usagef("two servers given: %s and the command behind --", c.URL)
	case r.dashes:
		if len(r.command) == 0 {
			return nil, usagef("no command behind --")
		}
		object = rawjson.Object{{Key: "command", Value: rawjson.Quote(r.command[0])}}
		if len(r.command) > 1 {
			object = object.Set("args", quoteAll(r.command[1:]))
		}
	case c.URL == "":
		return nil, &UsageError{Err: errors.New("no server given"), Hint: "usage: mcpq servers add NAME URL, or mcpq servers add NAME -- COMMAND ARG…"}
	default:
		t, err := servers.Resolve(nil, false, c.URL, "")
		if err == nil && t.Kind != servers.HTTP && t.Kind != servers.Socket {
			err = fmt.Errorf("bad URL %q: it has to begin with https://, http://, unix: or tcp:", c.URL)
		}
		if err != nil {
			return nil, &UsageError{Err: err}
		}
		object = rawjson.Object{{Key: "url", Value: rawjson.Quote(c.URL)}}
	}
	if r.dashes && len(flags.Header) > 0 {
		return nil, usagef("-H only goes with an HTTP server")
	}
	if !r.dashes && (len(flags.Env) > 0 || flags.Cwd != "") {
		return nil, usagef("--env and --cwd only go with a server command")
	}
	cwd := flags.Cwd
	if r.dashes && cwd == "" && filepath.Base(r.command[0]) != r.command[0] && !filepath.IsAbs(r.command[0]) {
		cwd = "." // it is found from here
	}
	if cwd != "" {
		cwd, err := filepath.Abs(cwd)
		if err != nil {
			return nil, usagef("--cwd: %w", err)
		}
		object = object.Set("cwd", rawjson.Quote(cwd))
	}
	env, err := pairsOf(flags.Env, "=", "--env", "NAME=VALUE")
	if err != nil {
		return nil, err
	}
	if env != nil {
		object = object.Set("env", env.Raw())
	}
	if _, err := flags.headers(); err != nil {
		return nil, err
	}
	headers, err := pairsOf(flags.Header, ":", "header", "'NAME: VALUE'")
	if err != nil {
		return nil, err
	}
	if headers != nil {
		object = object.Set("headers", headers.Raw())
	}
	settings, err := r.givenSettings()
	if err != nil {
		return nil, err
	}
	if settings != nil {
		object = object.Set("mcpq", settings.Raw())
	}
	return object.Raw(), nil
}

// pairsOf makes an object of flags such as NAME=VALUE.
func pairsOf(flags []string, sep, what, form string) (rawjson.Object, error) {
	var object rawjson.Object
	for _, text := range flags {
		name, value, ok := strings.Cut(text, sep)
		if !ok || name == "" {
			return nil, usagef("bad %s %q: write %s", what, text, form)
		}
		object = object.Set(strings.TrimSpace(name), rawjson.Quote(strings.TrimLeft(value, " ")))
	}
	return object, nil
}

func quoteAll(words []string) json.RawMessage {
	var items []json.RawMessage
	for _, w := range words {
		items = append(items, rawjson.Quote(w))
	}
	return rawjson.Array(items)
}

// Run removes the server.
func (c *ServersRemoveCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	file, err := r.own()
	if err != nil {
		return err
	}
	err = file.Change(ctx, func(e *servers.Edit) error {
		removed, err := e.Remove(c.Name)
		if err == nil && !removed {
			err = r.notThere(c.Name, file)
		}
		return err
	})
	if err != nil {
		return changed(err)
	}
	return r.printJSON(ctx, struct {
		Name    string `json:"name"`
		Source  string `json:"source"`
		Removed bool   `json:"removed"`
	}{c.Name, file.Path, true})
}

// notThere says where a server is instead.
func (r *runner) notThere(name string, file *servers.File) error {
	u := &UsageError{Err: fmt.Errorf("there is no server %q in %s", name, file.Path)}
	if p, err := r.places(); err == nil {
		if e, _, err := p.Find(name); err == nil {
			u.Hint = "it is in " + e.File.Path + ", which is not mcpq's own: change it there, or name it with --config"
		}
	}
	return u
}

// Run copies the definitions as they are.
func (c *ServersImportCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	p, err := r.places()
	if err != nil {
		return err
	}
	from := p.Source(c.From)
	entries, err := from.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return &UsageError{Err: err, Hint: "clients are " + strings.Join(servers.Clients(), ", ")}
	}
	if err != nil {
		return changed(err)
	}
	if entries, err = chosen(entries, c.Names, from.Path); err != nil {
		return err
	}
	file, err := r.own()
	if err != nil {
		return err
	}
	err = file.Change(ctx, func(edit *servers.Edit) error {
		for _, e := range entries {
			if !c.Force && edit.Has(e.Name) {
				return &UsageError{
					Err:  fmt.Errorf("there is a server %q in %s already: nothing was copied", e.Name, file.Path),
					Hint: "--force replaces those of the same names; or name the ones to be copied",
				}
			}
		}
		for _, e := range entries {
			if err := edit.Set(e.Name, e.Raw); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return changed(err)
	}
	imported := []string{}
	for _, e := range entries {
		imported = append(imported, e.Name)
	}
	return r.printJSON(ctx, struct {
		From     string   `json:"from"`
		Source   string   `json:"source"`
		Imported []string `json:"imported"`
	}{from.Path, file.Path, imported})
}

// chosen are the entries of those names, each once; of all when there are none.
func chosen(entries []*servers.Entry, names []string, path string) ([]*servers.Entry, error) {
	var all []*servers.Entry
	found := make(map[string]bool)
	for _, e := range entries {
		if !found[e.Name] && (len(names) == 0 || slices.Contains(names, e.Name)) {
			all = append(all, e)
			found[e.Name] = true
		}
	}
	for _, name := range names {
		if !found[name] {
			return nil, usagef("there is no server %q in %s", name, path)
		}
	}
	if len(all) == 0 {
		return nil, usagef("there is no server in %s", path)
	}
	for _, e := range all {
		if _, err := e.Define(); err != nil {
			return nil, &UsageError{Err: err}
		}
	}
	return all, nil
}
