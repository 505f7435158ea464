package rawjson

import (
	"encoding/json"
	"io"
)

// smallPiece is how much WriteTo gathers, so that indented input does not become
// one write per token.
const smallPiece = 8 << 10

// Value is one JSON value within a [Reader], read once, from front to back. It
// must not be used once the Reader has moved on.
type Value struct {
	d     *Reader
	level int
	kind  byte // known once the first byte has been seen
}

// Kind returns the first byte of the value, as [Reader.Kind] does. It stays
// known while the value is read.
func (v *Value) Kind() (byte, error) {
	if !v.d.begins(v.level) {
		if v.d.err != nil {
			return 0, v.d.err
		}
		if v.kind == 0 {
			return 0, errConsumed
		}
		return v.kind, nil
	}
	kind, err := v.d.peekKind()
	v.kind = kind
	return kind, err
}

// begin sees to what stands before the first byte. A value that is not there is
// no empty value: the end of the input is an error for who reads bytes.
func (v *Value) begin() error {
	if !v.d.begins(v.level) {
		return nil
	}
	_, err := v.Kind()
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read reads the bytes of the value without white space between tokens, and
// returns io.EOF at its end, having read nothing of the stream behind it (but
// for the byte that ends a number). Broken syntax is a [*SyntaxError], input
// that ends inside the value io.ErrUnexpectedEOF, and an error of the source is
// returned as it is.
func (v *Value) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := v.begin(); err != nil {
		return 0, err
	}
	piece, err := v.d.span(v.level, len(p))
	n := copy(p, piece)
	for err == nil && n < len(p) {
		if piece, err = v.d.ready(v.level, len(p)-n); piece == nil {
			break
		}
		n += copy(p[n:], piece)
	}
	if n > 0 {
		err = nil // it comes again
	}
	return n, err
}

// TextWriter is a Writer that likes to know which pieces of a value lie inside of
// one string, with no part of an escape at either end. [Value.WriteTo] gives it
// those by WriteText, which otherwise is Write.
type TextWriter interface {
	io.Writer
	WriteText(p []byte) (int, error)
}

// WriteText writes a piece that lies inside of one string, and says so if w is
// interested.
func WriteText(w io.Writer, p []byte) (int, error) {
	if w, ok := w.(TextWriter); ok {
		return w.WriteText(p)
	}
	return w.Write(p)
}

// WriteTo writes what [Value.Read] would read, from the buffer of the Reader
// where it lies. It holds nothing back while it waits for input.
func (v *Value) WriteTo(w io.Writer) (int64, error) {
	if err := v.begin(); err != nil {
		return 0, err
	}
	out := gather{w: w}
	for {
		piece, err := v.d.ready(v.level, largeBuffer)
		if piece == nil && err == nil {
			if err := out.flush(); err != nil {
				return out.total, err
			}
			piece, err = v.d.span(v.level, largeBuffer)
		}
		if err != nil {
			if flushErr := out.flush(); flushErr != nil || err == io.EOF {
				err = flushErr
			}
			return out.total, err
		}
		if err := out.add(piece, v.d.within); err != nil {
			return out.total, err
		}
	}
}

// gather joins small pieces and passes large ones on without a copy.
type gather struct {
	w     io.Writer
	small []byte
	total int64
}

func (g *gather) add(piece []byte, within bool) error {
	if len(g.small)+len(piece) <= smallPiece {
		if g.small == nil {
			g.small = make([]byte, 0, smallPiece)
		}
		g.small = append(g.small, piece...)
		return nil
	}
	if err := g.flush(); err != nil {
		return err
	}
	if len(piece) < smallPiece/2 {
		return g.add(piece, within)
	}
	return g.write(piece, within)
}

func (g *gather) flush() error {
	if len(g.small) == 0 {
		return nil
	}
	p := g.small
	g.small = p[:0]
	return g.write(p, false)
}

func (g *gather) write(p []byte, within bool) error {
	var n int
	var err error
	if within {
		n, err = WriteText(g.w, p)
	} else {
		n, err = g.w.Write(p)
	}
	g.total += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

// Raw returns the bytes of the value, or of what is left of it: all of them if
// limit <= 0, else at most limit. If complete is false and err nil, raw is a
// prefix and v goes on behind it. Over memory (see [NewBytes]) raw is part of
// the input where that holds no white space to drop, and must not be changed.
// At the end of the input Raw returns io.EOF.
func (v *Value) Raw(limit int) (raw json.RawMessage, complete bool, err error) {
	if _, err := v.Kind(); err != nil && err != errConsumed {
		return nil, false, err
	}
	d := v.d
	for {
		room := max(d.end, largeBuffer)
		if limit > 0 {
			if len(raw) == limit {
				return raw, d.settled(v.level), d.err
			}
			room = min(room, limit-len(raw))
		}
		piece, err := d.span(v.level, room)
		if err == io.EOF {
			return raw, true, nil
		}
		if err != nil {
			return raw, false, err
		}
		if raw == nil && d.r == nil {
			raw = piece // without capacity to spare: appending copies
		} else {
			raw = append(grown(raw, len(piece), limit), piece...)
		}
	}
}

// grown returns raw with room for n more bytes. It doubles what append would
// add to by a quarter, so that a large value is copied, and made anew, less
// often. Towards a limit, behind which nothing will come, it takes larger steps:
// what stays unused there costs nothing.
func grown(raw []byte, n, limit int) []byte {
	need := len(raw) + n
	if need <= cap(raw) || need <= smallPiece {
		return raw
	}
	room := 2 * cap(raw)
	if limit > 0 {
		room = min(4*cap(raw), limit)
	}
	return append(make([]byte, 0, max(room, need)), raw...)
}

// settled reports whether the value has ended. A number has if nothing that
// could belong to it follows.
func (d *Reader) settled(level int) bool {
	if d.depth == level && d.state >= numMinus && d.err == nil {
		if d.pos < d.end || d.fill() == nil {
			if !joins(d.buf[d.pos]) {
				d.scan(d.buf[d.pos:d.pos+1], level)
			}
		} else if d.err == nil && level == 0 && d.state.wholeNumber() {
			d.state = afterValue
		}
	}
	return d.err == nil && d.ended(level)
}

// Skip reads the rest of the value and drops it. At the end of the input it
// returns io.EOF.
func (v *Value) Skip() error {
	if _, err := v.Kind(); err != nil && err != errConsumed {
		return err
	}
	for {
		if _, err := v.d.span(v.level, largeBuffer); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Object walks the value, of which nothing may have been read, as
// [Reader.Object] does.
func (v *Value) Object(fn func(key string, v *Value) error) error {
	if err := v.take(); err != nil {
		return err
	}
	return v.d.Object(fn)
}

// Array walks the value, of which nothing may have been read, as
// [Reader.Array] does.
func (v *Value) Array(fn func(i int, v *Value) error) error {
	if err := v.take(); err != nil {
		return err
	}
	return v.d.Array(fn)
}

// take makes v the next value of its Reader.
func (v *Value) take() error {
	if v.d.err != nil {
		return v.d.err
	}
	if v.d.level != v.level || !v.d.begins(v.level) {
		return errConsumed
	}
	v.d.given = false
	return nil
}
