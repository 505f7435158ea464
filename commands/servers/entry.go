package servers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
)

// Entry is a server as a config file has it. Nothing in it is expanded.
type Entry struct {
	Name   string
	File   *File
	Folder string // what ${workspaceFolder} is
	Raw    json.RawMessage

	inputs json.RawMessage // those of its file (VS Code)
}

// EntryError is an entry that makes no sense, or cannot be used.
type EntryError struct {
	Name string
	Path string // of its file
	Err  error
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("server %q in %s: %v", e.Name, e.Path, e.Err)
}

func (e *EntryError) Unwrap() error { return e.Err }

func (e *Entry) fail(format string, a ...any) error {
	return &EntryError{Name: e.Name, Path: e.File.Path, Err: fmt.Errorf(format, a...)}
}

// Pair is a variable or header.
type Pair struct{ Name, Value string }

// Definition is what an entry says, in the words of any client. What it does not
// know it leaves out.
type Definition struct {
	Kind      Kind   // Command, or HTTP: anything with a URL
	Transport string // sse or http where the entry insists on it
	Args      []string
	Env       []Pair
	Pass      []string // variables that are handed on (Codex)
	EnvFile   string
	Dir       string
	URL       string
	Headers   []Pair
	Disabled  bool           // in the client whose file it is
	Settings  rawjson.Object // ours
}

// Define reads the entry. The error is an *[EntryError].
func (e *Entry) Define() (*Definition, error) {
	members, err := rawjson.ParseObject(e.Raw)
	if err != nil {
		return nil, e.fail("it has to be an object")
	}
	d := new(Definition)
	var declared string
	var urlTransport string
	for _, m := range members {
		var err error
		switch m.Key {
		case "command":
			err = readCommand(m.Value, d)
		case "args":
			var args []string
			args, err = readStrings(m.Value)
			d.Args = append(d.Args, args...)
		case "env":
			d.Env, err = readPairs(m.Value)
		case "env_vars":
			d.Pass = readNames(m.Value)
		case "envFile":
			err = readString(m.Value, &d.EnvFile)
		case "cwd":
			err = readString(m.Value, &d.Dir)
		case "url", "serverUrl":
			err = readString(m.Value, &d.URL)
		case "httpUrl": // of Gemini CLI, where url is HTTP+SSE, or was
			urlTransport = "http"
			err = readString(m.Value, &d.URL)
		case "headers":
			d.Headers, err = readPairs(m.Value)
		case "type", "transport":
			err = readString(m.Value, &declared)
		case "disabled":
			d.Disabled = string(m.Value) == "true"
		case "mcpq":
			if d.Settings, err = rawjson.ParseObject(m.Value); err != nil {
				err = errors.New("this has to be an object")
			}
		}
		if err != nil {
			return nil, e.fail("%s: %w", m.Key, err)
		}
	}
	return d, e.classify(d, members, declared, urlTransport)
}

// classify finds out what kind of server it is.
func (e *Entry) classify(d *Definition, members rawjson.Object, declared, urlTransport string) error {
	_, hasCommand := members.Get("command")
	switch strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(declared)) {
	case "stdio", "local":
		d.Kind = Command
	case "streamablehttp":
		d.Kind, d.Transport = HTTP, "http"
	case "sse":
		d.Kind, d.Transport = HTTP, "sse"
	case "http", "remote", "socket": // http has a fall-back in VS Code, as with us
		d.Kind = HTTP
	case "":
		d.Transport = urlTransport
		if !hasCommand && d.URL != "" {
			d.Kind = HTTP
		}
		if hasCommand && d.URL != "" {
			return e.fail("it has both a command and a URL: a type has to say which")
		}
	default:
		return e.fail("unknown type %q: it can be stdio, http, sse or streamable-http", declared)
	}
	switch {
	case d.Kind == HTTP && d.URL == "":
		return e.fail("it has no url")
	case d.Kind == Command && (!hasCommand || len(d.Args) == 0 || d.Args[0] == ""):
		return e.fail("it has neither a command nor a url")
	}
	return nil
}

// Type is the kind of server in the words of config files: stdio, http, sse or
// streamable-http; and socket, which is ours.
func (d *Definition) Type() string {
	switch {
	case d.Kind == Command:
		return "stdio"
	case strings.HasPrefix(d.URL, "unix:"), strings.HasPrefix(d.URL, "tcp:"):
		return "socket"
	case d.Transport == "http":
		return "streamable-http"
	case d.Transport != "":
		return d.Transport
	}
	return "http"
}

func readCommand(raw json.RawMessage, d *Definition) error {
	var program string
	if readString(raw, &program) == nil {
		d.Args = append([]string{program}, d.Args...)
		return nil
	}
	words, err := readStrings(raw) // some clients write it as one list
	if err != nil {
		return errors.New("this has to be a string")
	}
	d.Args = append(words, d.Args...)
	return nil
}

func readString(raw json.RawMessage, into *string) error {
	text, ok := rawjson.Unquote(raw)
	if !ok {
		return errors.New("this has to be a string")
	}
	*into = text
	return nil
}

func readStrings(raw json.RawMessage) ([]string, error) {
	items, ok := rawjson.Items(raw)
	var all []string
	for _, item := range items {
		var text string
		if ok = ok && readString(item, &text) == nil; !ok {
			break
		}
		all = append(all, text)
	}
	if !ok {
		return nil, errors.New("this has to be an array of strings")
	}
	return all, nil
}

// readNames takes the strings of a list and leaves what else is in it.
func readNames(raw json.RawMessage) []string {
	items, _ := rawjson.Items(raw)
	var names []string
	for _, item := range items {
		if name, ok := rawjson.Unquote(item); ok {
			names = append(names, name)
		}
	}
	return names
}

// readPairs reads an object of texts; numbers and booleans are taken as they
// are written, and null is none.
func readPairs(raw json.RawMessage) ([]Pair, error) {
	members, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, errors.New("this has to be an object of strings")
	}
	var pairs []Pair
	for _, m := range members {
		text, ok := rawjson.Unquote(m.Value)
		switch {
		case ok:
		case string(m.Value) == "null":
			continue
		case m.Value[0] == '{' || m.Value[0] == '[':
			return nil, fmt.Errorf("%s has to be a string", m.Key)
		default:
			text = string(m.Value)
		}
		pairs = append(pairs, Pair{m.Key, text})
	}
	return pairs, nil
}
