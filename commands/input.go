package commands

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
)

// inputs is where arguments come from that are not on the command line. It
// remembers what it read, because arguments are built twice: once to find
// mistakes before a server is started, and again when the schema is known.
type inputs struct {
	stdin io.Reader
	read  *bytes.Buffer // of stdin, nil before
	files map[string][]byte
}

func (r *runner) inputs() *inputs {
	return &inputs{stdin: r.env.In, files: make(map[string][]byte)}
}

// source gives the inputs from their beginning.
func (i *inputs) source() args.Source {
	s := args.Source{ReadFile: i.file}
	if i.read != nil {
		s.Stdin = bytes.NewReader(i.read.Bytes())
	} else {
		s.Stdin = &firstRead{i}
	}
	return s
}

func (i *inputs) file(name string) ([]byte, error) {
	if data, ok := i.files[name]; ok {
		return data, nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		i.files[name] = data
	}
	return data, err
}

// firstRead keeps what is read of standard input.
type firstRead struct{ i *inputs }

func (f *firstRead) Read(p []byte) (int, error) {
	if f.i.read == nil {
		f.i.read = new(bytes.Buffer)
	}
	n, err := f.i.stdin.Read(p)
	f.i.read.Write(p[:n])
	return n, err
}

// jsonParam reads a JSON parameter: the text itself, @FILE, or - for standard
// input.
func (i *inputs) jsonParam(what, value string) ([]byte, error) {
	raw := []byte(value)
	var err error
	if name, ok := strings.CutPrefix(value, "@"); ok && name != "-" {
		raw, err = i.file(name)
	} else if value == "-" || ok {
		raw, err = io.ReadAll(i.source().Stdin)
	}
	if err != nil {
		return nil, usagef("%s: %w", what, err)
	}
	compact, err := rawjson.Compact(raw)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON ends too early")
	}
	if err != nil {
		return nil, usagef("%s: not JSON: %w", what, err)
	}
	return compact, nil
}
