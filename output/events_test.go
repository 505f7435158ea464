package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMessages(t *testing.T) {
	tests := []struct {
		name string
		say  func(m *Messages)
		want string
	}{
		{"error", func(m *Messages) { m.Errorf("server %q: %v", "x", errors.New("no such file")) }, "mcpq: server \"x\": no such file\n"},
		{"hint", func(m *Messages) { m.Hintf("try %s", "that") }, "mcpq: hint: try that\n"},
		{"warning", func(m *Messages) { m.Warningf("odd") }, "mcpq: warning: odd\n"},
		{"newlines are folded", func(m *Messages) { m.Errorf("a\n\n  b\r\nc\n") }, "mcpq: a b c\n"},
		{"a server cannot fake a message", func(m *Messages) { m.Errorf("%s", "x\nmcpq: all is well") }, "mcpq: x mcpq: all is well\n"},
		{"controls are escaped", func(m *Messages) { m.Errorf("\x1b[2J\u202e\xff") }, `mcpq: \x1b[2J\u202e\xff` + "\n"},
		{"line", func(m *Messages) { m.Line("> POST\n") }, "> POST\n"},
		{"log text", func(m *Messages) { m.Log("warning", "db", json.RawMessage(`"slow\nquery \u001b[31m"`)) }, `[warning] db: slow query \x1b[31m` + "\n"},
		{"log object keeps its bytes", func(m *Messages) { m.Log("info", "", json.RawMessage("{\"z\": 1.0,\n \"a\":[]}")) }, `[info] {"z":1.0,"a":[]}` + "\n"},
		{"log null", func(m *Messages) { m.Log("info", "x", json.RawMessage("null")) }, "[info] x: null\n"},
		{"log of nothing", func(m *Messages) { m.Log("info", "", nil) }, "[info]\n"},
		{"log with controls in level and logger", func(m *Messages) { m.Log("in\nfo\x1b", "a\x07\nb", json.RawMessage(`1`)) }, `[in fo\x1b] a\x07 b: 1` + "\n"},
		{"server text passes", func(m *Messages) { fmt.Fprint(m.Writer(), "\x1b[32mup\x1b[0m\nmore") }, "\x1b[32mup\x1b[0m\nmore"},
		{"a message starts on its own line", func(m *Messages) {
			w := m.Writer()
			fmt.Fprint(w, "half a li")
			m.Errorf("failed")
			m.Hintf("try again")
			fmt.Fprint(w, "ne\n")
			m.Errorf("failed")
		}, "half a li\nmcpq: failed\nmcpq: hint: try again\nne\nmcpq: failed\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			tt.say(NewMessages(&out))
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Lines stay whole, whoever writes them.
func TestMessagesFromManyGoroutines(t *testing.T) {
	const writers, lines = 8, 50
	var out bytes.Buffer
	m := NewMessages(&out)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			server := m.Writer()
			for range lines {
				if i%2 == 0 {
					m.Log("info", "", json.RawMessage(`"from the log"`))
				} else {
					io.WriteString(server, "from the server\n")
				}
			}
		})
	}
	wg.Wait()
	count := map[string]int{}
	for line := range strings.Lines(out.String()) {
		count[line]++
	}
	want := map[string]int{"[info] from the log\n": writers / 2 * lines, "from the server\n": writers / 2 * lines}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
