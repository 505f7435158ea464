package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"mcpq/internal/rawjson"
)

// InlineResult is the size in bytes up to which a result is always held in
// memory, so that it is known to be whole before anything is done with it.
const InlineResult = 1 << 20

// DefaultMaxMessage bounds, in bytes, what is held of one message.
const DefaultMaxMessage = 512 << 20

// Decoder reads messages from frames. Its zero value is ready for use, by one
// goroutine at a time.
type Decoder struct {
	// Result is asked, for the response with this id, where a result of more
	// than InlineResult bytes goes. The id is empty when it comes behind the
	// result, as some servers write it. A nil function keeps it in memory.
	// The function reads the result's compact bytes up to io.EOF.
	Result func(id ID) func(io.Reader) error

	// Batch, when set, is given the messages of a batch together.
	Batch func([]*Message)

	// Trace, when set, is shown every frame before it is read: as one line of
	// JSON, or as a JSON string of what came where that is no JSON. Frames
	// are then held whole, and no result is streamed.
	Trace func(message []byte)

	// Max bounds what is held of one frame; 0 means DefaultMaxMessage.
	Max int64

	small []byte // what small frames are read into
}

// Decode reads the one frame r and calls each for its message, or for every
// message of a batch, once the whole frame has been found sound. It returns
// *NotJSONError, *MalformedError, *TooLargeError, *SinkError, io.EOF for a
// frame with nothing in it, or what r returned. A frame that is cut off behind
// the last byte of its JSON is whole.
func (d *Decoder) Decode(r io.Reader, each func(*Message)) error {
	f := &decoding{source: source{r: r}, result: d.Result, max: d.Max}
	if f.max <= 0 {
		f.max = DefaultMaxMessage
	}
	f.left = f.max
	if d.Trace != nil {
		f.result = nil
		if err := f.show(d.Trace); err != nil {
			return err
		}
	}
	messages, err := f.frame(d.open(&f.source))
	if err != nil {
		return err
	}
	if f.batched && d.Batch != nil {
		d.Batch(messages)
		return nil
	}
	for _, m := range messages {
		each(m)
	}
	return nil
}

// open reads a small frame whole and makes a stream of a larger one.
func (d *Decoder) open(s *source) *rawjson.Reader {
	if d.small == nil {
		d.small = make([]byte, smallFrame)
	}
	n, _ := io.ReadFull(s, d.small) // s keeps the error
	if s.err != nil {
		return rawjson.NewBytes(bytes.Clone(d.small[:n]))
	}
	return rawjson.NewReader(io.MultiReader(bytes.NewReader(d.small[:n]), s))
}

// decoding is the work on one frame.
type decoding struct {
	source
	result func(id ID) func(io.Reader) error
	max    int64
	left   int64 // how much more may be held

	batched bool // the frame is an array
}

func (f *decoding) frame(rd *rawjson.Reader) ([]*Message, error) {
	kind, err := rd.Kind()
	if err == io.EOF && f.cut() {
		return nil, f.err
	}
	if err != nil {
		return nil, f.fail("", err)
	}
	var messages []*Message
	id := ID("")
	switch kind {
	case '{':
		m, err := f.message(rd)
		if err != nil {
			return nil, err
		}
		messages, id = []*Message{m}, m.ID
	case '[':
		f.batched = true
		if messages, err = f.batch(rd); err != nil {
			return nil, err
		}
	}
	if len(messages) == 0 {
		return nil, &NotJSONError{Head: f.String()}
	}
	if err := rd.End(); err != nil && !(f.cut() && err == f.err) {
		return nil, f.fail(id, err)
	}
	return messages, nil
}

func (f *decoding) batch(rd *rawjson.Reader) ([]*Message, error) {
	var messages []*Message
	err := rd.Array(func(_ int, v *rawjson.Value) error {
		raw, err := f.raw("", v)
		if err != nil {
			return err
		}
		// What is in memory already does not count again.
		element := &decoding{source: f.source, result: f.result, left: math.MaxInt32, max: f.max}
		m, err := element.message(rawjson.NewBytes(raw))
		var noise *NotJSONError
		if errors.As(err, &noise) && f.meant() {
			return f.malformed("", "element %d of the batch is no message", len(messages))
		}
		messages = append(messages, m)
		return err
	})
	if err != nil {
		return nil, f.fail("", err)
	}
	return messages, nil
}

// raw reads a value into memory.
func (f *decoding) raw(id ID, v *rawjson.Value) (json.RawMessage, error) {
	if f.left <= 0 { // which Raw would take for no limit
		return nil, &TooLargeError{ID: id, Max: f.max}
	}
	raw, complete, err := v.Raw(int(f.left))
	f.left -= int64(len(raw))
	if err == nil && !complete {
		err = &TooLargeError{ID: id, Max: f.max}
	}
	return raw, err
}

// members is an object that may be a message.
type members struct {
	version, id, method, params, result, error json.RawMessage
	hasResult                                  bool
}

// place returns where the member key is kept, nil for one of no meaning.
func (p *members) place(key string) *json.RawMessage {
	switch key {
	case "jsonrpc":
		return &p.version
	case "id":
		return &p.id
	case "method":
		return &p.method
	case "params":
		return &p.params
	case "result":
		return &p.result
	case "error":
		return &p.error
	}
	return nil
}

func (f *decoding) message(rd *rawjson.Reader) (*Message, error) {
	m := new(Message)
	var p members
	err := rd.Object(func(key string, v *rawjson.Value) (err error) {
		to := p.place(key)
		switch {
		case to == nil:
			return v.Skip()
		case *to != nil || to == &p.result && p.hasResult:
			return f.malformed(m.ID, "it has more than one %s member", key)
		case to == &p.result:
			p.hasResult = true
			return f.takeResult(m, v)
		}
		*to, err = f.raw(m.ID, v)
		m.ID = ID(p.id)
		return err
	})
	if err != nil {
		return nil, f.fail(m.ID, err)
	}
	p.result, m.Params = m.Result, p.params
	return m, f.judge(m, &p)
}

// judge applies the rules of JSON-RPC to the members of an object and makes m
// of them.
func (f *decoding) judge(m *Message, p *members) (err error) {
	if string(p.error) == "null" && p.hasResult {
		p.error = nil // JSON-RPC 1.0 habit: result beside "error":null
	}
	switch {
	case p.version == nil && !p.answers(m):
		return &NotJSONError{Head: f.String()}
	case p.version == nil:
		return f.malformed(m.ID, "it has no jsonrpc member")
	case string(p.version) != `"2.0"`:
		return f.malformed(m.ID, "jsonrpc is %.40s instead of \"2.0\"", p.version)
	case p.method != nil && (p.hasResult || p.error != nil):
		return f.malformed(m.ID, "it is both a request and a response")
	case p.method != nil:
		name, ok := rawjson.Unquote(p.method)
		if !ok || name == "" {
			return f.malformed(m.ID, "method is %.40s", p.method)
		}
		m.Method = name
	case p.hasResult && p.error != nil:
		return f.malformed(m.ID, "it has both result and error")
	case p.error != nil:
		if m.Error, err = parseError(p.error); err != nil {
			return f.malformed(m.ID, "%v", err)
		}
	case !p.hasResult:
		return f.malformed(m.ID, "it has neither result nor error")
	case m.ID == "":
		return f.malformed(m.ID, "it is a result without id")
	}
	return nil
}

// answers reports whether an object without a jsonrpc member is an answer all
// the same. Structured logs have members called error, method and id as well.
func (p *members) answers(m *Message) bool {
	if p.hasResult {
		return m.ID != "" || m.Streamed || len(p.result) > 0 && p.result[0] == '{'
	}
	if p.error == nil {
		return false
	}
	_, err := parseError(p.error)
	return err == nil || m.ID != "" && p.error[0] == '{'
}

func (f *decoding) malformed(id ID, format string, args ...any) error {
	return &MalformedError{ID: id, Reason: fmt.Sprintf(format, args...), Head: f.String()}
}

// takeResult holds a result, or hands it on if it is large and wanted so.
func (f *decoding) takeResult(m *Message, v *rawjson.Value) (err error) {
	if f.result == nil || f.left <= InlineResult {
		m.Result, err = f.raw(m.ID, v)
		return err
	}
	head, complete, err := v.Raw(InlineResult)
	if err != nil || complete {
		f.left -= int64(len(head))
		m.Result = head
		return err
	}
	sink := f.result(m.ID)
	if sink == nil {
		f.left -= int64(len(head))
		rest, err := f.raw(m.ID, v)
		m.Result = append(head, rest...)
		return err
	}
	m.Streamed = true
	r := &resultReader{head: head, rest: v}
	if err := sink(r); err != nil {
		if r.err != nil && errors.Is(err, r.err) {
			return r.err // the frame failed, not who read it
		}
		return &SinkError{ID: m.ID, Err: err}
	}
	return v.Skip()
}
