package mcptest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
)

// recorder writes down what the client sent. A nil recorder writes nothing.
type recorder struct {
	mu   sync.Mutex
	w    io.Writer
	file *os.File
}

func newRecorder(s *Script) (*recorder, error) {
	if s.recordTo != nil {
		return &recorder{w: s.recordTo}, nil
	}
	if s.recordFile == "" {
		return nil, nil
	}
	f, err := os.OpenFile(s.recordFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &recorder{w: f, file: f}, nil
}

// line writes one line. A record that cannot be written shows as missing lines.
func (r *recorder) line(text string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text = strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	_, _ = io.WriteString(r.w, text+"\n")
}

func (r *recorder) message(raw []byte) {
	if r != nil {
		r.line(string(bytes.TrimSpace(raw)))
	}
}

func (r *recorder) request(q *http.Request, body []byte) {
	if r == nil {
		return
	}
	parts := []string{q.Method + " " + q.URL.RequestURI()}
	var headers []string
	for name, values := range q.Header {
		for _, v := range values {
			headers = append(headers, name+": "+v)
		}
	}
	slices.Sort(headers)
	parts = append(parts, headers...)
	if len(body) > 0 {
		parts = append(parts, string(bytes.TrimSpace(body)))
	}
	r.line(strings.Join(parts, " | "))
}

func (r *recorder) close() {
	if r != nil && r.file != nil {
		_ = r.file.Close()
	}
}
