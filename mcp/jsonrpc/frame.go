package jsonrpc

import (
	"bufio"
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
	// broken for good. The end of ctx makes Write return, with an
	// *UnsentError if nothing of the message was written or will be.
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
const readBuffer = 64 << 10

// NewlineReader reads one frame a line, of any length. Blank lines are
// skipped; a last line without line end is read as cut off.
type NewlineReader struct {
	br   *bufio.Reader
	open bool // the current line has not been read to its end
}

// NewNewlineReader returns a reader of the lines of r.
func NewNewlineReader(r io.Reader) *NewlineReader {
	return &NewlineReader{br: bufio.NewReaderSize(r, readBuffer)}
}

// Next returns the next line that is not blank.
func (n *NewlineReader) Next() (io.Reader, error) {
	for n.open {
		_, err := n.br.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err
		}
		n.open = err != nil
	}
	for {
		b, err := n.br.ReadByte()
		if err != nil {
			return nil, err
		}
		switch b {
		case '\n', '\r', ' ', '\t':
			continue
		}
		if err := n.br.UnreadByte(); err != nil {
			return nil, err
		}
		n.open = true
		return (*line)(n), nil
	}
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
	if _, err := l.br.Peek(1); err != nil {
		l.open = false
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	buf, _ := l.br.Peek(min(l.br.Buffered(), len(p)))
	end := bytes.IndexByte(buf, '\n')
	if end < 0 {
		n := copy(p, buf)
		_, err := l.br.Discard(n)
		return n, err
	}
	n := copy(p, buf[:end])
	l.open = false
	_, err := l.br.Discard(end + 1)
	if err == nil {
		err = io.EOF
	}
	return n, err
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
