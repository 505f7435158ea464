package output

import "fmt"

// WriteError reports that a stream did not take what was written to it. It
// unwraps to the cause, so errors.Is(err, syscall.EPIPE) tells a reader that
// went away from a full disk.
type WriteError struct {
	Stream string // what was written to: "stdout"
	Err    error
}

func (e *WriteError) Error() string { return fmt.Sprintf("%s: %v", e.Stream, e.Err) }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// NoError is the answer "no": under --exit-status the last value was false or
// null, or there was none. The answer itself is printed already, so there is
// nothing left to tell the user but the exit code.
type NoError struct {
	Last string // "false" or "null"; empty when there was no value
}

func (e *NoError) Error() string {
	if e.Last == "" {
		return "no value at all"
	}
	return "the last value is " + e.Last
}
