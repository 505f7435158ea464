package jsonrpc

import (
	"bytes"
	"errors"
	"io"

	"mcpq/internal/rawjson"
)

const (
	// smallFrame is the size up to which a frame is read whole before it is
	// looked at, which spares it the large buffer of a stream.
	smallFrame = 16 << 10
	headSize   = 512 // kept of a frame for error messages
)

// source is a frame being read: it keeps its beginning and how it ended.
type source struct {
	r    io.Reader
	head []byte
	err  error // what r returned in the end: io.EOF when the frame is whole
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if len(s.head) < headSize {
		s.head = append(s.head, p[:min(n, headSize-len(s.head))]...)
	}
	if err != nil {
		s.err = err
	}
	return n, err
}

// cut reports whether the frame ended before its end.
func (s *source) cut() bool { return s.err != nil && s.err != io.EOF }

// meant reports whether the frame was written as a JSON-RPC message: programs
// also print logs that merely begin with a bracket.
func (s *source) meant() bool {
	return bytes.Contains(s.head, []byte(`"jsonrpc"`)) ||
		bytes.HasPrefix(s.head, []byte(`{"result"`)) || bytes.HasPrefix(s.head, []byte(`{"id"`))
}

func (s *source) String() string {
	const shown = 120
	if len(s.head) > shown {
		return string(s.head[:shown]) + "…"
	}
	return string(s.head)
}

// fail sorts an error of reading into those of Decode.
func (s *source) fail(id ID, err error) error {
	var syntax *rawjson.SyntaxError
	var kind *rawjson.KindError
	reason := ""
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		if s.cut() {
			return s.err
		}
		reason = "it ends in the middle"
	case errors.As(err, &syntax):
		reason = syntax.Error()
	case errors.As(err, &kind):
		reason = kind.Error()
	default:
		return err
	}
	if !s.meant() {
		return &NotJSONError{Head: s.String()}
	}
	return &MalformedError{ID: id, Reason: reason, Head: s.String(), Err: err}
}

// resultReader is a large result: what has been read of it, and the rest.
type resultReader struct {
	head []byte
	rest *rawjson.Value
	err  error // of the frame, as opposed to one of who reads it
}

func (r *resultReader) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	n, err := r.rest.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// WriteTo spares io.Copy its buffer.
func (r *resultReader) WriteTo(w io.Writer) (int64, error) {
	out := &failedWriter{w: w}
	n, err := out.Write(r.head)
	total := int64(n)
	r.head = r.head[n:]
	if err != nil {
		return total, err
	}
	more, err := r.rest.WriteTo(out)
	if err != nil && out.err == nil {
		r.err = err
	}
	return total + more, err
}

// failedWriter remembers a failure of w.
type failedWriter struct {
	w   io.Writer
	err error
}

func (f *failedWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return f.check(p, n, err)
}

// WriteText makes it a [rawjson.TextWriter].
func (f *failedWriter) WriteText(p []byte) (int, error) {
	n, err := rawjson.WriteText(f.w, p)
	return f.check(p, n, err)
}

func (f *failedWriter) check(p []byte, n int, err error) (int, error) {
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		f.err = err
	}
	return n, err
}
