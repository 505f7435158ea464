package output

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Step is how far a request is, as its server says.
type Step struct {
	Method   string      // the request's
	Progress json.Number // "" when unknown
	Total    json.Number // "" when unknown
	Message  string
	Params   json.RawMessage // all of it
}

// ProgressStyle is how progress is shown.
type ProgressStyle int

// The styles. A bar needs a terminal.
const (
	ProgressNone ProgressStyle = iota
	ProgressBar
	ProgressPlain
	ProgressJSON
)

// Progress shows how far requests are: as a bar, or a spinner where no total is
// known, that stands below the messages and is drawn ten times a second at
// most; as plain lines, two a second at most; or as every notification in JSON.
type Progress struct {
	m     *Messages
	style ProgressStyle
	width func() int

	mu      sync.Mutex
	step    Step
	told    bool      // there is a step to show
	waiting string    // what is waited for before there is one
	since   time.Time // when that began
	frame   int
	stop    chan struct{} // ends the drawing; nil while there is none
	stopped sync.WaitGroup

	line     string // the last plain line, and when it was
	lineTime time.Time
}

// NewProgress returns a Progress that shows itself through m. width gives the
// columns of the terminal.
func NewProgress(m *Messages, style ProgressStyle, width func() int) *Progress {
	return &Progress{m: m, style: style, width: width}
}

const (
	drawEvery  = 100 * time.Millisecond
	plainEvery = 500 * time.Millisecond
	patience   = 700 * time.Millisecond // what is faster is shown nothing of
)

// Wait says what is waited for from now on. If it takes long, that is shown.
func (p *Progress) Wait(what string) {
	if p.style != ProgressBar {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting, p.since, p.told = p.m.hide(what), time.Now(), false
	p.animate()
}

// Step takes news of a request.
func (p *Progress) Step(s Step) {
	switch p.style {
	case ProgressBar:
		p.mu.Lock()
		defer p.mu.Unlock()
		first := !p.told
		s.Message = p.m.hide(s.Message)
		p.step, p.told = s, true
		p.animate()
		if first {
			p.draw()
		}
	case ProgressPlain:
		p.plain(s)
	case ProgressJSON:
		params := s.Params
		if hide := p.m.redact.JSON; hide != nil {
			params = hide(params)
		}
		line := `{"method":"notifications/progress","params":` + string(params) + "}"
		p.m.JSON(json.RawMessage(line))
	}
}

// Close takes everything off the terminal.
func (p *Progress) Close() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop != nil {
		close(stop)
		p.stopped.Wait()
		p.m.SetStatus("")
	}
}

// animate begins to draw, if that has not begun.
func (p *Progress) animate() {
	if p.stop != nil {
		return
	}
	stop := make(chan struct{})
	p.stop = stop
	p.stopped.Go(func() {
		tick := time.NewTicker(drawEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.mu.Lock()
				p.frame++
				p.draw()
				p.mu.Unlock()
			case <-stop:
				return
			}
		}
	})
}

func (p *Progress) draw() {
	columns := 80
	if p.width != nil {
		if n := p.width(); n > 0 {
			columns = n
		}
	}
	switch {
	case p.told:
		p.m.SetStatus(drawStep(p.step, p.frame, columns-1))
	case time.Since(p.since) >= patience:
		text := fmt.Sprintf("%s %s %ds", spinner(p.frame), p.waiting, int(time.Since(p.since).Seconds()))
		p.m.SetStatus(fit(SafeLine(text), columns-1))
	}
}

// plain prints a step as a line of its own.
func (p *Progress) plain(s Step) {
	line := "progress " + s.Method
	if n := numbers(s); n != "" {
		line += " " + n
	}
	share, known := share(s)
	if known {
		line += fmt.Sprintf(" %d%%", int(share*100))
	}
	if s.Message != "" {
		line += " " + s.Message
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	soon := !p.lineTime.IsZero() && now.Sub(p.lineTime) < plainEvery
	if line == p.line || soon && !(known && share == 1) {
		return
	}
	p.line, p.lineTime = line, now
	p.m.Line(line)
}

// share is the part that is done, from 0 to 1, if a total is known.
func share(s Step) (float64, bool) {
	done, err := strconv.ParseFloat(string(s.Progress), 64)
	if err != nil {
		return 0, false
	}
	total, err := strconv.ParseFloat(string(s.Total), 64)
	if err != nil || !(total > 0) {
		return 0, false
	}
	return min(max(done/total, 0), 1), true
}

// numbers are what the server counted, as it spelled them.
func numbers(s Step) string {
	const most = 12
	if len(s.Progress) > most || len(s.Total) > most {
		return ""
	}
	if s.Total == "" {
		return string(s.Progress)
	}
	return string(s.Progress) + "/" + string(s.Total)
}

func spinner(frame int) string { return string(`|/-\`[frame%4]) }

// drawStep draws a step on one line of a terminal.
func drawStep(s Step, frame, columns int) string {
	share, known := share(s)
	head := spinner(frame) + " " + s.Method
	if known {
		const cells = 24
		done := int(share * cells)
		head = fmt.Sprintf("[%s%s] %3d%%", strings.Repeat("#", done), strings.Repeat("-", cells-done), int(share*100))
	}
	for _, part := range []string{numbers(s), s.Message} {
		if part != "" {
			head += "  " + part
		}
	}
	return fit(SafeLine(head), columns)
}

// fit cuts a text that is wider than columns. Characters that may take two
// columns count as two: a line that wraps could not be taken away again.
func fit(text string, columns int) string {
	const doubles = 0x1100 // below it no character is wide
	width := 0
	for i, r := range text {
		w := 1
		if r >= doubles {
			w = 2
		}
		if width += w; width > columns {
			return text[:i]
		}
	}
	return text
}
