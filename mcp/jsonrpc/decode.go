package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mcpq/internal/rawjson"
)

// InlineResult is the size in bytes up to which a result is always held in
// memory, so that it is known to be whole before anything is done with it.
const InlineResult = 1 << 20

// DefaultMaxMessage bounds, in bytes, what is held of one message.
const DefaultMaxMessage = 512 << 20

// NotJSONError is a frame that is no JSON-RPC message at all, such as a line
// that a server's start-up script printed.
type NotJSONError struct {
	Head string // the beginning of the frame
}

func (e *NotJSONError) Error() string { return fmt.Sprintf("not a JSON-RPC message: %q", e.Head) }

// MalformedError is a frame that was meant as a JSON-RPC message and breaks
// the rules of JSON or JSON-RPC.
type MalformedError struct {
	ID     ID // of the message, when it could be read
	Reason string
	Head   string // the beginning of the frame
	Err    error
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("malformed JSON-RPC message: %s: %q", e.Reason, e.Head)
}

func (e *MalformedError) Unwrap() error { return e.Err }

// TooLargeError is a message of which more would have to be held than allowed.
type TooLargeError struct {
	Max int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("message is larger than %d bytes", e.Max)
}

// SinkError is a failure of the reader that a result was streamed to.
type SinkError struct {
	ID  ID
	Err error
}

func (e *SinkError) Error() string { return e.Err.Error() }
func (e *SinkError) Unwrap() error { return e.Err }

// Decoder reads messages from frames. Its zero value is ready for use.
type Decoder struct {
	// Result is asked, for the response with this id, where a result of more
	// than InlineResult bytes goes. The id is empty when it comes behind the
	// result, as some servers write it. A nil function keeps it in memory.
	// The function reads the result's compact bytes up to io.EOF.
	Result func(id ID) func(io.Reader) error

	// Max bounds what is held of one message; 0 means DefaultMaxMessage.
	Max int64
}

// Decode reads the one frame r and calls each for its message, or for every
// message of a batch. It returns *NotJSONError, *MalformedError,
// *TooLargeError, *SinkError or what r returned.
func (d *Decoder) Decode(r io.Reader, each func(*Message)) error {
	h := &headReader{r: r}
	rd := rawjson.NewReader(h)
	kind, err := rd.Kind()
	if err != nil {
		return d.fail(h, "", err)
	}
	switch kind {
	case '{':
		m, err := d.message(rd, h)
		if err != nil {
			return err
		}
		each(m)
	case '[':
		n := 0
		err := rd.Array(func(_ int, v *rawjson.Value) error {
			n++
			raw, err := d.raw(v)
			if err != nil {
				return err
			}
			m, err := d.message(rawjson.NewBytes(raw), h)
			if err != nil {
				return err
			}
			each(m)
			return nil
		})
		if err != nil {
			return d.fail(h, "", err)
		}
		if n == 0 {
			return &MalformedError{Reason: "empty batch", Head: h.String()}
		}
	default:
		return &NotJSONError{Head: h.String()}
	}
	if err := rd.End(); err != nil {
		return d.fail(h, "", err)
	}
	return nil
}

// fail sorts an error of reading into those of Decode.
func (d *Decoder) fail(h *headReader, id ID, err error) error {
	var syntax *rawjson.SyntaxError
	var malformed *MalformedError
	switch {
	case errors.As(err, &malformed):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) && h.eof:
		if !h.meant() {
			return &NotJSONError{Head: h.String()}
		}
		return &MalformedError{ID: id, Reason: "it ends in the middle", Head: h.String(), Err: err}
	case errors.As(err, &syntax):
		if !h.meant() {
			return &NotJSONError{Head: h.String()}
		}
		return &MalformedError{ID: id, Reason: syntax.Error(), Head: h.String(), Err: err}
	}
	return err
}

func (d *Decoder) raw(v *rawjson.Value) (json.RawMessage, error) {
	limit := d.Max
	if limit <= 0 {
		limit = DefaultMaxMessage
	}
	raw, complete, err := v.Raw(int(limit))
	if err == nil && !complete {
		err = &TooLargeError{Max: limit}
	}
	return raw, err
}

func (d *Decoder) message(rd *rawjson.Reader, h *headReader) (*Message, error) {
	m := new(Message)
	var version, method, rpcError json.RawMessage
	hasResult := false
	err := rd.Object(func(key string, v *rawjson.Value) (err error) {
		switch key {
		case "jsonrpc":
			version, err = d.raw(v)
		case "id":
			var raw json.RawMessage
			raw, err = d.raw(v)
			m.ID = ID(raw)
		case "method":
			method, err = d.raw(v)
		case "params":
			m.Params, err = d.raw(v)
		case "result":
			hasResult = true
			err = d.result(m, v)
		case "error":
			rpcError, err = d.raw(v)
		default:
			err = v.Skip()
		}
		return err
	})
	if err != nil {
		return nil, d.fail(h, m.ID, err)
	}
	malformed := func(format string, args ...any) error {
		return &MalformedError{ID: m.ID, Reason: fmt.Sprintf(format, args...), Head: h.String()}
	}
	if string(rpcError) == "null" && hasResult {
		rpcError = nil // JSON-RPC 1.0 habit: result beside "error":null
	}
	switch {
	case version == nil && m.ID == "" && method == nil && !hasResult && rpcError == nil:
		return nil, &NotJSONError{Head: h.String()}
	case string(version) != `"2.0"`:
		if version == nil {
			return nil, malformed("it has no jsonrpc member")
		}
		return nil, malformed("jsonrpc is %s instead of \"2.0\"", version)
	case method != nil:
		name, ok := rawjson.Unquote(method)
		if !ok || name == "" {
			return nil, malformed("method is %.40s", method)
		}
		m.Method = name
	case hasResult && rpcError != nil:
		return nil, malformed("it has both result and error")
	case rpcError != nil:
		if m.Error, err = parseError(rpcError); err != nil {
			return nil, malformed("%v", err)
		}
	case !hasResult:
		return nil, malformed("it has neither result nor error")
	case m.ID == "":
		return nil, malformed("it is a result without id")
	}
	return m, nil
}

func (d *Decoder) result(m *Message, v *rawjson.Value) error {
	if d.Result == nil {
		raw, err := d.raw(v)
		m.Result = raw
		return err
	}
	head, complete, err := v.Raw(InlineResult)
	if err != nil || complete {
		m.Result = head
		return err
	}
	sink := d.Result(m.ID)
	if sink == nil {
		rest, err := d.raw(v)
		m.Result = append(head, rest...)
		return err
	}
	m.Streamed = true
	r := &sourceReader{r: io.MultiReader(bytes.NewReader(head), v)}
	if err := sink(r); err != nil {
		if r.err != nil && errors.Is(err, r.err) {
			return r.err // the input failed, not its reader
		}
		return &SinkError{ID: m.ID, Err: err}
	}
	return v.Skip()
}

// sourceReader remembers a failure of what it reads from.
type sourceReader struct {
	r   io.Reader
	err error
}

func (s *sourceReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// headReader keeps the beginning of what it reads, for error messages.
type headReader struct {
	r    io.Reader
	head []byte
	eof  bool
}

const headSize = 512

func (h *headReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	if len(h.head) < headSize {
		h.head = append(h.head, p[:min(n, headSize-len(h.head))]...)
	}
	h.eof = err == io.EOF
	return n, err
}

// meant reports whether the frame was written as a JSON-RPC message: programs
// also print logs that merely begin with a bracket.
func (h *headReader) meant() bool {
	return bytes.Contains(h.head, []byte(`"jsonrpc"`)) ||
		bytes.HasPrefix(h.head, []byte(`{"result"`)) || bytes.HasPrefix(h.head, []byte(`{"id"`))
}

func (h *headReader) String() string {
	const shown = 120
	if len(h.head) > shown {
		return string(h.head[:shown]) + "…"
	}
	return string(h.head)
}
