package servers

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"mcpq/internal/rawjson"
)

// readTOML reads the file of Codex: a table mcp_servers.NAME for each server.
// Its words are made those of the other clients; the rest of the file is only
// checked for syntax. The parser is used without the decoder of its library,
// which is four times its size.
func (f *File) readTOML(text []byte) ([]*Entry, error) {
	root := new(table)
	var p unstable.Parser
	p.Reset(text)
	var at []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			at = keys(e)
			if len(at) > 1 {
				root.put(at, nil)
			}
		case unstable.ArrayTable:
			at = []string{""} // no server is in a list
		case unstable.KeyValue:
			if key := slices.Concat(at, keys(e)); key[0] == codexServers {
				root.put(key, e.Value())
			}
		}
	}
	if err := p.Error(); err != nil {
		var syntax *unstable.ParserError
		if errors.As(err, &syntax) {
			offset := int64(cap(text) - cap(syntax.Highlight))
			return nil, f.at(text, offset, errors.New(syntax.Message))
		}
		return nil, &FileError{Path: f.Path, Err: err}
	}
	servers, _ := root.get(codexServers).(*table)
	if servers == nil {
		return nil, nil
	}
	var entries []*Entry
	for _, name := range servers.names {
		e := &Entry{Name: name, File: f, Folder: f.Folder, Raw: json.RawMessage("null")}
		if t, ok := servers.get(name).(*table); ok {
			e.Raw = commonWords(t)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

const codexServers = "mcp_servers"

func keys(n *unstable.Node) []string {
	var parts []string
	for it := n.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
	}
	return parts
}

// table is a TOML table: its values are tables, or JSON.
type table struct {
	names  []string
	values map[string]any
}

func (t *table) get(name string) any { return t.values[name] }

func (t *table) set(name string, value any) {
	if t.values == nil {
		t.values = make(map[string]any)
	}
	if _, there := t.values[name]; !there {
		t.names = append(t.names, name)
	}
	t.values[name] = value
}

// put sets the value of a dotted key; nil makes a table of it.
func (t *table) put(key []string, value *unstable.Node) {
	for _, part := range key[:len(key)-1] {
		t = t.table(part)
	}
	last := key[len(key)-1]
	switch {
	case value == nil:
		t.table(last)
	case value.Kind == unstable.InlineTable:
		inner := t.table(last)
		for it := value.Children(); it.Next(); {
			inner.put(keys(it.Node()), it.Node().Value())
		}
	default:
		t.set(last, tomlJSON(value))
	}
}

// table gives the table of that name, which is made if need be.
func (t *table) table(name string) *table {
	inner, ok := t.values[name].(*table)
	if !ok {
		inner = new(table)
		t.set(name, inner)
	}
	return inner
}

// tomlJSON makes JSON of a value. What JSON has no word for becomes a string.
func tomlJSON(n *unstable.Node) json.RawMessage {
	switch n.Kind {
	case unstable.Array:
		var items []json.RawMessage
		for it := n.Children(); it.Next(); {
			items = append(items, tomlJSON(it.Node()))
		}
		return rawjson.Array(items)
	case unstable.InlineTable:
		inner := new(table)
		for it := n.Children(); it.Next(); {
			inner.put(keys(it.Node()), it.Node().Value())
		}
		return inner.json()
	case unstable.Bool, unstable.Integer, unstable.Float:
		if number := strings.ReplaceAll(string(n.Data), "_", ""); json.Valid([]byte(number)) {
			return json.RawMessage(number)
		}
	}
	return rawjson.Quote(string(n.Data))
}

func (t *table) json() json.RawMessage {
	var object rawjson.Object
	for _, name := range t.names {
		object = append(object, rawjson.Member{Key: name, Value: jsonOf(t.values[name])})
	}
	return object.Raw()
}

func jsonOf(value any) json.RawMessage {
	if t, ok := value.(*table); ok {
		return t.json()
	}
	return value.(json.RawMessage)
}

// commonWords translates what Codex calls otherwise: http_headers,
// env_http_headers, bearer_token_env_var and enabled.
func commonWords(t *table) json.RawMessage {
	var object, env, headers rawjson.Object
	merge := func(o *rawjson.Object, value any, of func(json.RawMessage) json.RawMessage) {
		if inner, ok := value.(*table); ok {
			for _, name := range inner.names {
				*o = o.Set(name, of(jsonOf(inner.get(name))))
			}
		}
	}
	same := func(raw json.RawMessage) json.RawMessage { return raw }
	variable := func(raw json.RawMessage) json.RawMessage {
		name, _ := rawjson.Unquote(raw)
		return rawjson.Quote("${" + name + "}")
	}
	for _, name := range t.names {
		value := t.get(name)
		switch name {
		case "env":
			merge(&env, value, same)
		case "http_headers":
			merge(&headers, value, same)
		case "env_http_headers":
			merge(&headers, value, variable)
		case "bearer_token_env_var":
			raw, _ := value.(json.RawMessage)
			if key, ok := rawjson.Unquote(raw); ok {
				headers = headers.Set("Authorization", rawjson.Quote("Bearer ${"+key+"}"))
			}
		case "enabled":
			if raw, _ := value.(json.RawMessage); string(raw) == "false" {
				object = object.Set("disabled", json.RawMessage("true"))
			}
		default:
			object = object.Set(name, jsonOf(value))
		}
	}
	if env != nil {
		object = object.Set("env", env.Raw())
	}
	if headers != nil {
		object = object.Set("headers", headers.Raw())
	}
	return object.Raw()
}
