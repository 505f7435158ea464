//go:build linux

package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// inProject makes a folder with a config file the working directory, with a home
// of its own, and mcpq in it as a program.
func inProject(t *testing.T, file, text string) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, filepath.Join(home, name))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "mcpq")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A person is asked whether a project's server may run, sees what it is, and is
// not asked again. No answer is a no.
func TestTerminalTrust(t *testing.T) {
	const config = `{"mcpServers": {"build": {"command": "./mcpq", "args": ["demo", "\u001b[31m"], "env": {"NODE_OPTIONS": "--require x"}}}}`
	inProject(t, ".mcp.json", strings.Replace(config, `, "\u001b[31m"`, "", 1))
	for _, answer := range []string{"\n", "n\n", "\x04"} {
		s, _ := onTerminal(t, "ping", "-s", "build", "-q", ".ms >= 0")
		s.expect(`A project's config file defines the server build:`)
		s.expect(`file +/.*/.mcp.json`)
		s.expect(`command +./mcpq demo`)
		s.expect(`env +NODE_OPTIONS=--require x`)
		s.expect(`because it runs a command\.\r\nUse it, now and from now on\? \[y/N\] `)
		s.send(answer)
		s.expect(`server "build" of .* was not used: you said no`)
		s.exits(7)
	}
	s, _ := onTerminal(t, "ping", "-s", "build", "-q", ".ms >= 0")
	s.expect(`\[y/N\] `)
	s.send("y\n")
	s.expect(`true`)
	s.exits(0)
	s, _ = onTerminal(t, "ping", "-s", "build", "-q", ".ms >= 0")
	s.expect(`true`)
	s.exits(0)
	if strings.Contains(s.screen(), "y/N") {
		t.Errorf("asked again:\n%s", s.screen())
	}
	if err := os.WriteFile(".mcp.json", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ = onTerminal(t, "ping", "-s", "build")
	s.expect(`is not what you trusted any more`)
	s.expect(`command .*\\x1b.*31m`)
	s.expect(`\[y/N\] `)
	s.send("\x03")
	s.exits(130)
}

// Inputs of VS Code are asked for on the terminal; passwords are not shown.
func TestTerminalInputs(t *testing.T) {
	url, record := peer(t, "era stateful\n")
	inProject(t, "home.json", `{
		"inputs": [
			{"id": "key", "type": "promptString", "description": "The key", "password": true},
			{"id": "team", "type": "promptString", "description": "The team", "default": "red"},
			{"id": "level", "type": "pickString", "options": ["low", "high"]}
		],
		"servers": {"asks": {"url": "`+url+`?team=${input:team}", "headers": {"X-Key": "${input:key}", "X-Level": "${input:level}", "X-Again": "${input:level}"}}}
	}`)
	args := []string{"ping", "-s", "asks", "--config", "home.json", "-q", ".ms >= 0", "--trace", "trace", "-vv"}
	s, _ := onTerminal(t, args...)
	s.expect(`Server asks needs: The team`)
	s.expect(`nothing is: red\r\n> `)
	s.send("\n")
	s.expect(`Server asks needs: The key\r\n\(what you type is not shown\)`)
	s.send("hunter2\n")
	s.expect(`1\) low\r\n  2\) high\r\n> `)
	s.send("middle\n")
	s.expect(`> `)
	s.send("2\n")
	s.expect(`true`)
	s.exits(0)
	if strings.Contains(s.screen(), "hunter2") {
		t.Errorf("the password is on the screen:\n%s", s.screen())
	}
	trace, err := os.ReadFile("trace")
	if err != nil || strings.Contains(string(trace), "hunter2") || !strings.Contains(string(trace), `team=red`) {
		t.Errorf("the trace: %v\n%s", err, trace)
	}
	if !strings.Contains(record.String(), "ping") {
		t.Errorf("no ping:\n%s", record)
	}
	// Ctrl-C ends the question, and the terminal shows what is typed again.
	s, _ = onTerminal(t, args...)
	s.expect(`red\r\n> `)
	s.send("blue\n")
	s.expect(`is not shown\)`)
	if echoes(t, s) {
		t.Error("the terminal shows what is typed")
	}
	s.send("\x03")
	s.exits(130)
	if !echoes(t, s) {
		t.Error("the terminal does not show any more what is typed")
	}
}

func echoes(t *testing.T, s *session) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}
