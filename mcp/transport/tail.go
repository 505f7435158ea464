package transport

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// tail passes text on and keeps its last lines.
type tail struct {
	next io.Writer // may be nil

	mu   sync.Mutex
	last []string
	part []byte // the line not ended yet
}

const (
	tailLines = 20
	tailWidth = 500 // bytes kept of a line
)

// Write never fails: a full or closed destination must not stop the server.
func (t *tail) Write(p []byte) (int, error) {
	if t.next != nil {
		_, _ = t.next.Write(p)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, more, ended := bytes.Cut(rest, []byte{'\n'})
		t.part = append(t.part, line[:min(len(line), tailWidth-len(t.part))]...)
		rest = more
		if ended {
			t.push()
		}
	}
	return len(p), nil
}

func (t *tail) push() {
	if line := strings.TrimSpace(string(t.part)); line != "" {
		if len(t.last) == tailLines {
			t.last = append(t.last[:0], t.last[1:]...)
		}
		t.last = append(t.last, line)
	}
	t.part = t.part[:0]
}

// lines returns the last lines, the oldest first.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.push()
	return append([]string(nil), t.last...)
}
