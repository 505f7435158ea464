package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON-RPC and MCP error codes this server answers with.
const (
	codeParse             = -32700
	codeInvalidRequest    = -32600
	codeMethodNotFound    = -32601
	codeInvalidParams     = -32602
	codeInternal          = -32603
	codeResourceMissing   = -32002
	codeHeaderMismatch    = -32020
	codeMissingCapability = -32021
	codeVersion           = -32022
)

// rpcError is a JSON-RPC error object; handlers return it as an error.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

func rpcErrorf(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// asRPCError gives any error a handler returned the shape it has on the wire.
func asRPCError(err error) *rpcError {
	var e *rpcError
	if errors.As(err, &e) {
		return e
	}
	return rpcErrorf(codeInternal, "%v", err)
}

// message is one message from a client: a request (method and id), a
// notification (method only) or a response (id only).
type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`

	JSONRPC string `json:"jsonrpc"`
}

func (m *message) isRequest() bool      { return m.Method != nil && m.ID != nil }
func (m *message) isNotification() bool { return m.Method != nil && m.ID == nil }

// method is the method's name, empty for a response.
func (m *message) method() string {
	if m.Method == nil {
		return ""
	}
	return *m.Method
}

// decodeMessage reads one message and checks its shape. On error the returned
// message still has the id, if one could be read.
func decodeMessage(data []byte) (*message, error) {
	m := new(message)
	if !json.Valid(data) {
		return m, rpcErrorf(codeParse, "the message is not JSON")
	}
	if err := json.Unmarshal(data, m); err != nil {
		var only struct{ ID json.RawMessage }
		_ = json.Unmarshal(data, &only) // the id is a courtesy; without it the error goes out unaddressed
		if _, ok := idKey(only.ID); !ok {
			only.ID = nil
		}
		return &message{ID: only.ID}, rpcErrorf(codeInvalidRequest, "the message has a member of the wrong type")
	}
	if m.ID != nil {
		if _, ok := idKey(m.ID); !ok {
			m.ID = nil
			return m, rpcErrorf(codeInvalidRequest, "id must be a string or an integer")
		}
	}
	switch {
	case m.JSONRPC != "2.0":
		return m, rpcErrorf(codeInvalidRequest, `jsonrpc must be "2.0"`)
	case m.Method == nil && (m.Result == nil) == (m.Error == nil):
		return m, rpcErrorf(codeInvalidRequest, "the message is neither a request nor a response")
	case m.Method != nil && m.Params != nil && m.Params[0] != '{':
		return m, rpcErrorf(codeInvalidRequest, "params must be an object")
	}
	return m, nil
}

// idKey makes ids comparable: 1 and "1" stay apart, escapes do not matter.
func idKey(id json.RawMessage) (string, bool) {
	if len(id) == 0 {
		return "", false
	}
	if id[0] == '"' {
		var s string
		err := json.Unmarshal(id, &s)
		return `"` + s, err == nil
	}
	for i, c := range id {
		if (c < '0' || c > '9') && (c != '-' || i > 0) {
			return "", false // a fraction, an exponent, null, true, an object
		}
	}
	return string(id), true
}

// notification is a message to the client that expects no answer.
type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

func newNotification(method string, params any) notification {
	return notification{JSONRPC: "2.0", Method: method, Params: params}
}

// question is a request to the client, which the stateful versions allow.
type question struct {
	JSONRPC string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// response answers one request. A nil id is left out, or null where nullID says so.
type response struct {
	id     json.RawMessage
	nullID bool
	result result
	err    *rpcError
}

// batch is the array of responses that answers an array of requests.
type batch []response

// streamer is a result that writes itself piece by piece, because it is too
// large to be built in memory first.
type streamer interface {
	stream(w io.Writer) error
}

// writeFrame writes one message without a newline, neither inside nor after it.
func writeFrame(w io.Writer, frame any) error {
	switch f := frame.(type) {
	case batch:
		for i, r := range f {
			sep := ","
			if i == 0 {
				sep = "["
			}
			if _, err := io.WriteString(w, sep); err != nil {
				return err
			}
			if err := writeFrame(w, r); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "]")
		return err
	case response:
		return f.write(w)
	}
	return writeJSON(w, frame)
}

func (r response) write(w io.Writer) error {
	head := `{"jsonrpc":"2.0",`
	if r.id != nil {
		head += `"id":` + string(r.id) + ","
	} else if r.nullID {
		head += `"id":null,`
	}
	if r.err != nil {
		if _, err := io.WriteString(w, head+`"error":`); err != nil {
			return err
		}
		if err := writeJSON(w, r.err); err != nil {
			return err
		}
	} else {
		if _, err := io.WriteString(w, head+`"result":`); err != nil {
			return err
		}
		var err error
		if s, ok := r.result.(streamer); ok {
			err = s.stream(w)
		} else {
			err = writeJSON(w, r.result)
		}
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "}")
	return err
}

// writeJSON encodes v without a trailing newline and without HTML escapes.
func writeJSON(w io.Writer, v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// decodeParams reads params into v; absent params are an empty object.
func decodeParams(params json.RawMessage, v any) error {
	if params == nil {
		return nil
	}
	if err := json.Unmarshal(params, v); err != nil {
		var t *json.UnmarshalTypeError
		if errors.As(err, &t) {
			return rpcErrorf(codeInvalidParams, "params.%s must not be a JSON %s", t.Field, t.Value)
		}
		return rpcErrorf(codeInvalidParams, "params cannot be read")
	}
	return nil
}
