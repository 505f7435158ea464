package rawjson

import (
	"errors"
	"fmt"
)

// errConsumed is what a second read of the same member or element gets.
var errConsumed = errors.New("the value has been read already")

// SyntaxError says that the input is not JSON. Offset is the position in the
// input of the byte that cannot stand there.
type SyntaxError struct {
	Offset int64
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid json at byte %d: %s", e.Offset, e.Msg)
}

// KindError says that the next value is sound so far but not of the kind asked
// for. Want and Got are kinds as [Reader.Kind] gives them. The value is still
// unread after it.
type KindError struct {
	Offset    int64
	Want, Got byte
}

func (e *KindError) Error() string {
	return fmt.Sprintf("json at byte %d: want %s, found %s", e.Offset, kindName(e.Want), kindName(e.Got))
}

func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "nothing"
}
