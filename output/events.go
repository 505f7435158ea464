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
	mu     sync.Mutex
	w      io.Writer
	redact Redaction
	colour bool
	open   bool // a server's line without its end stands last

	status status
}

// NewMessages returns Messages that go to w.
func NewMessages(w io.Writer) *Messages { return &Messages{w: w} }

// Redaction takes secrets out of what is about to be written; a nil function
// finds none.
type Redaction struct {
	Text func(string) string
	JSON func([]byte) []byte // gives a document for a document

	// Begun is how much at the end of a text may be the beginning of a secret
	// whose rest is yet to come.
	Begun func(string) int
}

// Redact sets what takes secrets out of the messages. It is to be called before
// there is anything to say.
func (m *Messages) Redact(r Redaction) { m.redact = r }

// Colour says whether what kind of message it is shows in colours, too.
func (m *Messages) Colour(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.colour = on
}

// How messages begin, and their colours.
const (
	errorColour   = "1;31"
	warningColour = "1;33"
	hintColour    = "1;36"
)

// Errorf says what failed.
func (m *Messages) Errorf(format string, args ...any) { m.say("mcpq:", "", errorColour, format, args) }

// Hintf says what to do about the error before it.
func (m *Messages) Hintf(format string, args ...any) {
	m.say("mcpq:", " hint:", hintColour, format, args)
}

// Warningf says what the user should know although nothing failed.
func (m *Messages) Warningf(format string, args ...any) {
	m.say("mcpq:", " warning:", warningColour, format, args)
}

// JSON prints a document on a line of its own. Secrets must be out of it
// already. Characters that could steer a terminal are escaped, which leaves it
// the value it has.
func (m *Messages) JSON(doc json.RawMessage) { m.line(string(escapeJSON(compact(doc)))) }

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
	m.line(strings.TrimRight("["+SafeLine(level)+"] "+SafeLine(m.hide(text)), " "))
}

// Line prints lines without a prefix, with nothing between them: those of a
// trace, a progress report.
func (m *Messages) Line(lines ...string) {
	safe := make([]string, len(lines))
	for i, l := range lines {
		safe[i] = SafeLine(m.hide(l))
	}
	m.line(strings.Join(safe, "\n"))
}

// Writer is where the standard error of a server process goes. It passes bytes
// on as they come, made safe as [NewSafeWriter] says; a message of ours that
// falls into the middle of a line starts on a new one.
// A secret may be cut anywhere: what may be the beginning of one waits for
// its rest.
func (m *Messages) Writer() io.WriteCloser {
	p := &passage{m: m}
	return &serverWriter{NewSafeWriter(p), p}
}

// serverWriter ends both what makes a text safe and what hides secrets in it.
type serverWriter struct {
	io.WriteCloser
	end *passage
}

func (s *serverWriter) Close() error {
	err := s.WriteCloser.Close()
	if lerr := s.end.flush(); err == nil {
		err = lerr
	}
	return err
}

func (m *Messages) say(who, kind, colour, format string, args []any) {
	text := " " + SafeLine(m.hide(fmt.Sprintf(format, args...)))
	m.mu.Lock()
	coloured := m.colour
	m.mu.Unlock()
	switch {
	case !coloured:
		text = who + kind + text
	case kind == "":
		text = paint(colour, who) + text
	default:
		text = who + paint(colour, kind) + text
	}
	m.line(text)
}

func paint(colour, text string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }

// hide takes the secrets out of a text.
func (m *Messages) hide(text string) string {
	if m.redact.Text == nil {
		return text
	}
	return m.redact.Text(text)
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
type passage struct {
	m    *Messages
	held string // maybe the beginning of a secret
}

func (p *passage) Write(b []byte) (int, error) {
	text := p.m.hide(p.held + string(b))
	if begun := p.m.redact.Begun; begun != nil {
		n := len(text) - begun(text)
		text, p.held = text[:n], text[n:]
	}
	return len(b), p.pass(text)
}

// flush passes what waited in vain.
func (p *passage) flush() error {
	text := p.held
	p.held = ""
	return p.pass(text)
}

func (p *passage) pass(text string) error {
	if text == "" {
		return nil
	}
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.m.erase()
	p.m.open = text[len(text)-1] != '\n'
	_, err := io.WriteString(p.m.w, text)
	return err
}
