package transport

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"
)

// eventReader reads an event stream (text/event-stream, WHATWG HTML section
// 9.2). An event's data may be of any length: it is read, not held.
type eventReader struct {
	br *bufio.Reader

	id    string        // of the last event that was read to its end
	retry time.Duration // the last one given; 0 when none was

	kind   string  // fields of the event being read
	nextID *string // takes effect with the event's end
	open   bool    // the event's data has not been read to its end
	inLine bool    // in a data line
	cr     bool    // the last line ended in CR: a LF that follows belongs to it
}

const (
	maxFieldName  = 16
	maxFieldValue = 4 << 10 // of id, event and retry; longer ones are cut
)

func newEventReader(r io.Reader) *eventReader {
	e := &eventReader{br: bufio.NewReaderSize(r, 64<<10)}
	if bom, _ := e.br.Peek(3); string(bom) == "\xef\xbb\xbf" {
		_, _ = e.br.Discard(3)
	}
	return e
}

// Next returns the data of the next event of type "message". It has to be read
// before the next call; what is left of it is discarded. An event with empty
// data gives an empty reader. io.EOF is the end of the stream.
func (e *eventReader) Next() (io.Reader, error) {
	for {
		if e.open {
			if _, err := io.Copy(io.Discard, (*eventData)(e)); err != nil {
				return nil, err
			}
		}
		found, err := e.toData()
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		e.open = true
		if e.kind == "" || e.kind == "message" {
			return (*eventData)(e), nil
		}
	}
}

// toData reads lines up to the text of a data line, or (false) to the end of
// the event.
func (e *eventReader) toData() (bool, error) {
	for {
		name, ended, err := e.fieldName()
		if err != nil {
			return false, err
		}
		switch {
		case name == "" && ended: // a blank line ends the event
			if e.nextID != nil {
				e.id = *e.nextID
			}
			e.kind, e.nextID, e.open = "", nil, false
			return false, nil
		case name == "data":
			e.inLine = !ended
			return true, nil
		}
		value := ""
		if !ended {
			if value, err = e.restOfLine(); err != nil {
				return false, err
			}
		}
		switch name {
		case "event":
			e.kind = value
		case "id":
			if !strings.ContainsRune(value, 0) {
				e.nextID = &value
			}
		case "retry":
			if ms, err := strconv.ParseUint(value, 10, 31); err == nil {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// fieldName reads up to the colon and one space behind it, or up to the line's
// end. The name of a comment is empty and has not ended its line.
func (e *eventReader) fieldName() (name string, ended bool, err error) {
	var buf [maxFieldName]byte
	n := 0
	for {
		b, err := e.br.ReadByte()
		if err != nil {
			return "", false, err
		}
		cr := e.cr
		e.cr = b == '\r'
		switch {
		case b == '\n' && cr:
			continue
		case b == '\n' || b == '\r':
			return string(buf[:n]), true, nil
		case b == ':':
			if next, err := e.br.Peek(1); err == nil && next[0] == ' ' {
				_, _ = e.br.Discard(1)
			}
			return string(buf[:n]), false, nil
		case n < len(buf):
			buf[n] = b
			n++
		}
	}
}

func (e *eventReader) restOfLine() (string, error) {
	var sb strings.Builder
	for {
		b, err := e.br.ReadByte()
		if err != nil {
			return "", err
		}
		if b == '\r' || b == '\n' {
			e.cr = b == '\r'
			return sb.String(), nil
		}
		if sb.Len() < maxFieldValue {
			sb.WriteByte(b)
		}
	}
}

// eventData reads the data lines of one event, joined by line feeds.
type eventData eventReader

func (d *eventData) Read(p []byte) (int, error) {
	e := (*eventReader)(d)
	if !e.open {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if !e.inLine {
		more, err := e.toData()
		switch {
		case err == io.EOF: // the stream ends without a blank line
			e.open = false
			return 0, io.EOF
		case err != nil:
			return 0, err
		case !more:
			return 0, io.EOF
		}
		p[0] = '\n'
		return 1, nil
	}
	if _, err := e.br.Peek(1); err != nil {
		if err == io.EOF {
			e.open = false
		}
		return 0, err
	}
	buf, _ := e.br.Peek(min(e.br.Buffered(), len(p)))
	end := bytes.IndexByte(buf, '\n')
	if end >= 0 {
		buf = buf[:end]
	}
	if cr := bytes.IndexByte(buf, '\r'); cr >= 0 {
		buf, end = buf[:cr], cr
	}
	n := copy(p, buf)
	if end >= 0 {
		e.inLine = false
		b, _ := e.br.Peek(n + 1)
		e.cr = b[n] == '\r'
		n1 := n + 1
		_, err := e.br.Discard(n1)
		return n, err
	}
	_, err := e.br.Discard(n)
	return n, err
}
