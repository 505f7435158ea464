package jsonrpc

import (
	"bytes"
	"encoding/json"
	"io"
)

// show reads the frame into memory and shows it to trace.
func (f *decoding) show(trace func([]byte)) error {
	data, err := io.ReadAll(io.LimitReader(f.r, f.max+1))
	if int64(len(data)) > f.max {
		return &TooLargeError{Max: f.max}
	}
	if len(bytes.TrimSpace(data)) > 0 {
		trace(oneLine(data))
	}
	f.r = bytes.NewReader(data)
	if err != nil {
		f.r = io.MultiReader(f.r, failingReader{err})
	}
	return nil
}

// oneLine returns data as JSON without line ends.
func oneLine(data []byte) []byte {
	var line bytes.Buffer
	if json.Compact(&line, data) == nil {
		return line.Bytes()
	}
	quoted, err := json.Marshal(string(data))
	if err != nil { // a string is always JSON
		panic(err)
	}
	return quoted
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
