package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"mcpq/internal/rawjson"
)

// Arguments that a tool marks with x-mcp-header travel a second time as HTTP
// headers (2026-07-28, basic/transports/streamable-http, custom headers).

const (
	headerKeyword = "x-mcp-header"
	paramPrefix   = "Mcp-Param-"
)

// ToolError is a tool that must not be used, because its definition breaks the
// rules.
type ToolError struct {
	Tool string
	Err  error
}

func (e *ToolError) Error() string { return fmt.Sprintf("tool %q left out: %v", e.Tool, e.Err) }
func (e *ToolError) Unwrap() error { return e.Err }

// ArgumentError is an argument that cannot be sent.
type ArgumentError struct {
	Argument string
	Reason   string
}

func (e *ArgumentError) Error() string { return fmt.Sprintf("argument %q: %s", e.Argument, e.Reason) }

// badParams is the error of params that are not a JSON object.
func badParams(method string, err error) error {
	return &ArgumentError{Argument: "params of " + method, Reason: err.Error()}
}

// encodeHeader writes a value so that it survives as an HTTP header: plain
// where it can be, else as =?base64?…?=.
func encodeHeader(s string) string {
	plain := s == strings.Trim(s, " \t") &&
		!(strings.HasPrefix(s, "=?base64?") && strings.HasSuffix(s, "?="))
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 0x20 && s[i] <= 0x7e
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// paramHeader mirrors the arguments of a call whose tool has the input schema
// given. An argument that is absent or null gives no header.
func paramHeader(schema, arguments json.RawMessage) (http.Header, error) {
	marks, err := headerMarks(schema)
	if err != nil || len(marks) == 0 {
		return nil, err
	}
	header := make(http.Header)
	for _, m := range marks {
		value := arguments
		for _, key := range m.path {
			object, err := rawjson.ParseObject(value)
			if err != nil {
				object = nil // the path ends early: nothing to mirror
			}
			value, _ = object.Get(key)
		}
		text, ok, err := headerText(value)
		if err != nil {
			return nil, &ArgumentError{Argument: strings.Join(m.path, "."), Reason: err.Error()}
		}
		if ok {
			header.Set(paramPrefix+m.name, encodeHeader(text))
		}
	}
	return header, nil
}

// headerText gives the text of a primitive; ok is false for what is not
// mirrored.
func headerText(value json.RawMessage) (text string, ok bool, err error) {
	switch {
	case len(value) == 0 || string(value) == "null" || value[0] == '{' || value[0] == '[':
		return "", false, nil
	case value[0] == '"':
		text, ok = rawjson.Unquote(value)
		return text, ok, nil
	case value[0] == 't' || value[0] == 'f':
		return string(value), true, nil
	}
	const most = 1<<53 - 1 // what every peer can hold exactly
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > most {
		return "", false, fmt.Errorf("%s is sent as an HTTP header too, and only integers of at most 2^53-1 can be", value)
	}
	return strconv.FormatInt(int64(f), 10), true, nil
}

// mirrorsHeaders reports whether tools are called with mirrored arguments.
func (c *Client) mirrorsHeaders() bool {
	return c.Info().Era == Stateless && c.conn.Name() == "http"
}

// dropInvalidTools takes the tools out of a page whose marks break the rules.
func (c *Client) dropInvalidTools(p *Page) {
	if !bytes.Contains(p.Raw, []byte(headerKeyword)) {
		return // as of most servers, whose tools need not be parsed for this
	}
	var items []json.RawMessage
	for _, item := range p.Items() {
		t, err := parseTool(item)
		if err == nil {
			_, err = headerMarks(t.InputSchema)
		}
		if err != nil {
			c.warn(&ToolError{Tool: t.Name, Err: err})
			continue
		}
		items = append(items, item)
	}
	if len(items) == len(p.Items()) {
		return
	}
	if object, err := rawjson.ParseObject(p.Raw); err == nil {
		p.Raw = object.Set(p.List.Key(), rawjson.Array(items)).Raw()
	}
	p.list, p.items = nil, nil
}
