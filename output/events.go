package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Messages are our words on standard error. Every message is one whole line
// that starts with "mcpq: ", lower case and without a full stop. The methods
// may be called from any goroutine; what cannot be written is lost, because
// there is no other place to say so.
type Messages struct {
	mu   sync.Mutex
	w    io.Writer
	open bool // a server's line without its end stands last

	status status
}

// NewMessages returns Messages that go to w.
func NewMessages(w io.Writer) *Messages { return &Messages{w: w} }

// Errorf says what failed.
func (m *Messages) Errorf(format string, args ...any) { m.say("mcpq: ", format, args) }

// Hintf says what to do about the error before it.
func (m *Messages) Hintf(format string, args ...any) { m.say("mcpq: hint: ", format, args) }

// Warningf says what the user should know although nothing failed.
func (m *Messages) Warningf(format string, args ...any) { m.say("mcpq: warning: ", format, args) }

// Log prints a log message of the server: its level, the logger if it has a
// name, and the text of a JSON string or any other JSON on one line.
func (m *Messages) Log(level, logger string, data json.RawMessage) {
	text := string(compact(bytes.TrimSpace(data)))
	var s string
	if json.Unmarshal(data, &s) == nil && len(text) > 0 && text[0] == '"' {
		text = s
	}
	if logger != "" {
		text = logger + ": " + text
	}
	m.line(strings.TrimRight("["+SafeLine(level)+"] "+SafeLine(text), " "))
}

// Line prints one line without a prefix: a line of a trace, a progress report.
func (m *Messages) Line(text string) { m.line(SafeLine(text)) }

// Writer is where the standard error of a server process goes. It passes bytes
// on as they come, made safe as [NewSafeWriter] says; a message of ours that
// falls into the middle of a line starts on a new one.
func (m *Messages) Writer() io.WriteCloser { return NewSafeWriter(passage{m}) }

func (m *Messages) say(prefix, format string, args []any) {
	m.line(prefix + SafeLine(fmt.Sprintf(format, args...)))
}

func (m *Messages) line(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	line := text + "\n"
	if m.open {
		line = "\n" + line
		m.open = false
	}
	// One write, so that other processes do not cut it.
	_, _ = io.WriteString(m.w, m.status.clear()+line+m.status.draw())
}

// passage hands the text of a server process to [Messages].
type passage struct{ m *Messages }

func (p passage) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.m.hide()
	p.m.open = b[len(b)-1] != '\n'
	return p.m.w.Write(b)
}
