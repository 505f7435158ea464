package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxHeader bounds the header in front of a frame, in bytes.
const maxHeader = 8 << 10

// HeaderError is a header in front of a frame that cannot be made sense of. It
// breaks the stream: nobody knows where the next frame begins.
type HeaderError struct {
	Reason string
	Line   string // the beginning of it
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("frame header: %s: %q", e.Reason, e.Line)
}

// NewContentLengthStream is the Framing of the language server protocol: a
// header with a Content-Length field in front of every message.
func NewContentLengthStream(r io.Reader, w io.Writer, close func() error) Stream {
	return newPipeStream(NewContentLengthReader(r), prependContentLength, w, close)
}

func prependContentLength(message []byte) []byte {
	framed := make([]byte, 0, len(message)+len("Content-Length: 1234567890\r\n\r\n"))
	framed = fmt.Appendf(framed, "Content-Length: %d\r\n\r\n", len(message))
	return append(framed, message...)
}

// ContentLengthReader reads frames that have their length in bytes in front.
type ContentLengthReader struct {
	br   *bufio.Reader
	left int64 // of the current frame
}

// NewContentLengthReader returns a reader of the frames of r.
func NewContentLengthReader(r io.Reader) *ContentLengthReader {
	return &ContentLengthReader{br: bufio.NewReaderSize(r, readBuffer)}
}

// Next returns the next frame. Header fields other than Content-Length are
// ignored, and their names may be in any case.
func (c *ContentLengthReader) Next() (io.Reader, error) {
	if _, err := io.CopyN(io.Discard, c.br, c.left); err != nil {
		return nil, err
	}
	c.left = 0
	length := int64(-1)
	for read := 0; ; {
		line, err := c.br.ReadSlice('\n')
		read += len(line)
		if read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return nil, headerError("it is too long", line)
		}
		if err == io.EOF && read > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 {
			length, err = headerField(line, length)
			if err != nil {
				return nil, err
			}
			continue
		}
		switch {
		case length >= 0:
			c.left = length
			return (*lengthFrame)(c), nil
		case read > len("\r\n"):
			return nil, headerError("it has no Content-Length", line)
		}
		read = 0 // a blank line between frames
	}
}

// headerField reads one line of a header, in front of which length was known.
func headerField(line []byte, length int64) (int64, error) {
	name, value, found := strings.Cut(string(line), ":")
	if !found {
		return 0, headerError("a line without colon", line)
	}
	if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
		return length, nil
	}
	n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
	if err != nil {
		return 0, headerError("Content-Length is no number of bytes", line)
	}
	if length >= 0 && length != int64(n) {
		return 0, headerError("two values of Content-Length", line)
	}
	return int64(n), nil
}

func headerError(reason string, line []byte) error {
	const shown = 120
	return &HeaderError{Reason: reason, Line: string(line[:min(len(line), shown)])}
}

// lengthFrame is the rest of the current frame as a reader.
type lengthFrame ContentLengthReader

func (l *lengthFrame) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	n, err := l.br.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	if err == io.EOF {
		l.left = 0
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
