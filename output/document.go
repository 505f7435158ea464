package output

import "io"

// Document is one JSON document that is written in pieces, as it arrives, and
// copied through in constant memory. Its bytes are to be compact.
type Document struct {
	p      *Printer
	w      io.Writer
	safe   *jsonEscaper // on a terminal
	before int64
}

// Document begins a document. Only a printer that [Printer.Streams] can.
func (p *Printer) Document() (*Document, error) {
	if p.buf.Buffered() > 0 { // an earlier document must not be dropped with this one
		if err := p.buf.Flush(); err != nil {
			return nil, err
		}
	}
	p.last.begin()
	d := &Document{p: p, w: p.buf, before: p.out.n}
	if p.tty {
		d.safe = &jsonEscaper{w: p.buf}
		d.w = d.safe
	}
	return d, nil
}

// Write prints a piece.
func (d *Document) Write(b []byte) (int, error) {
	_, _ = d.p.last.Write(b) // it cannot fail
	return d.w.Write(b)
}

// Close ends the document and its line. One without a byte prints nothing.
func (d *Document) Close() error {
	if d.safe != nil {
		if err := d.safe.Close(); err != nil {
			return err
		}
	}
	if !d.p.last.end() {
		return nil
	}
	return d.p.endDocument()
}

// Abort gives the document up: what has been printed of it stays, what was not
// yet is dropped with it if nothing was.
func (d *Document) Abort() {
	if d.p.out.n == d.before {
		d.p.buf.Reset(d.p.out)
		return
	}
	_ = d.p.Flush() // whatever made the document end is the error to report
}
