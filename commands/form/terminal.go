package form

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"mcpq/output"
)

// Terminal is where a person is asked: lines out, lines in. The terminal edits
// the lines itself, so this works over every kind of connection and for every
// kind of reader. It serves one question at a time.
type Terminal struct {
	w      io.Writer
	in     *bufio.Reader
	styled bool
	lines  chan line
	asked  bool // a line is being read
}

// ErrClosed is the end of input: Ctrl-D, or a terminal that went away.
var ErrClosed = errors.New("the terminal gives no more input")

type line struct {
	text string
	err  error
}

// NewTerminal makes a Terminal of a device. With styled the text has colours.
func NewTerminal(device io.ReadWriter, styled bool) *Terminal {
	return &Terminal{w: device, in: bufio.NewReader(device), styled: styled, lines: make(chan line, 1)}
}

// Print shows lines. Texts of a server must be made safe before.
func (t *Terminal) Print(lines ...string) {
	for _, l := range lines {
		_, _ = io.WriteString(t.w, l+"\n") // a terminal that is gone shows itself at the next question
	}
}

// Quote shows a text of the server, indented, and cut where it gets unbearable.
func (t *Terminal) Quote(text string) {
	const most = 4000
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	for l := range strings.SplitSeq(strings.TrimRight(output.Safe(text), "\n"), "\n") {
		t.Print(strings.TrimRight("  "+l, " "))
	}
}

// Bold is for what matters most.
func (t *Terminal) Bold(text string) string { return t.style("1", text) }

// Dim is for what matters less.
func (t *Terminal) Dim(text string) string { return t.style("2", text) }

// Alarm is for warnings.
func (t *Terminal) Alarm(text string) string { return t.style("1;33", text) }

func (t *Terminal) style(code, text string) string {
	if !t.styled || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Warn shows a warning.
func (t *Terminal) Warn(text string) { t.Print(t.Alarm("! " + text)) }

// ReadLine asks for a line. It fails with [ErrClosed], and with the cause of
// ctx when that ends first; what is typed by then answers the next
// question.
func (t *Terminal) ReadLine(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	_, _ = io.WriteString(t.w, prompt)
	select {
	case l := <-t.read():
		t.asked = false
		if l.err != nil && l.text == "" {
			t.Print("")
			return "", ErrClosed
		}
		return strings.TrimRight(l.text, "\r\n"), nil
	case <-ctx.Done():
		t.Print("")
		return "", context.Cause(ctx)
	}
}

func (t *Terminal) read() <-chan line {
	if !t.asked {
		t.asked = true
		go func() {
			text, err := t.in.ReadString('\n')
			t.lines <- line{text, err}
		}()
	}
	return t.lines
}

// Choose asks until one of the letters, or the word that begins with it, is
// typed. An empty line is none of them.
func (t *Terminal) Choose(ctx context.Context, prompt string, words ...string) (string, error) {
	for {
		text, err := t.ReadLine(ctx, prompt)
		if err != nil {
			return "", err
		}
		text = strings.ToLower(strings.TrimSpace(text))
		for _, w := range words {
			if text != "" && strings.HasPrefix(w, text) {
				return w, nil
			}
		}
	}
}
