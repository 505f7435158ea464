package commands

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"mcpq/commands/servers"
	"mcpq/internal/rawjson"
)

// ServersCmd holds the commands about the servers of config files. None of them
// starts or connects to any.
type ServersCmd struct {
	List   ServersListCmd   `cmd:"" help:"List the servers of all config files, the one that a name means before those it shadows."`
	Show   ServersShowCmd   `cmd:"" help:"Show the definition of a server."`
	Add    ServersAddCmd    `cmd:"" help:"Add a server, by its URL or with its command behind --, to mcpq's own config file or that of --config."`
	Remove ServersRemoveCmd `cmd:"" help:"Remove a server from mcpq's own config file, or that of --config."`
	Import ServersImportCmd `cmd:"" help:"Copy servers of another client into mcpq's own config file."`
	Trust  ServersTrustCmd  `cmd:"" help:"Allow a server of a project's config file to be used, as it is now."`
}

// ServersListCmd lists.
type ServersListCmd struct{}

// ServersShowCmd shows one.
type ServersShowCmd struct {
	Name    string `arg:"" help:"Name of the server."`
	Secrets bool   `help:"Show the values of env and headers too."`
}

// ServersTrustCmd allows one.
type ServersTrustCmd struct {
	Name   string `arg:"" help:"Name of the server."`
	Remove bool   `help:"Do not allow it any more."`
}

// serverItem is a server in a list. Of what may be secret it has the names.
type serverItem struct {
	Name     string   `json:"name"`
	Source   string   `json:"source"` // the file
	Client   string   `json:"client"`
	Scope    string   `json:"scope"`
	Type     string   `json:"type,omitempty"`
	Command  []string `json:"command,omitempty"`
	URL      string   `json:"url,omitempty"`
	Env      []string `json:"env,omitempty"`
	Headers  []string `json:"headers,omitempty"`
	Disabled bool     `json:"disabled,omitempty"`
	Shadowed bool     `json:"shadowed,omitempty"`
	Trusted  bool     `json:"trusted"`
	Error    string   `json:"error,omitempty"`
}

// item makes the item of an entry.
func (r *runner) item(e *servers.Entry) serverItem {
	i := serverItem{Name: e.Name, Source: e.File.Path, Client: e.File.Client, Scope: string(e.File.Scope)}
	d, err := e.Define()
	var entry *servers.EntryError
	if errors.As(err, &entry) {
		i.Error = entry.Err.Error()
		return i
	}
	i.Type, i.Disabled, i.Trusted = d.Type(), d.Disabled, r.trusted(e)
	if d.Kind == servers.Command {
		i.Command = maskedWords(d.Args)
		i.Env = append(pairNames(d.Env), d.Pass...)
	} else {
		i.URL = maskedURL(d.URL)
		i.Headers = pairNames(d.Headers)
	}
	return i
}

func pairNames(pairs []servers.Pair) []string {
	var all []string
	for _, p := range pairs {
		all = append(all, p.Name)
	}
	return all
}

// prepareServers checks what the commands about config files have in common.
func (r *runner) prepareServers() error {
	if r.grammar.Server != "" {
		return usagef("the commands about config files take the NAME of a server, not -s")
	}
	if r.dashes && r.selected != "add" {
		return usagef("a command behind -- only goes with 'mcpq servers add'")
	}
	return r.preparePrinter()
}

// Run lists the servers.
func (*ServersListCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	p, err := r.places()
	if err != nil {
		return err
	}
	entries, broken := p.All()
	for i, err := range broken {
		if i == 0 && r.grammar.Config != "" && p.Files()[0].Is(err) {
			return &UsageError{Err: err}
		}
		r.messages.Warningf("%v", err)
	}
	seen := make(map[string]bool)
	items := []serverItem{}
	for _, e := range entries {
		item := r.item(e)
		item.Shadowed = seen[e.Name]
		seen[e.Name] = true
		items = append(items, item)
	}
	return r.printJSON(ctx, struct {
		Servers []serverItem `json:"servers"`
	}{items})
}

// Run shows the definition.
func (c *ServersShowCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	e, err := r.entry(c.Name)
	if err != nil {
		return err
	}
	i := r.item(e)
	raw := e.Raw
	if !c.Secrets {
		raw = maskedDefinition(raw)
	}
	return r.printJSON(ctx, struct {
		Name       string          `json:"name"`
		Source     string          `json:"source"`
		Client     string          `json:"client"`
		Scope      string          `json:"scope"`
		Type       string          `json:"type,omitempty"`
		Trusted    bool            `json:"trusted"`
		Error      string          `json:"error,omitempty"`
		Definition json.RawMessage `json:"definition"`
	}{i.Name, i.Source, i.Client, i.Scope, i.Type, i.Trusted, i.Error, raw})
}

// Run records the consent, or takes it back.
func (c *ServersTrustCmd) Run(ctx context.Context, r *runner) error {
	if err := r.prepareServers(); err != nil {
		return err
	}
	e, err := r.entry(c.Name)
	if err != nil {
		return err
	}
	if _, err := e.Define(); err != nil {
		return &UsageError{Err: err}
	}
	switch {
	case c.Remove:
		if _, err := r.trust().Delete(e); err != nil {
			return usagef("trust cannot be taken back: %w", err)
		}
	case e.File.Scope == servers.Project:
		if err := r.putTrust(e); err != nil {
			return err
		}
	}
	return r.printJSON(ctx, r.item(e))
}

// maskedDefinition leaves the secrets out of a definition: the values of env and
// headers, and what maskedWords and safeURL hide.
func maskedDefinition(raw json.RawMessage) json.RawMessage {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return raw // it has no such members
	}
	for i, m := range object {
		switch m.Key {
		case "env", "headers":
			if values, err := rawjson.ParseObject(m.Value); err == nil {
				for j, v := range values {
					if text, ok := rawjson.Unquote(v.Value); !ok || !isReference(text) {
						values[j].Value = rawjson.Quote(redacted)
					}
				}
				object[i].Value = values.Raw()
			}
		case "args", "command":
			object[i].Value = maskedList(m.Value)
		case "url", "serverUrl", "httpUrl":
			if text, ok := rawjson.Unquote(m.Value); ok {
				object[i].Value = rawjson.Quote(maskedURL(text))
			}
		}
	}
	return object.Raw()
}

// maskedURL leaves a URL without secrets as it is written.
func maskedURL(text string) string {
	safe := safeURL(text)
	if strings.Contains(safe, url.QueryEscape(redacted)) || strings.Contains(safe, ":xxxxx@") {
		return safe
	}
	return text
}

func maskedList(raw json.RawMessage) json.RawMessage {
	items, ok := rawjson.Items(raw)
	var words []string
	for _, item := range items {
		text, isText := rawjson.Unquote(item)
		ok = ok && isText
		words = append(words, text)
	}
	if !ok {
		return raw
	}
	for i, word := range maskedWords(words) {
		if word != words[i] {
			items[i] = rawjson.Quote(word)
		}
	}
	return rawjson.Array(items)
}

// maskedWords leaves out of a command what its flags and variables call a
// secret: --api-key VALUE, --token=VALUE, TOKEN=VALUE, and headers.
func maskedWords(words []string) []string {
	masked := make([]string, len(words))
	for i, word := range words {
		masked[i] = word
		if strings.Contains(word, "://") {
			masked[i] = maskedURL(word)
			continue
		}
		if i > 0 && strings.HasPrefix(words[i-1], "-") && !strings.ContainsAny(words[i-1], "=: ") &&
			isSecret(words[i-1]) && !strings.HasPrefix(word, "-") && !isReference(word) {
			masked[i] = redacted
			continue
		}
		at := strings.IndexAny(word, "=:")
		if at > 0 && isSecret(word[:at]) && !isReference(strings.TrimSpace(word[at+1:])) {
			masked[i] = word[:at+1] + redacted
		}
	}
	return masked
}

// isReference reports whether a value only says where the secret is to be had:
// ${TOKEN}, or Bearer ${TOKEN}.
func isReference(value string) bool {
	if scheme, rest, ok := strings.Cut(value, " "); ok {
		switch scheme {
		case "Bearer", "Basic", "Token":
			value = rest
		}
	}
	inner, ok := strings.CutPrefix(value, "${")
	return ok && strings.Index(inner, "}") == len(inner)-1 && !strings.Contains(inner, ":-")
}
