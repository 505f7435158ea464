package rawjson

import "io"

// maxKey is the longest key, in its JSON spelling, that Object decodes: a key
// is the one thing that has to be held whole.
const maxKey = 64 << 10

// maxEmptyReads is how often a source may give nothing and no error.
const maxEmptyReads = 100

// ended reports whether the value that stands at level is behind us.
func (d *Reader) ended(level int) bool {
	return d.state == afterValue && d.depth <= level || d.depth < level
}

// begins reports whether the value that stands at level is untouched.
func (d *Reader) begins(level int) bool {
	return d.state == beginValue && d.depth == level
}

// leave takes the callback level back. The scanner may be deeper still, when a
// callback gave up; finish then finds the way out.
func (d *Reader) leave(level int) { d.level = level }

// value returns the Value of the current level.
func (d *Reader) value() *Value {
	for len(d.values) <= d.level {
		d.values = append(d.values, &Value{d: d, level: len(d.values)})
	}
	return d.values[d.level]
}

// fill reads more input into the empty buffer. An error other than io.EOF
// stays.
func (d *Reader) fill() error {
	if d.r == nil {
		return io.EOF
	}
	if d.end == bufferSize && len(d.buf) == bufferSize {
		d.buf = make([]byte, largeBuffer)
	}
	d.base += int64(d.end)
	d.pos, d.end = 0, 0
	for range maxEmptyReads {
		if d.readErr != nil {
			break
		}
		d.end, d.readErr = d.r.Read(d.buf)
		if d.end > 0 {
			return nil
		}
	}
	switch d.readErr {
	case io.EOF:
		return io.EOF
	case nil:
		d.readErr = io.ErrNoProgress
	}
	d.err = d.readErr
	return d.err
}

// peek returns the next byte that is not white space. At the end of the input
// it returns io.EOF between values, else io.ErrUnexpectedEOF.
func (d *Reader) peek() (byte, error) {
	for d.err == nil {
		for d.pos < d.end {
			c := d.buf[d.pos]
			if isSpace(c) {
				d.pos++
				d.bare = false
				continue
			}
			if d.bare && joins(c) {
				d.err = d.syntaxError(d.pos, "after a value")
				return 0, d.err
			}
			if c == bom[0] && d.base+int64(d.pos) == 0 {
				if err := d.skipBOM(); err != nil {
					return 0, err
				}
				continue
			}
			d.bare = false
			return c, nil
		}
		if err := d.fill(); err == io.EOF {
			if d.begins(0) {
				return 0, io.EOF
			}
			d.err = io.ErrUnexpectedEOF
		}
	}
	return 0, d.err
}

const bom = "\xef\xbb\xbf"

func (d *Reader) skipBOM() error {
	for i := range len(bom) {
		if d.pos == d.end {
			if err := d.fill(); err == io.EOF {
				d.err = io.ErrUnexpectedEOF
			}
		}
		if d.err == nil && d.buf[d.pos] != bom[i] {
			d.err = d.syntaxError(d.pos, "where a value must be")
		}
		if d.err != nil {
			return d.err
		}
		d.pos++
	}
	return nil
}

// joins reports whether c right behind a number or literal would be taken for a
// part of it.
func joins(c byte) bool {
	return c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// peekKind returns the kind of the value that begins here.
func (d *Reader) peekKind() (byte, error) {
	c, err := d.peek()
	if err != nil {
		return 0, err
	}
	switch c {
	case '{', '[', '"', 't', 'f', 'n':
		return c, nil
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0', nil
	}
	d.err = d.syntaxError(d.pos, "where a value must be")
	return 0, d.err
}

// next stands before the next value that has not been handed out.
func (d *Reader) next() error {
	if d.err != nil {
		return d.err
	}
	if d.begins(d.level) && !d.given {
		return nil
	}
	if err := d.finish(); err != nil {
		return err
	}
	if d.level > 0 {
		return errConsumed
	}
	d.state = beginValue
	return nil
}

// finish reads what is left of the value at the current level.
func (d *Reader) finish() error {
	d.given = false
	if d.begins(0) {
		// A value that was handed out but is not there is no failure.
		if _, err := d.peekKind(); err == io.EOF {
			d.state = afterValue
		}
	}
	for {
		if _, err := d.span(d.level, bufferSize); err == io.EOF {
			if d.depth < d.level {
				return errConsumed // a callback has read a Value from further out
			}
			return nil
		} else if err != nil {
			return err
		}
	}
}

// open reads the bracket of a container.
func (d *Reader) open(bracket byte) error {
	kind, err := d.Kind()
	if err != nil {
		return err
	}
	if kind != bracket {
		return &KindError{Offset: d.base + int64(d.pos), Want: bracket, Got: kind}
	}
	d.value().kind = kind
	return d.step(d.level)
}

// step gives the scanner the one byte that peek has returned.
func (d *Reader) step(level int) error {
	d.scan(d.buf[d.pos:d.pos+1], level)
	if d.err == nil {
		d.pos++
	}
	return d.err
}

// another reads up to the next key or element, or through the closing bracket.
func (d *Reader) another(closing byte) (bool, error) {
	c, err := d.peek()
	if err != nil {
		return false, err
	}
	if c == closing {
		return false, d.step(d.level - 1)
	}
	if d.state == afterValue { // not the first: a comma
		if err := d.step(d.level - 1); err != nil {
			return false, err
		}
	}
	d.state = beginValue // a key is read as a string value of this level
	kind, err := d.peekKind()
	if closing == '}' && err == nil && kind != '"' {
		d.err = d.syntaxError(d.pos, "where a key must be")
		return false, d.err
	}
	return err == nil, err
}

// nextKey reads up to the next member, its key and its colon, and returns the
// key as it is spelled; nil, when it has read the closing brace instead. The key
// is valid until d reads on, over memory for ever.
func (d *Reader) nextKey() ([]byte, error) {
	more, err := d.another('}')
	if err != nil || !more {
		return nil, err
	}
	start := d.base + int64(d.pos)
	key, err := d.span(d.level, maxKey+1)
	if err != nil {
		return nil, err
	}
	if !d.ended(d.level) {
		d.key = append(d.key[:0], key...)
		for !d.ended(d.level) && len(d.key) <= maxKey {
			if key, err = d.span(d.level, maxKey+1-len(d.key)); err != nil {
				return nil, err
			}
			d.key = append(d.key, key...)
		}
		key = d.key
	}
	if len(key) > maxKey {
		d.err = &SyntaxError{Offset: start, Msg: "object key of more than 64 KiB"}
		return nil, d.err
	}
	if d.r != nil && (d.pos == d.end || d.buf[d.pos] != ':') {
		// Looking for the colon may replace what is in the buffer.
		d.key = append(d.key[:0], key...)
		key = d.key
	}
	d.state = colon
	if _, err := d.peek(); err != nil {
		return nil, err
	}
	return key, d.step(d.level)
}
