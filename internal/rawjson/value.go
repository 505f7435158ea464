package rawjson

import (
	"encoding/json"
	"io"
)

// smallPiece is the length below which WriteTo gathers pieces, so that indented
// input does not become one write per token.
const smallPiece = 4 << 10

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
	n := 0
	for {
		piece, err := v.d.span(v.level, len(p)-n)
		if err != nil {
			if n > 0 {
				err = nil // it comes again
			}
			return n, err
		}
		n += copy(p[n:], piece)
		if n == len(p) || v.d.pos == v.d.end || v.d.ended(v.level) {
			return n, nil
		}
	}
}

// WriteTo writes what [Value.Read] would read, from the buffer of the Reader
// where it lies. It holds nothing back while it waits for input.
func (v *Value) WriteTo(w io.Writer) (int64, error) {
	if err := v.begin(); err != nil {
		return 0, err
	}
	var total int64
	var small []byte
	write := func(p []byte) error {
		n, err := w.Write(p)
		if total += int64(n); err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		return err
	}
	for {
		piece, err := v.d.span(v.level, bufferSize)
		last := err != nil || v.d.pos == v.d.end || v.d.ended(v.level)
		if len(small) > 0 || len(piece) < smallPiece && !last {
			if small == nil {
				small = make([]byte, 0, 2*smallPiece)
			}
			if len(piece) < smallPiece {
				small = append(small, piece...)
				piece = nil
			}
			if last || piece != nil || len(small) >= smallPiece {
				if err := write(small); err != nil {
					return total, err
				}
				small = small[:0]
			}
		}
		if len(piece) > 0 {
			if err := write(piece); err != nil {
				return total, err
			}
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// Raw returns the bytes of the value, or of what is left of it: all of them if
// max <= 0, else at most max. If complete is false and err nil, raw is a prefix
// and v goes on behind it. Over memory (see [NewBytes]) raw is part of the
// input where that holds no white space to drop, and must not be changed. At
// the end of the input it returns io.EOF.
func (v *Value) Raw(max int) (raw json.RawMessage, complete bool, err error) {
	if _, err := v.Kind(); err != nil && err != errConsumed {
		return nil, false, err
	}
	d := v.d
	for {
		limit := d.end
		if limit < bufferSize {
			limit = bufferSize
		}
		if max > 0 {
			if len(raw) == max {
				return raw, d.settled(v.level), d.err
			}
			limit = min(limit, max-len(raw))
		}
		piece, err := d.span(v.level, limit)
		if err == io.EOF {
			return raw, true, nil
		}
		if err != nil {
			return raw, false, err
		}
		if raw == nil && d.r == nil {
			raw = piece // without capacity to spare: appending copies
		} else {
			raw = append(raw, piece...)
		}
	}
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
		if _, err := v.d.span(v.level, bufferSize); err == io.EOF {
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
