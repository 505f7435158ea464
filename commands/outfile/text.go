package outfile

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// textReader reads what a JSON string stands for out of its sound and compact
// spelling, quotes included, piece by piece.
type textReader struct {
	r     io.Reader
	in    []byte // unread of buf
	buf   []byte
	out   []byte // decoded and not yet given away; part of small
	small [8]byte
	began bool
	high  rune // the first half of a pair whose second has not come; 0 if none
	err   error
}

func newTextReader(r io.Reader) *textReader {
	return &textReader{r: r, buf: make([]byte, 32<<10)}
}

func (t *textReader) Read(p []byte) (int, error) {
	for {
		if len(t.out) > 0 {
			n := copy(p, t.out)
			t.out = t.out[n:]
			return n, nil
		}
		if len(t.in) == 0 {
			if t.err == io.EOF && t.high != 0 {
				t.half()
				continue
			}
			if t.err != nil {
				return 0, t.err
			}
			t.fill(0)
			continue
		}
		n := bytes.IndexByte(t.in, '\\')
		if n < 0 {
			n = len(t.in)
		}
		if n > 0 {
			if t.high != 0 {
				t.half()
				continue
			}
			n = copy(p, t.in[:n])
			t.in = t.in[n:]
			return n, nil
		}
		t.escape()
	}
}

// fill reads on, behind the last keep bytes of what there is. The closing quote
// is the only one that does not stand behind a backslash, so it ends the text.
func (t *textReader) fill(keep int) {
	copy(t.buf, t.in[len(t.in)-keep:])
	n, err := t.r.Read(t.buf[keep:])
	t.in, t.err = t.buf[:keep+n], err
	if !t.began && len(t.in) > 0 {
		t.began = true
		t.in = t.in[1:]
	}
	if i := closing(t.in); i >= 0 {
		t.in = t.in[:i]
	}
}

// closing is the index of the quote that ends a string; -1 if it is not here.
func closing(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '"')
		if i < 0 {
			return -1
		}
		i += from
		slashes := 0
		for slashes < i && b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		from = i + 1
	}
}

// escape decodes the escape that stands next.
func (t *textReader) escape() {
	need := 2
	if len(t.in) > 1 && t.in[1] == 'u' {
		need = 6
	}
	if len(t.in) < need {
		if t.err != nil { // what is sound does not end here
			t.in, t.err = nil, io.ErrUnexpectedEOF
			return
		}
		t.fill(len(t.in))
		return
	}
	if need == 6 {
		t.unicode(hex4(t.in[2:6]))
		t.in = t.in[6:]
		return
	}
	if t.high != 0 {
		t.half()
		return
	}
	c := t.in[1]
	if i := bytes.IndexByte([]byte("bfnrt"), c); i >= 0 {
		c = "\b\f\n\r\t"[i]
	}
	t.out = append(t.small[:0], c)
	t.in = t.in[2:]
}

// unicode takes one \u escape; two of them make a character beyond 0xffff.
func (t *textReader) unicode(r rune) {
	if t.high != 0 {
		if pair := utf16.DecodeRune(t.high, r); pair != utf8.RuneError {
			t.out, t.high = utf8.AppendRune(t.small[:0], pair), 0
			return
		}
		t.half()
	}
	if 0xd800 <= r && r < 0xdc00 {
		t.high = r
		return
	}
	t.out = utf8.AppendRune(t.out, r) // U+FFFD for the half of a pair
}

// half gives up waiting for the second half of a pair.
func (t *textReader) half() {
	t.out, t.high = utf8.AppendRune(t.small[:0], utf8.RuneError), 0
}

func hex4(b []byte) rune {
	var r rune
	for _, c := range b {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// Base64Error is binary content that is not base64.
type Base64Error struct{ Err error }

func (e *Base64Error) Error() string { return fmt.Sprintf("binary content is not base64: %v", e.Err) }

// Unwrap gives the cause.
func (e *Base64Error) Unwrap() error { return e.Err }

// copyBase64 decodes base64: of either alphabet, padded or not, for servers do
// all of it.
func copyBase64(w io.Writer, r io.Reader) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, base64.NewDecoder(base64.RawStdEncoding, &alphabet{r: r}), make([]byte, 32<<10))
	var corrupt base64.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, errPadding) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Base64Error{err}
	}
	return err
}

var errPadding = errors.New("there is more behind the padding")

// alphabet makes all spellings of base64 the one without padding.
type alphabet struct {
	r      io.Reader
	padded bool
}

func (a *alphabet) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	kept := 0
	for _, c := range p[:n] {
		switch c {
		case '=':
			a.padded = true
			continue
		case '\r', '\n', ' ', '\t':
			continue
		case '-':
			c = '+'
		case '_':
			c = '/'
		}
		if a.padded {
			return 0, errPadding
		}
		p[kept] = c
		kept++
	}
	return kept, err
}
