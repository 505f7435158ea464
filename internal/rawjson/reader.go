package rawjson

import "io"

// A Reader begins with a buffer of bufferSize bytes, and goes on with one of
// largeBuffer when its source has filled that at once: there is a lot to read.
const (
	bufferSize  = 64 << 10
	largeBuffer = 256 << 10
)

// Reader reads JSON values, one behind the other, from a byte stream. It is not
// for use by several goroutines at once. Once it has met broken syntax or a
// failing source, every later call returns that error.
type Reader struct {
	r        io.Reader // nil over memory
	buf      []byte
	pos, end int   // buf[pos:end] is unread
	base     int64 // offset in the input of buf[0]
	readErr  error // came with the bytes in buf
	err      error // first failure; stays

	// The scanner: see scan.go.
	state   state
	hex     uint8
	literal string
	depth   int
	top     uint64
	outer   []uint64

	// level is the depth of the container whose callback is running, and so
	// of the value that calls on the Reader are about.
	level  int
	given  bool     // Value has handed out the value that begins here
	bare   bool     // a number or literal has just ended at depth 0
	within bool     // the last piece lies inside of one string: see TextWriter
	values []*Value // by level, made once
	key    []byte   // a key that came in pieces
	keys   []string // recent keys: see keyString
}

// NewReader returns a Reader of r, with a buffer that does not grow with the
// input. A byte order mark at the start is skipped.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: r, buf: make([]byte, bufferSize)}
}

// NewBytes returns a Reader of b, which it neither copies nor changes, and
// which must not change while the Reader and the bytes it returned are in use.
func NewBytes(b []byte) *Reader {
	return &Reader{buf: b, end: len(b)}
}

// Kind returns the first byte of the next value without reading it: '{', '[',
// '"', 't', 'f', 'n', or '0' for any number. At the end of the input it returns
// io.EOF.
func (d *Reader) Kind() (byte, error) {
	if err := d.next(); err != nil {
		return 0, err
	}
	return d.peekKind()
}

// Value returns the next value. What is left of it is skipped by the next call
// on d, after which the Value must not be used.
func (d *Reader) Value() *Value {
	v := d.value()
	if err := d.next(); err == nil {
		d.given = true
		v.kind = 0
	}
	return v
}

// Object reads the next value, which must be an object (else a [*KindError]),
// and calls fn with each member in order. The key is decoded; one of more than
// 64 KiB is a [*SyntaxError]. What fn leaves of v is skipped, and v must not be
// used after fn. In fn, the next value of d is v, so that d.Object and d.Array
// walk deeper as v.Object and v.Array do.
//
// At the end of the input Object returns io.EOF without calling fn.
// An error of fn ends the walk and is returned; the rest of the object is
// skipped by the next call on d.
func (d *Reader) Object(fn func(key string, v *Value) error) error {
	if err := d.open('{'); err != nil {
		return err
	}
	defer d.leave(d.level)
	d.level++
	v := d.value()
	for {
		rawKey, err := d.nextKey()
		if err != nil || rawKey == nil {
			return err
		}
		v.kind = 0
		if err := fn(d.keyString(rawKey), v); err != nil {
			return err
		}
		if err := d.finish(); err != nil {
			return err
		}
	}
}

// Array reads the next value, which must be an array (else a [*KindError]), and
// calls fn with each element and its index, as [Reader.Object] does.
func (d *Reader) Array(fn func(i int, v *Value) error) error {
	if err := d.open('['); err != nil {
		return err
	}
	defer d.leave(d.level)
	d.level++
	v := d.value()
	for i := 0; ; i++ {
		more, err := d.another(']')
		if err != nil || !more {
			return err
		}
		v.kind = 0
		if err := fn(i, v); err != nil {
			return err
		}
		if err := d.finish(); err != nil {
			return err
		}
	}
}

// End skips what is left of the last value and returns nil if only white space
// follows it, and a [*SyntaxError] if anything else does.
func (d *Reader) End() error {
	if err := d.next(); err != nil {
		return err
	}
	_, err := d.peekKind()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	d.err = d.syntaxError(d.pos, "after the end of the value")
	return d.err
}
