package jsonrpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
)

// Stream carries whole messages in both directions. Framing is its business;
// a [Mux] does the rest.
type Stream interface {
	// Read returns the next frame, which is to be read before the next call;
	// what is left of the last frame is discarded. io.EOF is a clean end. A
	// frame that is cut off ends in io.ErrUnexpectedEOF.
	Read() (io.Reader, error)

	// Write sends one message, which belongs to the stream from then on. It
	// is safe for concurrent use. A message is written whole or the stream is
	// broken for good; a *RefusedError tells that it was not taken and the
	// stream goes on. The end of ctx makes Write return, with an *UnsentError
	// if nothing of the message was written or will be.
	Write(ctx context.Context, message []byte) error

	// Close ends both directions; a blocked Read returns.
	Close() error
}

// UnsentError is a message of which nothing was sent before its context ended.
type UnsentError struct {
	Err error // the cause
}

func (e *UnsentError) Error() string { return e.Err.Error() }
func (e *UnsentError) Unwrap() error { return e.Err }

// RefusedError is a message that the peer did not take: it gets no answer.
type RefusedError struct {
	Err error // the reason
}

func (e *RefusedError) Error() string { return e.Err.Error() }
func (e *RefusedError) Unwrap() error { return e.Err }

// Framing makes a Stream of a reader and a writer. The function close ends
// both, so that blocked calls return.
type Framing func(r io.Reader, w io.Writer, close func() error) Stream

// NewStream is the Framing of MCP: one message a line.
func NewStream(r io.Reader, w io.Writer, close func() error) Stream {
	return newPipeStream(NewNewlineReader(r), appendNewline, w, close)
}

func appendNewline(message []byte) []byte { return append(message, '\n') }

// FrameReader cuts a byte stream into frames, as [Stream.Read] does.
type FrameReader interface {
	Next() (io.Reader, error)
}

// readBuffer is large because a result of many megabytes passes through it.
const readBuffer = 256 << 10

// NewlineReader reads one frame a line, of any length. Blank lines are
// skipped; a last line without line end is read as cut off.
type NewlineReader struct {
	r        io.Reader
	buf      []byte
	pos, end int   // buf[pos:end] is unread
	err      error // of r; stays
	open     bool  // the current line has not been read to its end
}

// NewNewlineReader returns a reader of the lines of r.
func NewNewlineReader(r io.Reader) *NewlineReader {
	return &NewlineReader{r: r, buf: make([]byte, readBuffer)}
}

// Next returns the next line that is not blank.
func (n *NewlineReader) Next() (io.Reader, error) {
	for {
		unread := n.buf[n.pos:n.end]
		if n.open {
			end := bytes.IndexByte(unread, '\n')
			if end >= 0 {
				n.open = false
				n.pos += end + 1
				continue
			}
		} else if blank := len(unread) - len(bytes.TrimLeft(unread, " \t\r\n")); blank < len(unread) {
			n.pos += blank
			n.open = true
			return (*line)(n), nil
		}
		if err := n.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads on when all of the buffer has been used.
func (n *NewlineReader) fill() error {
	n.pos, n.end = 0, 0
	for n.end == 0 && n.err == nil {
		n.end, n.err = n.r.Read(n.buf)
	}
	if n.end == 0 {
		return n.err
	}
	return nil
}

// line is the rest of the current line as a reader.
type line NewlineReader

func (l *line) Read(p []byte) (int, error) {
	if !l.open {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if l.pos == l.end && len(p) >= len(l.buf) && l.err == nil {
		return l.readPast(p)
	}
	if l.pos == l.end {
		if err := (*NewlineReader)(l).fill(); err != nil {
			return 0, l.cut(err)
		}
	}
	unread := l.buf[l.pos:min(l.end, l.pos+len(p))]
	end := bytes.IndexByte(unread, '\n')
	if end < 0 {
		n := copy(p, unread)
		l.pos += n
		return n, nil
	}
	n := copy(p, unread[:end])
	l.pos += end + 1
	l.open = false
	return n, io.EOF
}

// readPast reads past the empty buffer, which spares a large line one copy, and
// puts what belongs to later lines there.
func (l *line) readPast(p []byte) (int, error) {
	var n int
	n, l.err = l.r.Read(p[:len(l.buf)])
	if end := bytes.IndexByte(p[:n], '\n'); end >= 0 {
		l.pos, l.end = 0, copy(l.buf, p[end+1:n])
		l.open = false
		return end, io.EOF
	}
	if n > 0 || l.err == nil {
		return n, nil
	}
	return 0, l.cut(l.err)
}

// cut makes the end of the stream one in the middle of the line.
func (l *line) cut(err error) error {
	l.open = false
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// pipeStream is a Stream over a reader and a writer.
type pipeStream struct {
	frames FrameReader
	frame  func([]byte) []byte
	w      io.Writer
	close  func() error

	mu     chan struct{} // a lock that a context can stop waiting for
	broken error
	once   sync.Once
	err    error
}

func newPipeStream(frames FrameReader, frame func([]byte) []byte, w io.Writer, close func() error) Stream {
	return &pipeStream{frames: frames, frame: frame, w: w, close: close, mu: make(chan struct{}, 1)}
}

func (s *pipeStream) Read() (io.Reader, error) { return s.frames.Next() }

func (s *pipeStream) Write(ctx context.Context, message []byte) error {
	select {
	case s.mu <- struct{}{}:
	case <-ctx.Done():
		return &UnsentError{context.Cause(ctx)}
	}
	if s.broken != nil || ctx.Err() != nil {
		defer func() { <-s.mu }()
		if s.broken != nil {
			return s.broken
		}
		return &UnsentError{context.Cause(ctx)}
	}
	return writeContext(ctx, s.w, s.frame(message), func(n int, err error) error {
		defer func() { <-s.mu }()
		switch {
		case err == nil:
			return nil
		case ctx.Err() == nil:
			s.broken = err
			return err
		case n == 0:
			return &UnsentError{context.Cause(ctx)}
		}
		s.broken = fmt.Errorf("an earlier message was given up half-way: %w", err)
		return context.Cause(ctx)
	})
}

func (s *pipeStream) Close() error {
	s.once.Do(func() { s.err = s.close() })
	return s.err
}
