package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Line is a line of the input that is not blank.
type Line struct {
	Number int // in the input, from 1
	Text   []byte
	Err    error // it is longer than it may be, and not in Text
}

// Lines reads the lines of an input: each as soon as its end is there, and
// without the rest of one that is too long.
type Lines struct {
	r      *bufio.Reader
	most   int64
	number int
}

// lineBuffer is what is read at once.
const lineBuffer = 64 << 10

// NewLines returns the lines of r, of which one may have most bytes.
func NewLines(r io.Reader, most int64) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, lineBuffer), most: most}
}

// Next returns the next line that is not blank, or io.EOF. A last line needs no
// line end.
func (l *Lines) Next() (Line, error) {
	for {
		text, tooLong, err := l.read()
		if err != nil && (err != io.EOF || len(text) == 0 && !tooLong) {
			return Line{}, err
		}
		l.number++
		if tooLong {
			return Line{Number: l.number, Err: fmt.Errorf("the line is longer than %d bytes", l.most)}, nil
		}
		if len(bytes.TrimSpace(text)) > 0 {
			return Line{Number: l.number, Text: text}, nil
		}
	}
}

// read reads a line with its end, into memory of its own.
func (l *Lines) read() (text []byte, tooLong bool, err error) {
	for {
		piece, err := l.r.ReadSlice('\n')
		if int64(len(text)+len(bytes.TrimRight(piece, "\r\n"))) > l.most {
			text, tooLong = nil, true
		}
		if !tooLong {
			text = append(text, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, tooLong, err
		}
	}
}
