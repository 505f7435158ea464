package outfile

import (
	"encoding/json"
	"errors"
	"io"

	"mcpq/internal/rawjson"
)

// Kind says what a block of content is.
type Kind int

// The kinds of content, in the order of what matters most when there is room
// for one only.
const (
	Structured Kind = iota // structuredContent, as JSON
	Text
	Binary
)

// fallback is what a file is called when the server gave no name.
func (k Kind) fallback(mime string) string {
	switch {
	case k == Structured:
		return "structuredContent"
	case k == Text:
		return "text"
	case len(mime) > 6 && (mime[:6] == "image/" || mime[:6] == "audio/" || mime[:6] == "video/"):
		return mime[:5]
	}
	return "data"
}

// Block is what is known of a block of content when it has been read.
type Block struct {
	Kind            Kind
	URI, Name, MIME string
}

// Sink takes what [Decode] finds.
type Sink interface {
	// Begin says where the content of a block goes.
	Begin(kind Kind) (io.Writer, error)
	// End tells of the block, once all of it is known.
	End(b Block) error
	// Link tells of a resource that the content only names.
	Link(uri string)
}

// maxMember bounds the short members that describe a block.
const maxMember = 64 << 10

// Decode reads a result object, whose JSON must be sound and compact, and hands
// its content to s while it arrives: the blocks of content, contents and
// messages, and structuredContent. It holds no content in memory.
func Decode(r io.Reader, s Sink) error {
	d := &decoder{sink: s}
	in := rawjson.NewReader(r)
	err := in.Object(func(key string, v *rawjson.Value) error {
		switch key {
		case "content", "contents":
			return d.blocks(v)
		case "messages":
			return d.each(v, func(v *rawjson.Value) error {
				return v.Object(func(key string, v *rawjson.Value) error {
					if key != "content" {
						return nil
					}
					return d.blocks(v)
				})
			})
		case "structuredContent":
			return d.structured(v)
		}
		return nil
	})
	var kind *rawjson.KindError
	if errors.As(err, &kind) || err == nil {
		// What is no object has no content; it is read to its end either way.
		_, err = io.Copy(io.Discard, r)
	}
	return err
}

type decoder struct{ sink Sink }

// each calls fn with the objects of an array, or with the one object there is.
func (d *decoder) each(v *rawjson.Value, fn func(*rawjson.Value) error) error {
	switch kind, err := v.Kind(); {
	case err != nil:
		return err
	case kind == '{':
		return fn(v)
	case kind != '[':
		return nil
	}
	return v.Array(func(_ int, v *rawjson.Value) error {
		if kind, err := v.Kind(); err != nil || kind != '{' {
			return err
		}
		return fn(v)
	})
}

func (d *decoder) blocks(v *rawjson.Value) error { return d.each(v, d.block) }

// block reads one block. What describes it may come behind its content.
func (d *decoder) block(v *rawjson.Value) error {
	var b Block
	var found []Kind
	kindOf := ""
	err := v.Object(func(key string, v *rawjson.Value) error {
		kind, err := v.Kind()
		if err != nil {
			return err
		}
		switch {
		case key == "resource" && kind == '{':
			return d.block(v)
		case kind != '"':
			return nil
		}
		switch key {
		case "text":
			found = append(found, Text)
			w, err := d.sink.Begin(Text)
			if err == nil {
				_, err = io.Copy(w, newTextReader(v))
			}
			return err
		case "blob", "data":
			found = append(found, Binary)
			w, err := d.sink.Begin(Binary)
			if err == nil {
				err = copyBase64(w, newTextReader(v))
			}
			return err
		case "uri":
			return short(v, &b.URI)
		case "name":
			return short(v, &b.Name)
		case "mimeType":
			return short(v, &b.MIME)
		case "type":
			return short(v, &kindOf)
		}
		return nil
	})
	if err == nil && kindOf == "resource_link" {
		d.sink.Link(b.URI)
	}
	for _, kind := range found {
		if err == nil {
			b.Kind = kind
			err = d.sink.End(b)
		}
	}
	return err
}

// structured passes structuredContent on as it is.
func (d *decoder) structured(v *rawjson.Value) error {
	if kind, err := v.Kind(); err != nil || kind == 'n' {
		return err
	}
	w, err := d.sink.Begin(Structured)
	if err == nil {
		_, err = v.WriteTo(w)
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	if err == nil {
		err = d.sink.End(Block{Kind: Structured, MIME: "application/json"})
	}
	return err
}

// short reads a string that describes a block; one of unbearable length does
// not.
func short(v *rawjson.Value, into *string) error {
	raw, complete, err := v.Raw(maxMember)
	if err == nil && complete {
		*into, _ = rawjson.Unquote(json.RawMessage(raw))
	}
	return err
}

// Writer decodes a result that is written to it, as [Decode] does.
type Writer struct {
	pipe *io.PipeWriter
	done chan struct{} // closed when err is known
	err  error
}

// NewWriter begins. Close must be called.
func NewWriter(s Sink) *Writer {
	r, w := io.Pipe()
	d := &Writer{pipe: w, done: make(chan struct{})}
	go func() {
		defer close(d.done)
		d.err = Decode(r, s)
		_ = r.CloseWithError(d.err) // so that nothing more is written
	}()
	return d
}

// Write takes the next piece of the JSON. Its error is that of the Sink.
func (d *Writer) Write(p []byte) (int, error) { return d.pipe.Write(p) }

// Close ends the result and waits until all of it has been decoded. A result
// that ends too early is an error.
func (d *Writer) Close() error {
	_ = d.pipe.Close()
	<-d.done
	return d.err
}

// Abort gives the result up, and returns what had gone wrong before.
func (d *Writer) Abort() error {
	_ = d.pipe.CloseWithError(errAborted)
	<-d.done
	if errors.Is(d.err, errAborted) {
		return nil
	}
	return d.err
}

var errAborted = errors.New("the result was given up")
