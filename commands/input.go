package commands

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"mcpq/commands/args"
	"mcpq/internal/rawjson"
)

// awaited does what cannot be interrupted, such as to open or read a pipe. When
// ctx ends first it is left behind, and ends with the input or the process.
func awaited[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case res := <-done:
		return res.value, res.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// readDocument reads a file, or for - standard input, and gives the name that it has
// in messages. Of a longer one it gives a byte more than most.
func (r *runner) readDocument(ctx context.Context, name string, most int64) (string, []byte, error) {
	text, err := awaited(ctx, func() ([]byte, error) {
		if name == "-" {
			return io.ReadAll(io.LimitReader(r.env.In, most+1))
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }() // it was only read
		return io.ReadAll(io.LimitReader(file, most+1))
	})
	if err != nil {
		return name, nil, &UsageError{Err: err}
	}
	if name == "-" {
		name = "standard input"
	}
	return name, text, nil
}

// inputs is where arguments come from that are not on the command line. It
// remembers what it read, because arguments are built twice: once to find
// mistakes before a server is started, and again when the schema is known.
type inputs struct {
	ctx   context.Context // ends the waiting for all of them
	stdin io.Reader
	read  *bytes.Buffer // of stdin, nil before
	files map[string][]byte
}

func (r *runner) inputs() *inputs {
	ctx := r.ctx
	if ctx == nil { // a shell asks, and kills who takes too long
		ctx = context.Background()
	}
	return &inputs{ctx: ctx, stdin: r.env.In, files: make(map[string][]byte)}
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
	data, err := awaited(i.ctx, func() ([]byte, error) { return os.ReadFile(name) })
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
		raw, err = awaited(i.ctx, func() ([]byte, error) { return io.ReadAll(i.source().Stdin) })
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
