package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/rawjson"
)

// setting is a flag that an entry of a config file can set under "mcpq".
type setting struct {
	name    string // that of the flag in camel case
	flag    string
	into    any      // the field of the flag
	choices []string // nil: kong has none either
	path    bool     // it names files
}

// settings are all of them. None runs a program, and what is about the whole run
// rather than a server is not among them.
func (g *grammar) settings() []setting {
	s, c, a := &g.ServerFlags, &g.ClientFlags, &g.AuthFlags
	return []setting{
		{name: "protocol", flag: "protocol", into: &s.Protocol},
		{name: "transport", flag: "transport", into: &s.Transport, choices: []string{transportAuto, transportStdio, transportHTTP, transportSSE}},
		{name: "framing", flag: "framing", into: &s.Framing, choices: []string{"newline", "content-length"}},
		{name: "inheritEnv", flag: "inherit-env", into: &s.InheritEnv},
		{name: "connectTimeout", flag: "connect-timeout", into: &s.ConnectTimeout},
		{name: "timeout", flag: "timeout", into: &s.Timeout},
		{name: "grace", flag: "grace", into: &s.Grace},
		{name: "maxBytes", flag: "max-bytes", into: &s.MaxBytes},
		{name: "retry", flag: "retry", into: &s.Retry},
		{name: "cacert", flag: "cacert", into: &s.CACert, path: true},
		{name: "cert", flag: "cert", into: &s.Cert, path: true},
		{name: "key", flag: "key", into: &s.Key, path: true},
		{name: "insecure", flag: "insecure", into: &s.Insecure},
		{name: "roots", flag: "root", into: &c.Root, path: true},
		{name: "logLevel", flag: "log-level", into: &c.LogLevel},
		{name: "noProgressReset", flag: "no-progress-reset", into: &c.NoProgressReset},
		{name: "noCache", flag: "no-cache", into: &g.NoCache},
		{name: "oauth", flag: "oauth", into: &a.OAuth, choices: strings.Split("auto,code,device,client-credentials,jwt-bearer,enterprise,none", ",")},
		{name: "clientId", flag: "client-id", into: &a.ClientID},
		{name: "scope", flag: "scope", into: &a.Scope},
	}
}

// applySettings sets the flags that the entry has settings for and that were not
// given.
func (r *runner) applySettings(x *servers.Expander, e *servers.Entry) error {
	d, err := e.Define()
	if err != nil {
		return err
	}
	known := r.grammar.settings()
	for _, m := range d.Settings {
		i := slices.IndexFunc(known, func(s setting) bool { return s.name == m.Key })
		if i < 0 {
			r.messages.Warningf("server %q in %s: there is no setting %q", e.Name, e.File.Path, m.Key)
			continue
		}
		if r.given[known[i].flag] {
			continue
		}
		expand := func(text string) (string, error) {
			text, err := x.Text(r.ctx, e, m.Key, text)
			if err == nil && known[i].path && !filepath.IsAbs(text) && !strings.Contains(text, "://") {
				text = filepath.Join(e.Folder, text)
			}
			return text, err
		}
		err := known[i].read(m.Value, expand)
		var entry *servers.EntryError
		if errors.As(err, &entry) {
			return expansionError(err)
		}
		if err != nil {
			return usagef("server %q in %s: mcpq.%s: %w", e.Name, e.File.Path, m.Key, err)
		}
	}
	return nil
}

// read takes a value of the config file over.
func (s *setting) read(raw json.RawMessage, expand func(string) (string, error)) error {
	text, isText := rawjson.Unquote(raw)
	if isText {
		var err error
		if text, err = expand(text); err != nil {
			return err
		}
	}
	switch into := s.into.(type) {
	case *string:
		if !isText {
			return errors.New("this has to be a string")
		}
		if s.choices != nil && !slices.Contains(s.choices, text) {
			return fmt.Errorf("it can be %s", strings.Join(s.choices, ", "))
		}
		*into = text
	case *bool:
		if string(raw) != "true" && string(raw) != "false" {
			return errors.New("this has to be true or false")
		}
		*into = string(raw) == "true"
	case *int:
		n, err := strconv.Atoi(string(raw))
		if err != nil {
			return errors.New("this has to be a whole number")
		}
		*into = n
	case *Duration:
		return into.UnmarshalText(textOr(text, isText, raw))
	case *Size:
		return into.UnmarshalText(textOr(text, isText, raw))
	case *[]string:
		return readList(raw, text, isText, expand, into)
	}
	return nil
}

func textOr(text string, isText bool, raw json.RawMessage) []byte {
	if isText {
		return []byte(text)
	}
	return raw
}

// readList reads a list of texts, or a single one.
func readList(raw json.RawMessage, text string, isText bool, expand func(string) (string, error), into *[]string) error {
	if isText {
		*into = []string{text}
		return nil
	}
	items, ok := rawjson.Items(raw)
	var all []string
	for _, item := range items {
		text, isText := rawjson.Unquote(item)
		if ok = ok && isText; !ok {
			break
		}
		text, err := expand(text)
		if err != nil {
			return err
		}
		all = append(all, text)
	}
	if !ok {
		return errors.New("this has to be an array of strings")
	}
	*into = all
	return nil
}

// givenSettings are the flags on the command line that an entry can set. Paths are
// absolute: the entry is used elsewhere too.
func (r *runner) givenSettings() (rawjson.Object, error) {
	var object rawjson.Object
	for _, s := range r.grammar.settings() {
		if !r.given[s.flag] {
			continue
		}
		text := func(value string) (json.RawMessage, error) {
			if s.path && !strings.Contains(value, "://") {
				var err error
				if value, err = filepath.Abs(value); err != nil {
					return nil, usagef("--%s: %w", s.flag, err)
				}
			}
			return rawjson.Quote(value), nil
		}
		var value json.RawMessage
		var err error
		switch from := s.into.(type) {
		case *string:
			value, err = text(*from)
		case *bool:
			value = json.RawMessage(strconv.FormatBool(*from))
		case *int:
			value = json.RawMessage(strconv.Itoa(*from))
		case *Duration:
			value = rawjson.Quote(time.Duration(*from).String())
		case *Size:
			value = json.RawMessage(strconv.FormatInt(int64(*from), 10))
		case *[]string:
			items := make([]json.RawMessage, len(*from))
			for i, item := range *from {
				items[i], err = text(item)
			}
			value = rawjson.Array(items)
		}
		if err != nil {
			return nil, err
		}
		object = object.Set(s.name, value)
	}
	return object, nil
}
