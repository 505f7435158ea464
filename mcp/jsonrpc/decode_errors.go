package jsonrpc

import "fmt"

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
	s := "malformed JSON-RPC message: " + e.Reason
	if e.Head != "" {
		s += fmt.Sprintf(": %q", e.Head)
	}
	return s
}

func (e *MalformedError) Unwrap() error { return e.Err }

// TooLargeError is a message of which more would have to be held than allowed.
type TooLargeError struct {
	ID  ID    // of the message, when it had been read
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
