// Package jsonrpc is JSON-RPC 2.0 as the Model Context Protocol uses it:
// messages, the framing of byte streams, and a [Mux] that matches replies to
// calls over one stream.
//
// A message's params, result and error data stay raw JSON, so a peer's bytes
// reach the caller as they came (white space between tokens apart). A result
// that is too large to hold can be handed on while it arrives: see
// [Decoder.Result].
package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strconv"

	"mcpq/internal/rawjson"
)

// Error codes that JSON-RPC 2.0 itself defines.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// ID is a request id as raw JSON, so that 1 and "1" stay apart. The empty ID
// means that there is none.
type ID string

// Null is the id that JSON-RPC gives to answers to unreadable requests.
const Null ID = "null"

// IntID returns the ID of an integer.
func IntID(n int64) ID { return ID(strconv.FormatInt(n, 10)) }

// Message is one request, notification or response.
//
// A request has ID and Method, a notification Method alone, a response ID and
// either Result or Error.
type Message struct {
	ID     ID
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error

	// Streamed tells that Result was handed on while it arrived and is nil.
	Streamed bool
}

// IsRequest reports whether m asks for an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != "" && m.ID != Null }

// IsNotification reports whether m is a notification. The null id of JSON-RPC
// 1.0 makes one, too: nobody could tell whom an answer is for.
func (m *Message) IsNotification() bool { return m.Method != "" && !m.IsRequest() }

// IsResponse reports whether m answers a request.
func (m *Message) IsResponse() bool { return m.Method == "" }

// Append appends m's encoding on one line, without the line end.
func (m *Message) Append(dst []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if m.ID != "" {
		dst = append(append(dst, `,"id":`...), m.ID...)
	}
	if m.Method != "" {
		dst = append(append(dst, `,"method":`...), rawjson.Quote(m.Method)...)
		if m.Params != nil {
			dst = append(append(dst, `,"params":`...), m.Params...)
		}
		return append(dst, '}')
	}
	if m.Error != nil {
		dst = append(dst, `,"error":`...)
		dst = m.Error.append(dst)
	} else {
		dst = append(append(dst, `,"result":`...), m.Result...)
	}
	return append(dst, '}')
}

// Error is the error member of a response.
type Error struct {
	Code    int64
	Message string
	Data    json.RawMessage // nil when absent

	// Raw is the whole object as the peer wrote it; nil for one of ours.
	Raw json.RawMessage
}

// Error gives code and message.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

func (e *Error) append(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"code":`...), e.Code, 10)
	dst = append(append(dst, `,"message":`...), rawjson.Quote(e.Message)...)
	if e.Data != nil {
		dst = append(append(dst, `,"data":`...), e.Data...)
	}
	return append(dst, '}')
}

func parseError(raw json.RawMessage) (*Error, error) {
	var e struct {
		Code    *json.Number    `json:"code"`
		Message *string         `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("error member is not an error object: %w", err)
	}
	if e.Code == nil {
		return nil, fmt.Errorf("error member has no code")
	}
	code, err := e.Code.Int64()
	if err != nil {
		return nil, fmt.Errorf("error code %s is not an integer", *e.Code)
	}
	out := &Error{Code: code, Data: e.Data, Raw: raw}
	if e.Message != nil {
		out.Message = *e.Message
	}
	return out, nil
}
