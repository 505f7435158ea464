package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDrawStep(t *testing.T) {
	tests := []struct {
		name    string
		step    Step
		columns int
		want    string
	}{
		{"begun", Step{Progress: "0", Total: "10"}, 80, "[------------------------]   0%  0/10"},
		{"half", Step{Progress: "5", Total: "10", Message: "m"}, 80, "[############------------]  50%  5/10  m"},
		{"done", Step{Progress: "10", Total: "10"}, 80, "[########################] 100%  10/10"},
		{"more than all", Step{Progress: "11", Total: "10"}, 80, "[########################] 100%  11/10"},
		{"less than nothing", Step{Progress: "-1", Total: "10"}, 80, "[------------------------]   0%  -1/10"},
		{"fractions", Step{Progress: "0.25", Total: "1.0"}, 80, "[######------------------]  25%  0.25/1.0"},
		{"long numbers", Step{Progress: "0.2500000000000000001", Total: "1"}, 80, "[######------------------]  25%"},
		{"no total", Step{Method: "tools/call", Progress: "3", Message: "m"}, 80, "/ tools/call  3  m"},
		{"a total of nothing", Step{Method: "x", Progress: "3", Total: "0"}, 80, "/ x  3/0"},
		{"endless numbers", Step{Method: "x", Progress: "1e999", Total: "1e999"}, 80, "/ x  1e999/1e999"},
		{"no numbers", Step{Method: "x", Message: "m"}, 80, "/ x  m"},
		{"safe", Step{Method: "x", Message: "a\n\x1b[31mb\u202e"}, 80, `/ x  a \x1b[31mb\u202e`},
		{"cut", Step{Method: "x", Message: "0123456789"}, 10, "/ x  01234"},
		{"cut at wide characters", Step{Method: "x", Message: "世界世界"}, 10, "/ x  世界"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, drawStep(tt.step, 1, tt.columns)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func bar(w io.Writer) (*Messages, *Progress) {
	m := NewMessages(w)
	return m, NewProgress(m, ProgressBar, func() int { return 60 })
}

// However many steps come, the terminal is drawn on ten times a second, and the
// last step is among what is drawn.
func TestProgressRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		_, p := bar(&out)
		for i := range 1000 {
			p.Step(Step{Progress: json.Number(fmt.Sprint(i)), Total: "999"})
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		p.Close()
		if n := strings.Count(out.String(), "["+"#") + strings.Count(out.String(), "[-"); n < 10 || n > 12 {
			t.Errorf("drawn %d times in a second", n)
		}
		if !strings.Contains(out.String(), "999/999") {
			t.Errorf("the last step is missing:\n%q", out.String())
		}
		if !strings.HasSuffix(out.String(), eraseLine) {
			t.Errorf("something is left:\n%q", out.String())
		}
	})
}

// What is quick shows nothing; what is slow a spinner that turns.
func TestProgressWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		_, p := bar(&out)
		p.Wait("connecting")
		time.Sleep(patience - time.Millisecond)
		synctest.Wait()
		if out.String() != "" {
			t.Errorf("too soon: %q", out.String())
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for _, frame := range []string{"| connecting 1s", "/ connecting 1s", "- connecting 1s", `\ connecting 1s`} {
			if !strings.Contains(out.String(), frame) {
				t.Errorf("no %q in %q", frame, out.String())
			}
		}
		p.Close()
		if !strings.HasSuffix(out.String(), eraseLine) {
			t.Errorf("something is left: %q", out.String())
		}
	})
}

// Lines, server text, results and questions all find the terminal free.
func TestStatusMakesRoom(t *testing.T) {
	const e = eraseLine
	tests := []struct {
		name string
		do   func(m *Messages, out io.Writer)
		want string
	}{
		{"a line", func(m *Messages, _ io.Writer) { m.Errorf("x") }, "BAR" + e + "mcpq: x\nBAR"},
		{"a log", func(m *Messages, _ io.Writer) { m.Log("info", "", json.RawMessage(`"x"`)) }, "BAR" + e + "[info] x\nBAR"},
		{"text of the server", func(m *Messages, _ io.Writer) { fmt.Fprint(m.Writer(), "up\n") }, "BAR" + e + "up\n"},
		{"half a line of the server", func(m *Messages, _ io.Writer) {
			w := m.Writer()
			fmt.Fprint(w, "u")
			m.SetStatus("BAR2")
			fmt.Fprint(w, "p\n")
			m.SetStatus("BAR3")
		}, "BAR" + e + "up\nBAR3"},
		{"a result", func(m *Messages, out io.Writer) { fmt.Fprint(out, "{}\n"); m.SetStatus("BAR2") }, "BAR" + e + "{}\nBAR2"},
		{"half a result", func(m *Messages, out io.Writer) {
			fmt.Fprint(out, "{")
			m.SetStatus("BAR2")
			fmt.Fprint(out, "}\n")
			m.SetStatus("BAR3")
		}, "BAR" + e + "{}\nBAR3"},
		{"a question", func(m *Messages, out io.Writer) {
			m.HoldStatus()
			m.SetStatus("BAR2")
			fmt.Fprint(out, "?")
			m.ReleaseStatus()
			fmt.Fprint(out, "\n")
			m.SetStatus("BAR3")
		}, "BAR" + e + "?\nBAR3"},
		{"the end", func(m *Messages, _ io.Writer) { m.SetStatus(""); m.SetStatus("") }, "BAR" + e},
		{"the same", func(m *Messages, _ io.Writer) { m.SetStatus("BAR") }, "BAR"},
		{"another", func(m *Messages, _ io.Writer) { m.SetStatus("B") }, "BAR" + e + "B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var terminal bytes.Buffer
			m := NewMessages(&terminal)
			m.SetStatus("BAR")
			tt.do(m, m.Beside(&terminal))
			if diff := cmp.Diff(tt.want, terminal.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProgressPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := NewProgress(NewMessages(&out), ProgressPlain, nil)
		p.Wait("nothing is said of waiting")
		for i := range 100 {
			p.Step(Step{Method: "tools/call", Progress: json.Number(fmt.Sprint(i)), Message: "m"})
			time.Sleep(10 * time.Millisecond)
		}
		p.Step(Step{Method: "tools/call", Progress: "1", Total: "1"})
		p.Step(Step{Method: "tools/call", Progress: "1", Total: "1"})
		p.Close()
		want := "progress tools/call 0 m\nprogress tools/call 50 m\nprogress tools/call 1/1 100%\n"
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestProgressJSON(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(NewMessages(&out), ProgressJSON, nil)
	params := "{\"progressToken\":1, \"progress\":1.0,\n\"message\":\"\u202e\u007f\"}"
	p.Step(Step{Params: json.RawMessage(params)})
	want := `{"method":"notifications/progress","params":{"progressToken":1,"progress":1.0,"message":"\u202e\u007f"}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProgressNone(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(NewMessages(&out), ProgressNone, nil)
	p.Wait("x")
	p.Step(Step{Progress: "1", Params: json.RawMessage(`{}`)})
	p.Close()
	if out.Len() > 0 {
		t.Errorf("shown: %q", out.String())
	}
}
