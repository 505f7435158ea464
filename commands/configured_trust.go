package commands

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kballard/go-shellquote"

	"mcpq/commands/form"
	"mcpq/commands/servers"
	"mcpq/output"
)

// TrustError is a server of a project's config file that nobody has allowed to
// be used.
type TrustError struct {
	Name, Path string
	Reason     string // why it needs to be allowed
	Changed    bool   // it was allowed as it was then
	Refused    bool   // a person said no
}

func (e *TrustError) Error() string {
	said := "is not trusted"
	switch {
	case e.Refused:
		return fmt.Sprintf("server %q of %s was not used: you said no", e.Name, e.Path)
	case e.Changed:
		said = "has changed since it was trusted"
	}
	return fmt.Sprintf("server %q of %s %s, and %s", e.Name, e.Path, said, e.Reason)
}

func (e *TrustError) hint() string {
	if e.Refused {
		return ""
	}
	name := shellquote.Join(e.Name)
	return fmt.Sprintf("'mcpq servers show %s' shows what it is, 'mcpq servers trust %s' allows it", name, name)
}

// trust remembers which servers are trusted.
func (r *runner) trust() servers.TrustStore {
	return servers.TrustStore{Dir: filepath.Join(stateDir(r.env.Getenv, runtime.GOOS), "trusted")}
}

// trusted reports whether an entry may be used as far as it goes by itself.
func (r *runner) trusted(e *servers.Entry) bool {
	return e.NeedsTrust() == "" || r.trust().Of(e) == servers.Trusted
}

// requireTrust lets an entry through that is the user's own, or that the user
// has allowed: before, or now, on a terminal.
func (r *runner) requireTrust(e *servers.Entry) error {
	reason := e.NeedsTrust()
	if reason == "" && e.File.Scope == servers.Project && r.carriesSecrets() {
		reason = "credentials would be sent to it"
	}
	if reason == "" {
		return nil
	}
	state := r.trust().Of(e)
	if state == servers.Trusted {
		return nil
	}
	missing := &TrustError{Name: e.Name, Path: e.File.Path, Reason: reason, Changed: state == servers.Changed}
	if !r.env.InTTY || !r.env.ErrTTY || !r.openTerminal() {
		return missing
	}
	yes, err := r.askTrust(e, missing)
	if err != nil {
		return err
	}
	if !yes {
		missing.Refused = true
		return missing
	}
	return r.putTrust(e)
}

func (r *runner) putTrust(e *servers.Entry) error {
	if err := r.trust().Put(e); err != nil {
		return usagef("trust cannot be recorded: %w", err)
	}
	return nil
}

// carriesSecrets reports whether the command line or the environment has
// credentials for whichever server it is.
func (r *runner) carriesSecrets() bool {
	for _, name := range secretEnv() {
		if r.env.Getenv(name) != "" {
			return true
		}
	}
	return len(r.grammar.Header) > 0 || r.grammar.AuthFlags.given() || r.grammar.Cert != ""
}

// askTrust shows a person what would be used, and asks. No answer is a no.
func (r *runner) askTrust(e *servers.Entry, why *TrustError) (bool, error) {
	d, err := e.Define()
	if err != nil {
		return false, &UsageError{Err: err}
	}
	t := r.terminal
	head := "A project's config file defines the server " + output.SafeLine(e.Name) + ":"
	if why.Changed {
		head = "The server " + output.SafeLine(e.Name) + " of a project's config file is not what you trusted any more:"
	}
	t.Print("", t.Bold(head))
	show := func(what, text string) { t.Quote(fmt.Sprintf("%-8s %s", what, output.SafeLine(text))) }
	show("file", e.File.Path)
	if d.Kind == servers.Command {
		show("command", shellquote.Join(d.Args...))
		folder := d.Dir
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(e.Folder, folder)
		}
		show("folder", folder)
		if d.EnvFile != "" {
			show("envFile", d.EnvFile)
		}
	} else {
		show("url", d.URL)
	}
	for _, p := range d.Env {
		show("env", p.Name+"="+p.Value)
	}
	for _, p := range d.Headers {
		show("header", p.Name+": "+p.Value)
	}
	if len(d.Settings) > 0 {
		show("mcpq", string(d.Settings.Raw()))
	}
	t.Print("It has to be trusted, because " + why.Reason + ".")
	answer, err := t.ReadLine(r.ctx, "Use it, now and from now on? [y/N] ")
	if errors.Is(err, form.ErrClosed) {
		return false, nil
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", err
}
