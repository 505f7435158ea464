//go:build linux

package commands_test

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"mcpq/mcp/mcptest"
)

// session is mcpq on a terminal, driven as a person would.
type session struct {
	t      *testing.T
	cmd    *exec.Cmd
	tty    *os.File
	exited chan error

	mu      sync.Mutex
	shown   bytes.Buffer
	seen    int // what was expected before
	changed chan struct{}
}

// onTerminal starts mcpq on a terminal of its own, with a browser that writes
// the URL to a file, and the file's name.
func onTerminal(t *testing.T, args ...string) (s *session, opened string) {
	t.Helper()
	opened = filepath.Join(t.TempDir(), "opened")
	browser := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\nprintf '%s\\n' \"$1\" >>"+opened+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s = &session{t: t, exited: make(chan error, 1), changed: make(chan struct{}, 1)}
	// The test binary is mcpq when it is started under that name.
	s.cmd = &exec.Cmd{Path: self, Args: append([]string{"mcpq"}, args...)}
	s.cmd.Env = append(os.Environ(), "BROWSER="+browser, "TERM=xterm", "NO_COLOR=1", "MCPQ_SERVER=")
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { s.exited <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.tty.Close()
	})
	return s, opened
}

func (s *session) read() {
	buf := make([]byte, 4096)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.shown.Write(buf[:n])
		s.mu.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// expect waits until the pattern shows, after what was expected before.
func (s *session) expect(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		text := s.shown.String()
		at := re.FindStringIndex(text[s.seen:])
		if at != nil {
			found := text[s.seen:][at[0]:at[1]]
			s.seen += at[1]
			s.mu.Unlock()
			return found
		}
		s.mu.Unlock()
		select {
		case <-s.changed:
		case <-deadline:
			s.t.Fatalf("no %q in what the terminal shows:\n%s", pattern, text)
		}
	}
}

func (s *session) send(text string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) exits(code int) {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("mcpq does not end:\n%s", s.screen())
	}
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Fatalf("exit code %d instead of %d:\n%s", got, code, s.screen())
	}
}

func (s *session) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

// peer is a scripted server over HTTP; its record comes with it.
func peer(t *testing.T, script string) (url string, record *lockedBuffer) {
	record = new(lockedBuffer)
	server := httptest.NewServer(mcptest.Handler(mcptest.MustParse(script).RecordTo(record)))
	t.Cleanup(server.Close)
	return server.URL, record
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
