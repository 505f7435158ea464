//go:build linux

package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const escape = "\x1b["

// Results have colours where standard output is a terminal, what stands on
// stderr where that is one. Only results can be told to have them elsewhere.
func TestTerminalColours(t *testing.T) {
	both := streams{out: true, err: true}
	with := func(s streams, env ...string) streams {
		s.env = env
		return s
	}
	tests := []struct {
		name     string
		on       streams
		flags    string
		out, err bool
	}{
		{"terminals", both, "", true, true},
		{"stdout is a pipe", streams{err: true}, "", false, true},
		{"stderr is a pipe", streams{out: true}, "", true, false},
		{"pipes", streams{}, "", false, false},
		{"NO_COLOR", with(both, "NO_COLOR=1"), "", false, false},
		{"NO_COLOR is empty", with(both, "NO_COLOR="), "", true, true},
		{"CLICOLOR=0", with(both, "CLICOLOR=0"), "", false, false},
		{"CLICOLOR=1", with(both, "CLICOLOR=1"), "", true, true},
		{"CLICOLOR_FORCE in pipes", with(streams{}, "CLICOLOR_FORCE=1"), "", true, false},
		{"CLICOLOR_FORCE=0 in pipes", with(streams{}, "CLICOLOR_FORCE=0"), "", false, false},
		{"CLICOLOR_FORCE over CLICOLOR=0", with(both, "CLICOLOR_FORCE=1", "CLICOLOR=0"), "", true, true},
		{"NO_COLOR over CLICOLOR_FORCE", with(both, "NO_COLOR=1", "CLICOLOR_FORCE=1"), "", false, false},
		{"TERM=dumb", with(both, "TERM=dumb"), "", false, false},
		{"CLICOLOR_FORCE over TERM=dumb", with(both, "TERM=dumb", "CLICOLOR_FORCE=1"), "", true, true},
		{"--color never", both, "--color never", false, false},
		{"--color never over CLICOLOR_FORCE", with(both, "CLICOLOR_FORCE=1"), "--color=never", false, false},
		{"--color always over NO_COLOR", with(both, "NO_COLOR=1"), "--color always", true, true},
		{"--color always over TERM=dumb", with(both, "TERM=dumb"), "--color=always", true, true},
		{"--color always in pipes", streams{}, "--color always", true, false},
		{"--color auto", with(both, "NO_COLOR=1"), "--color auto", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, form := range []string{"call fail", "call fail -c", "call fail --pretty", "call fail -q .content"} {
				got := tt.on.run(t, strings.Fields(form+" -s demo: "+tt.flags)...)
				if got.code != 6 {
					t.Fatalf("%s: exit code %d: %s", form, got.code, got.err)
				}
				coloured(t, form+": stdout", got.out, tt.out)
				coloured(t, form+": stderr", got.err, tt.err)
			}
			coloured(t, "manual", tt.on.run(t, strings.Fields("describe echo -s demo: "+tt.flags)...).out, tt.out)
			// What has no colours is not given any.
			for _, form := range []string{"text", "table", "yaml"} {
				coloured(t, form, tt.on.run(t, strings.Fields("list-tools -s demo: --format "+form+" "+tt.flags)...).out, false)
			}
			// A mistake that keeps the flags from being understood.
			coloured(t, "usage error", tt.on.run(t, strings.Fields("list-tools --nonsense "+tt.flags)...).err, tt.err)
			on := tt.on
			if on.out && on.err {
				on.typed = ":c\n"
				got := on.run(t, strings.Fields("call ask -s demo: "+tt.flags)...)
				if !strings.Contains(got.err, "asks:") {
					t.Fatalf("no form: %q", got.err)
				}
				coloured(t, "form", strings.ReplaceAll(got.err, "\r\x1b[K", ""), tt.err)
			}
		})
	}
}

func coloured(t *testing.T, what, text string, want bool) {
	t.Helper()
	if text == "" {
		t.Errorf("%s: nothing", what)
	}
	if got := strings.Contains(text, escape); got != want {
		t.Errorf("%s: coloured is %v, want %v: %q", what, got, want, text)
	}
}

// A terminal that can do nothing gets whole lines, and nothing is drawn there.
func TestTerminalProgressIsDrawn(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	err := os.WriteFile(script, []byte("on tools/call\n\tnotify notifications/progress {\"progressToken\":$TOKEN,\"progress\":1,\"total\":2}\n\tresult {\"content\":[]}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		on    streams
		drawn bool
	}{
		{"terminal", streams{out: true, err: true}, true},
		{"stdout is a pipe", streams{err: true}, true},
		{"stderr is a pipe", streams{out: true}, false},
		{"without colours", streams{out: true, err: true, env: []string{"NO_COLOR=1"}}, true},
		{"TERM=dumb", streams{out: true, err: true, env: []string{"TERM=dumb"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.on.run(t, "call", "ok", "--color", "never", "--", "mcptest-server", script)
			if drawn := strings.Contains(got.err, "50%") && strings.Contains(got.err, "\r\x1b[K"); drawn != tt.drawn {
				t.Errorf("drawn is %v, want %v: %q", drawn, tt.drawn, got.err)
			}
			if !tt.drawn && got.err != "" {
				t.Errorf("stderr gets %q", got.err)
			}
		})
	}
}

// A table is as wide as COLUMNS says, else as the terminal is, else as it likes.
func TestTerminalWidth(t *testing.T) {
	for _, tt := range []struct {
		name string
		on   streams
		most int // columns; 0 is more than the terminal has
	}{
		{"terminal", streams{out: true, err: true}, 100},
		{"stderr is a pipe", streams{out: true}, 100},
		{"COLUMNS on a terminal", streams{out: true, err: true, env: []string{"COLUMNS=60"}}, 60},
		{"COLUMNS in a pipe", streams{env: []string{"COLUMNS=60"}}, 60},
		{"COLUMNS makes no sense", streams{out: true, err: true, env: []string{"COLUMNS=wide"}}, 100},
		{"pipe", streams{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			widest := 0
			out := tt.on.run(t, "list-tools", "--format", "table", "-s", "demo:",
				"-q", `[.tools[0] | {name, words: ("word " * 40)}]`).out
			for line := range strings.SplitSeq(out, "\n") {
				widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, "\r")))
			}
			if tt.most == 0 && widest <= 100 || tt.most > 0 && (widest > tt.most || widest < tt.most-10) {
				t.Errorf("%d columns are used, of %d:\n%s", widest, tt.most, out)
			}
		})
	}
}
