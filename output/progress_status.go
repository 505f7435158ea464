package output

import "io"

// status is the line at the bottom of a terminal that comes and goes: whole
// lines push it down, results and questions take its place.
type status struct {
	text  string
	shown bool
	held  int  // a question stands on the terminal
	cut   bool // standard output stands in the middle of a line
}

const eraseLine = "\r\x1b[K"

// clear is what takes the status off the terminal.
func (s *status) clear() string {
	if !s.shown {
		return ""
	}
	s.shown = false
	return eraseLine
}

// draw is what puts the status onto an empty line.
func (s *status) draw() string {
	if s.text == "" || s.held > 0 || s.cut {
		return ""
	}
	s.shown = true
	return s.text
}

// SetStatus shows text, which must be safe and fit on one line of the terminal,
// below all messages until another takes its place; "" takes it away. It is
// only for a terminal.
func (m *Messages) SetStatus(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open || text == m.status.text && m.status.shown {
		return
	}
	m.status.text = text
	if change := m.status.clear() + m.status.draw(); change != "" {
		_, _ = io.WriteString(m.w, change)
	}
}

// HoldStatus takes the status away until ReleaseStatus, so that a person can be
// asked something.
func (m *Messages) HoldStatus() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status.held++
	m.erase()
}

// ReleaseStatus lets the status come back with its next change.
func (m *Messages) ReleaseStatus() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status.held--
}

func (m *Messages) erase() {
	if erase := m.status.clear(); erase != "" {
		_, _ = io.WriteString(m.w, erase)
	}
}

// Beside returns a writer to w, a terminal that shows the messages as well: the
// status makes room for what is written. While a write is stuck, so are the
// messages.
func (m *Messages) Beside(w io.Writer) io.Writer { return &beside{m, w} }

type beside struct {
	m *Messages
	w io.Writer
}

func (b *beside) Write(p []byte) (int, error) {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	if len(p) > 0 {
		b.m.erase()
		b.m.status.cut = p[len(p)-1] != '\n'
	}
	return b.w.Write(p)
}
