package output

import (
	"io"
	"unicode/utf8"
)

// maxColour is the longest colour sequence that passes. Real ones stay far below.
const maxColour = 48

// NewSafeWriter returns a writer that makes the text of another process safe
// for a terminal. Text, tabs, newlines and colour sequences (ESC [ … m) pass;
// everything else that could steer the terminal is escaped as by [Safe].
// Sequences and characters may be split over writes at any byte. Close writes
// what is incomplete, ends a colour that is still on, and does not close w.
func NewSafeWriter(w io.Writer) io.WriteCloser { return &safeWriter{w: w, colours: true} }

// NewPlainWriter is [NewSafeWriter] for what a server sends: colours do not
// pass either.
func NewPlainWriter(w io.Writer) io.WriteCloser { return &safeWriter{w: w} }

type safeWriter struct {
	w        io.Writer
	colours  bool   // pass
	part     []byte // the beginning of a character or sequence
	coloured bool
}

func (s *safeWriter) Write(b []byte) (int, error) {
	out := s.take(append(s.part, b...), false)
	if len(out) == 0 {
		return len(b), nil
	}
	if _, err := s.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (s *safeWriter) Close() error {
	out := s.take(s.part, true)
	if s.coloured {
		out = append(out, "\x1b[0m"...)
		s.coloured = false
	}
	if len(out) == 0 {
		return nil
	}
	_, err := s.w.Write(out)
	return err
}

// take returns the safe form of text and keeps what is incomplete at its end,
// unless the end is final.
func (s *safeWriter) take(text []byte, final bool) []byte {
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if !final && s.incomplete(text) {
			break
		}
		if n := colourLen(text); s.colours && n > 0 {
			s.coloured = !isReset(text[:n])
			out = append(out, text[:n]...)
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\r' && len(text) > 1 && text[1] == '\n': // a line end of Windows
		case r == '\n', r == '\t':
			out = append(out, byte(r))
		case r == utf8.RuneError && size == 1, steers(r):
			out = appendEscaped(out, r, text[0])
		default:
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	s.part = append([]byte(nil), text...)
	return out
}

// incomplete tells whether what text begins with needs bytes that have not come.
func (s *safeWriter) incomplete(text []byte) bool {
	switch text[0] {
	case '\r':
		return len(text) == 1
	case 0x1b:
		if !s.colours {
			return false
		}
		n := colourParams(text)
		return n == len(text) && n < maxColour
	}
	return !utf8.FullRune(text)
}

// colourLen is the length of the colour sequence text begins with, or 0.
func colourLen(text []byte) int {
	n := colourParams(text)
	if n < 2 || n >= len(text) || n >= maxColour || text[n] != 'm' {
		return 0
	}
	return n + 1
}

// colourParams is how much of text is ESC, [ and digits with separators.
func colourParams(text []byte) int {
	n := 0
	for n < len(text) && n < maxColour {
		c := text[n]
		ok := n == 0 && c == 0x1b || n == 1 && c == '[' ||
			n > 1 && ('0' <= c && c <= '9' || c == ';' || c == ':')
		if !ok {
			break
		}
		n++
	}
	return n
}

// isReset tells whether a colour sequence turns everything off.
func isReset(seq []byte) bool {
	p := string(seq[2 : len(seq)-1])
	return p == "" || p == "0"
}
