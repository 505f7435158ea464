package output

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeJSON spells every character of doc that could steer a terminal as a
// JSON escape, so that the document shows safely and keeps its value. Such
// characters stand only inside strings. A byte that is not UTF-8 becomes
// \ufffd, which is what a JSON parser would read in its place.
func escapeJSON(doc []byte) []byte {
	var out bytes.Buffer
	e := jsonEscaper{w: &out}
	if first := e.firstUnsafe(doc); first < 0 {
		return doc
	}
	out.Grow(len(doc) + len(doc)/8)
	_, _ = e.Write(doc) // a bytes.Buffer takes everything
	_ = e.Close()
	return out.Bytes()
}

// jsonEscaper is [escapeJSON] for a document that arrives in pieces.
type jsonEscaper struct {
	w    io.Writer
	part []byte // the beginning of a character whose rest has not come
}

func (e *jsonEscaper) Write(b []byte) (int, error) {
	n := len(b)
	for len(e.part) > 0 && len(b) > 0 {
		e.part = append(e.part, b[0])
		b = b[1:]
		if utf8.FullRune(e.part) {
			part := e.part
			e.part = nil
			if err := e.escape(part); err != nil {
				return 0, err
			}
		}
	}
	if err := e.escape(b); err != nil {
		return 0, err
	}
	return n, nil
}

// Close writes the beginning of a character that never got its rest.
func (e *jsonEscaper) Close() error {
	part := e.part
	e.part = nil
	for range part {
		if _, err := io.WriteString(e.w, `\ufffd`); err != nil {
			return err
		}
	}
	return nil
}

func (e *jsonEscaper) escape(b []byte) error {
	for len(b) > 0 {
		i := e.firstUnsafe(b)
		if i < 0 {
			_, err := e.w.Write(b)
			return err
		}
		if _, err := e.w.Write(b[:i]); err != nil {
			return err
		}
		if b = b[i:]; !utf8.FullRune(b) {
			e.part = append([]byte(nil), b...)
			return nil
		}
		r, size := utf8.DecodeRune(b)
		units := []rune{r}
		if r > 0xffff { // JSON spells it as two
			high, low := utf16.EncodeRune(r)
			units = []rune{high, low}
		}
		for _, unit := range units {
			if _, err := fmt.Fprintf(e.w, `\u%04x`, unit); err != nil {
				return err
			}
		}
		b = b[size:]
	}
	return nil
}

// firstUnsafe is the index of the first character in b that must be escaped, or
// that is not UTF-8 or not whole; -1 if there is none.
func (e *jsonEscaper) firstUnsafe(b []byte) int {
	for i := 0; i < len(b); {
		if c := b[i]; ' ' <= c && c < 0x7f || c == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 || steers(r) {
			return i
		}
		i += size
	}
	return -1
}
