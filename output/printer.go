package output

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
)

// bufferSize is what a [Printer] collects before it writes: large enough that
// a result of many megabytes costs few system calls.
const bufferSize = 64 << 10

// Printer prints JSON documents, one after the other, as [Options] say. It is
// not safe for concurrent use.
type Printer struct {
	opts   Options
	tty    bool
	indent bool
	colour bool
	out    *countingWriter
	buf    *bufio.Writer
	last   lastValue

	printed bool // a YAML document, so that the next one needs a mark between them
}

// NewPrinter returns a Printer that writes to w, which is a terminal if tty.
func NewPrinter(w io.Writer, tty bool, o Options) *Printer {
	out := &countingWriter{w: w}
	return &Printer{
		opts: o, tty: tty,
		indent: o.pretty(tty), colour: o.coloured(tty),
		out: out, buf: bufio.NewWriterSize(out, bufferSize),
	}
}

// Streams tells whether [Printer.Stream] copies a document through as it
// arrives, in constant memory. If not, it holds the whole document first.
func (p *Printer) Streams() bool {
	return p.opts.Filter == nil && p.opts.Format.json() && !p.indent && !p.colour
}

// Stream prints one document, whose bytes arrive from r in compact form. If r
// fails before anything was written, nothing is; the error is the reader's own.
func (p *Printer) Stream(ctx context.Context, r io.Reader) error {
	if !p.Streams() {
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return p.JSON(ctx, raw)
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	w, err := p.Document()
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

// JSON prints one document. The error of a filter is a [*FilterError]; what the
// filter yielded before it failed is printed.
func (p *Printer) JSON(ctx context.Context, raw json.RawMessage) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if p.opts.Filter == nil {
		return p.document(raw)
	}
	err := p.opts.Filter.run(ctx, raw, p.value)
	if ferr := p.endDocuments(); err == nil {
		err = ferr
	}
	return err
}

// Flush writes what is still held, here and by the writer of the Printer if that
// has a method Flush of its own.
func (p *Printer) Flush() error {
	if err := p.buf.Flush(); err != nil {
		return err
	}
	return p.out.Flush()
}

// Status returns a [*NoError] if [Options].ExitStatus is set and the last value
// printed was false or null, or if there was none.
func (p *Printer) Status() error {
	if !p.opts.ExitStatus {
		return nil
	}
	return p.last.status()
}

func (p *Printer) document(raw []byte) error {
	raw = compact(raw)
	if !p.last.set(raw) {
		return nil
	}
	if !p.opts.Format.json() {
		if err := p.format(raw); err != nil {
			return err
		}
		return p.endDocuments()
	}
	if _, err := p.buf.Write(p.render(raw)); err != nil {
		return err
	}
	return p.endDocument()
}

// value prints one value that a filter yielded.
func (p *Printer) value(v filtered) error {
	p.last.set(v.json)
	var err error
	switch {
	case p.opts.Raw && v.isString && p.tty:
		_, err = p.buf.WriteString(Safe(v.text))
	case p.opts.Raw && v.isString:
		_, err = p.buf.WriteString(v.text)
	case !p.opts.Format.json():
		return p.format(v.json)
	default:
		_, err = p.buf.Write(p.render(v.json))
	}
	if err != nil {
		return err
	}
	return p.buf.WriteByte('\n')
}

// render lays out one compact document.
func (p *Printer) render(doc []byte) []byte {
	if p.tty {
		doc = escapeJSON(doc)
	}
	if p.indent {
		doc = indent(doc)
	}
	if p.colour {
		doc = colour(doc)
	}
	return doc
}

func (p *Printer) endDocument() error {
	if err := p.buf.WriteByte('\n'); err != nil {
		return err
	}
	return p.endDocuments()
}

func (p *Printer) endDocuments() error {
	if p.opts.Hold {
		return nil
	}
	return p.Flush()
}

// countingWriter turns the errors of standard output into [*WriteError] and
// knows whether anything went out. It hides the methods of the file below, so
// that a bufio.Writer uses its own buffer.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, writeError(err)
}

func (c *countingWriter) Flush() error {
	if f, ok := c.w.(interface{ Flush() error }); ok {
		return writeError(f.Flush())
	}
	return nil
}

func writeError(err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{Stream: "stdout", Err: err}
}

// lastValue remembers what --exit-status needs of the values that pass: the
// first bytes of the last one.
type lastValue struct {
	head [6]byte // longer than "false", so that "false" is told from "falsehood"
	n    int
	seen bool
}

func (l *lastValue) begin() { l.n = 0 }

func (l *lastValue) Write(b []byte) (int, error) {
	if l.n < len(l.head) {
		l.n += copy(l.head[l.n:], b)
	}
	return len(b), nil
}

// end tells whether there was a value since begin.
func (l *lastValue) end() bool {
	if l.n > 0 {
		l.seen = true
	}
	return l.n > 0
}

// set takes a whole value and tells whether there is one.
func (l *lastValue) set(value []byte) bool {
	l.begin()
	l.n = copy(l.head[:], value)
	return l.end()
}

func (l *lastValue) status() error {
	if !l.seen {
		return &NoError{}
	}
	switch head := string(bytes.TrimSpace(l.head[:l.n])); head {
	case "false", "null":
		return &NoError{Last: head}
	}
	return nil
}
