package servers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/jsonc"

	"mcpq/internal/rawjson"
)

// Edit is the text of a config file of ours while it is changed. What is not
// changed keeps its bytes: comments, order and layout.
type Edit struct {
	path string
	text []byte
}

const ownServers = "mcpServers"

// Change changes the definitions of a config file, which need not be there yet,
// and writes it as a whole. Others who do so wait for their turn; when somebody
// who does not wait, such as an editor, wrote it meanwhile, the change is made
// anew.
func (f *File) Change(ctx context.Context, change func(*Edit) error) error {
	if strings.HasSuffix(f.Path, ".toml") {
		return &FileError{Path: f.Path, Err: errors.New("only JSON files can be changed")}
	}
	path := f.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays one
	}
	unlock, err := lockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return err
	}
	defer unlock()
	const times = 5
	for range times {
		old, err := readBounded(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &FileError{Path: f.Path, Err: err}
		}
		e := &Edit{path: f.Path, text: slices.Clone(bytes.TrimPrefix(old, []byte("\ufeff")))}
		if _, err := f.readJSON(slices.Clone(e.orEmpty())); err != nil {
			return err
		}
		if err := change(e); err != nil {
			return err
		}
		if now, err := os.ReadFile(path); err == nil && !bytes.Equal(now, old) {
			continue
		}
		if err := f.write(path, e.text); err != nil {
			return &FileError{Path: f.Path, Err: err}
		}
		return nil
	}
	return &FileError{Path: f.Path, Err: errors.New("somebody else keeps changing it")}
}

// write replaces the file. A file that the user named keeps its mode.
func (f *File) write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), private); err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil && f.Scope == Explicit {
		mode = info.Mode().Perm()
	}
	return replaceFile(path, text, mode)
}

func (e *Edit) orEmpty() []byte {
	if len(bytes.TrimSpace(e.text)) == 0 {
		return []byte("{}\n")
	}
	return e.text
}

// Has reports whether there is a definition of that name.
func (e *Edit) Has(name string) bool {
	entries, err := (&File{}).readJSON(slices.Clone(e.orEmpty()))
	return err == nil && slices.ContainsFunc(entries, func(e *Entry) bool { return e.Name == name })
}

// Set adds a definition behind the others, or puts it in the place of the one
// that has its name.
func (e *Edit) Set(name string, definition json.RawMessage) error {
	e.text = e.orEmpty()
	root, err := e.object(0)
	if err != nil {
		return err
	}
	first := rawjson.Object{{Key: name, Value: definition}}.Raw()
	servers, ok := root.servers()
	switch {
	case !ok:
		return e.insert(root, ownServers, first)
	case string(e.text[servers.start:servers.end]) == "null":
		return e.replace(servers, first)
	}
	inner, err := e.object(servers.start)
	if err != nil {
		return err
	}
	if m, ok := inner.member(name); ok {
		return e.replace(m, definition)
	}
	return e.insert(inner, name, definition)
}

// object finds the members of an object of the text.
func (e *Edit) object(offset int) (*object, error) {
	o, err := parseObject(e.text, offset)
	if err != nil {
		return nil, &FileError{Path: e.path, Err: err}
	}
	return o, nil
}

// replace puts another value into the place of one.
func (e *Edit) replace(m span, value json.RawMessage) error {
	laid, err := e.layout(value, e.indentation(m.key))
	if err != nil {
		return err
	}
	e.text = slices.Replace(e.text, m.start, m.end, laid...)
	return nil
}

// Remove takes a definition out, and tells whether there was one.
func (e *Edit) Remove(name string) (bool, error) {
	removed := false
	for {
		more, err := e.removeFirst(name)
		if err != nil || !more {
			return removed, err
		}
		removed = true
	}
}

func (e *Edit) removeFirst(name string) (bool, error) {
	e.text = e.orEmpty()
	root, err := e.object(0)
	if err != nil {
		return false, err
	}
	servers, ok := root.servers()
	if !ok || string(e.text[servers.start:servers.end]) == "null" {
		return false, nil
	}
	inner, err := e.object(servers.start)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(inner.members, func(m span) bool { return m.name == name })
	if i < 0 {
		return false, nil
	}
	m := inner.members[i]
	from, to := m.key, m.end
	comma := nextComma(e.text, m.end)
	if comma >= 0 {
		to = comma + 1
	}
	// A line that holds nothing else goes too.
	line := bytes.LastIndexByte(e.text[:from], '\n') + 1
	end := to
	for end < len(e.text) && strings.ContainsRune(" \t\r", rune(e.text[end])) {
		end++
	}
	if len(bytes.TrimSpace(e.text[line:from])) == 0 && line > 0 && end < len(e.text) && e.text[end] == '\n' {
		from, to = line, end+1
	}
	e.text = slices.Delete(e.text, from, to)
	if comma < 0 && i > 0 { // the last one: that before it is followed by nothing now
		if before := nextComma(e.text, inner.members[i-1].end); before >= 0 {
			e.text = slices.Delete(e.text, before, before+1)
		}
	}
	return true, nil
}

// insert adds a member at the end of an object.
func (e *Edit) insert(o *object, name string, value json.RawMessage) error {
	indent := e.indentation(o.start) + e.unit()
	at := o.end - 1 // of the brace
	if n := len(o.members); n > 0 {
		indent = e.indentation(o.members[n-1].key)
		if nextComma(e.text, o.members[n-1].end) < 0 {
			e.text = slices.Insert(e.text, o.members[n-1].end, ',')
			at++
		}
	}
	laid, err := e.layout(value, indent)
	if err != nil {
		return err
	}
	rest := len(bytes.TrimRight(e.text[:at], " \t\r\n"))
	text := fmt.Sprintf("\n%s%s: %s\n%s", indent, rawjson.Quote(name), laid, e.indentation(o.start))
	e.text = slices.Replace(e.text, rest, at, []byte(text)...)
	return nil
}

// layout writes a value as it stands behind such an indentation.
func (e *Edit) layout(value json.RawMessage, indent string) ([]byte, error) {
	var b bytes.Buffer
	err := json.Indent(&b, value, indent, e.unit())
	return b.Bytes(), err
}

// unit is what the file indents by.
func (e *Edit) unit() string {
	if bytes.Contains(e.text, []byte("\n\t")) {
		return "\t"
	}
	return "  "
}

// indentation is the white space that the line of an offset begins with.
func (e *Edit) indentation(offset int) string {
	line := e.text[bytes.LastIndexByte(e.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// object is where an object is in a text, and its members.
type object struct {
	start, end int // of the braces
	members    []span
}

// span is where a member is.
type span struct {
	name       string
	key        int // where its name begins
	start, end int // of its value
}

// member is the one that counts of those with a name: the last.
func (o *object) member(name string) (span, bool) {
	for _, m := range slices.Backward(o.members) {
		if m.name == name {
			return m, true
		}
	}
	return span{}, false
}

// servers is the member that holds the definitions: VS Code calls it servers.
func (o *object) servers() (span, bool) {
	if m, ok := o.member(ownServers); ok {
		return m, true
	}
	return o.member("servers")
}

// parseObject finds the members of the object that begins at or behind an
// offset of a text with comments.
func parseObject(text []byte, offset int) (*object, error) {
	plain := jsonc.ToJSON(text)[offset:] // every byte in its place
	d := json.NewDecoder(bytes.NewReader(plain))
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if token != json.Delim('{') {
		return nil, errors.New("the servers have to be an object")
	}
	o := &object{start: offset + int(d.InputOffset()) - 1}
	for d.More() {
		var m span
		before := d.InputOffset()
		if token, err = d.Token(); err != nil {
			return nil, err
		}
		m.name, _ = token.(string)
		m.key = offset + int(before) + bytes.IndexByte(plain[before:], '"')
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		m.end = offset + int(d.InputOffset())
		m.start = m.end - len(value)
		o.members = append(o.members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	o.end = offset + int(d.InputOffset())
	return o, nil
}

// nextComma finds the comma behind a value, past white space and comments; -1
// if there is none.
func nextComma(text []byte, i int) int {
	for i < len(text) {
		switch {
		case text[i] == ',':
			return i
		case bytes.HasPrefix(text[i:], []byte("//")):
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(text[i:], []byte("/*")):
			n := bytes.Index(text[i+2:], []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 4
		case bytes.IndexByte([]byte(" \t\r\n"), text[i]) >= 0:
			i++
		default:
			return -1
		}
	}
	return -1
}
