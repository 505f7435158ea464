package servers

import (
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/tidwall/jsonc"

	"mcpq/internal/rawjson"
)

// readJSON reads the format that most clients have: an object of definitions
// named mcpServers, or servers in VS Code, which has inputs beside them. Comments
// and trailing commas are allowed.
func (f *File) readJSON(text []byte) ([]*Entry, error) {
	text = jsonc.ToJSONInPlace(text) // every byte stays in its place
	var entries, local []*Entry
	var inputs json.RawMessage
	d := rawjson.NewBytes(text)
	err := d.Object(func(key string, v *rawjson.Value) error {
		switch {
		case key == "mcpServers", key == "servers":
			found, err := f.definitions(v, f.Folder)
			entries = append(entries, found...)
			return err
		case key == "inputs":
			var err error
			inputs, _, err = v.Raw(0)
			return err
		case key == "projects" && f.projects != nil:
			var err error
			local, err = f.readProjects(v)
			return err
		}
		return nil
	})
	if err == nil {
		err = d.End()
	}
	var syntax *rawjson.SyntaxError
	var kind *rawjson.KindError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, f.at(text, int64(len(text)), errors.New("the JSON ends too early"))
	case errors.As(err, &syntax):
		return nil, f.at(text, syntax.Offset, errors.New(syntax.Msg))
	case errors.As(err, &kind):
		return nil, f.at(text, kind.Offset, errors.New("this has to be an object"))
	case err != nil:
		return nil, &FileError{Path: f.Path, Err: err}
	}
	entries = append(local, entries...)
	for _, e := range entries {
		e.inputs = inputs
	}
	return entries, nil
}

// definitions reads an object of definitions; null is none. Of two with the same
// name the last one counts.
func (f *File) definitions(v *rawjson.Value, folder string) ([]*Entry, error) {
	if kind, err := v.Kind(); err != nil || kind == 'n' {
		return nil, err
	}
	var entries []*Entry
	last := make(map[string]*Entry)
	err := v.Object(func(name string, v *rawjson.Value) error {
		raw, _, err := v.Raw(0)
		if err != nil {
			return err
		}
		e := &Entry{Name: name, File: f, Folder: folder, Raw: raw}
		entries, last[name] = append(entries, e), e
		return nil
	})
	return slices.DeleteFunc(entries, func(e *Entry) bool { return last[e.Name] != e }), err
}
