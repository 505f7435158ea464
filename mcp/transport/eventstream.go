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
	retry time.Duration // the last one given; less than 0 when none was

	kind   string  // fields of the event being read
	nextID *string // takes effect with the event's end
	open   bool    // the event's data has not been read to its end
	ended  bool    // the stream ended, in the middle of the event
	inLine bool    // in a data line
	cr     bool    // the last line ended in CR: a LF that follows belongs to it
}

const (
	maxFieldName  = 16
	maxFieldValue = 4 << 10 // of id, event and retry; longer ones are cut
)

func newEventReader(r io.Reader) *eventReader {
	e := &eventReader{br: bufio.NewReaderSize(r, 64<<10), retry: -1}
	if bom, _ := e.br.Peek(3); string(bom) == "\xef\xbb\xbf" {
		_, _ = e.br.Discard(3)
	}
	return e
}

// Next returns the data of the next event of type "message". It has to be read
// before the next call; what is left of it is discarded. An event with empty
// data gives an empty reader, one cut off by the end of the stream ends in
// io.ErrUnexpectedEOF. io.EOF is the end of the stream.
func (e *eventReader) Next() (io.Reader, error) {
	for {
		data, err := e.any()
		if err != nil || e.kind == "" || e.kind == messageEvent {
			return data, err
		}
	}
}

const messageEvent = "message"

// any does the same for an event of any type, which is then in e.kind as far as
// it was known by the first data line.
func (e *eventReader) any() (io.Reader, error) {
	for {
		if e.open {
			_, err := io.Copy(io.Discard, (*eventData)(e))
			if err == io.ErrUnexpectedEOF && e.ended {
				err = io.EOF
			}
			if err != nil {
				return nil, err
			}
		}
		found, err := e.toData()
		if err != nil {
			return nil, err
		}
		if found {
			e.open = true
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
	if e.inLine {
		n, err := e.lineData(p)
		if n > 0 || err != nil {
			return n, e.cut(err)
		}
	}
	more, err := e.toData()
	if err != nil {
		return 0, e.cut(err)
	}
	if !more {
		return 0, io.EOF
	}
	p[0] = '\n'
	return 1, nil
}

// cut makes the end of the stream one in the middle of an event.
func (e *eventReader) cut(err error) error {
	if err != io.EOF {
		return err
	}
	e.ended = true
	return io.ErrUnexpectedEOF
}

// lineData reads from the current data line. It returns 0 at the line's end,
// and inLine is false then.
func (e *eventReader) lineData(p []byte) (int, error) {
	if _, err := e.br.Peek(1); err != nil {
		return 0, err
	}
	buf, err := e.br.Peek(min(e.br.Buffered(), len(p)))
	if err != nil {
		return 0, err
	}
	end := bytes.IndexByte(buf, '\n')
	if end >= 0 {
		buf = buf[:end]
	}
	if cr := bytes.IndexByte(buf, '\r'); cr >= 0 {
		end = cr
		e.cr = true
	} else if end >= 0 {
		e.cr = false
	}
	if end < 0 {
		n := copy(p, buf)
		e.cr = false
		_, err := e.br.Discard(n)
		return n, err
	}
	n := copy(p, buf[:end])
	e.inLine = false
	_, err = e.br.Discard(end + 1)
	return n, err
}
