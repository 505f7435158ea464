//go:build unix

package transport

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpq/mcp/jsonrpc"
)

// life is a fifo that processes hold open: it ends when the last of them does.
type life struct {
	path string
	r    *os.File
}

func newLife(t *testing.T) *life {
	t.Helper()
	path := filepath.Join(t.TempDir(), "life")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return &life{path, r}
}

// over reports whether all who held the fifo have ended within the time given.
func (l *life) over(t *testing.T, within time.Duration) bool {
	t.Helper()
	if err := l.r.SetReadDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	_, err := l.r.Read(make([]byte, 1))
	return err == io.EOF
}

func TestCommand(t *testing.T) {
	l := newLife(t)
	c := dial(t, as("echo", l.path), Peer{})
	if got, err := call(t.Context(), c, Outgoing{Params: []byte(`[1.0]`)}); err != nil || got != "[1.0]" || c.Name() != "stdio" {
		t.Errorf("%s: got %s, %v", c.Name(), got, err)
	}
	began := time.Now()
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if d := time.Since(began); d > DefaultGrace/2 {
		t.Errorf("closing took %v", d)
	}
	if !l.over(t, time.Second) {
		t.Error("the server is still there")
	}
	if err := c.Close(t.Context()); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// Whatever a server does not mind, closing ends it and all its group, in the
// time that its steps take.
func TestCommandShutdown(t *testing.T) {
	const grace = 100 * time.Millisecond
	for _, tt := range []struct {
		role  string
		steps time.Duration // that time out
	}{
		{"echo", 0}, {"stays", 1}, {"deaf", 1}, {"stubborn", 2}, {"moved", 2}, {"parent", 1}, {"mute", 0}, {"chatty", 0},
	} {
		t.Run(tt.role, func(t *testing.T) {
			for _, hurry := range []bool{false, true} {
				l := newLife(t)
				command := as(tt.role, l.path)
				command.Grace = grace
				c, err := command.Dial(t.Context(), Peer{})
				if err != nil {
					t.Fatal(err)
				}
				switch tt.role {
				case "deaf", "mute":
					waitOpen(t, l)
				default:
					if _, err := call(t.Context(), c, Outgoing{}); err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				if hurry {
					cancel()
				}
				began := time.Now()
				if err := c.Close(ctx); err != nil {
					t.Error(err)
				}
				cancel()
				d := time.Since(began)
				if !l.over(t, time.Second) { // a child that was killed is no longer waited for
					t.Errorf("hurry %v: somebody is still there", hurry)
				}
				low, high := tt.steps*grace, tt.steps*grace+time.Second
				if hurry {
					low, high = 0, time.Second
				}
				if d < low || d > high {
					t.Errorf("hurry %v: closing took %v", hurry, d)
				}
			}
		})
	}
}

// waitOpen waits until a process that answers nothing holds the fifo.
func waitOpen(t *testing.T, l *life) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
		if err := l.r.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := l.r.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			return // without a writer it would be the end of the file
		}
	}
	t.Fatal("the process did not start")
}

// A client that is killed takes the server with it, and the server's children
// see the end of their input.
func TestCommandDiesWithParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the parent-death signal is Linux's own")
	}
	l := newLife(t)
	driver := exec.Command(os.Args[0])
	driver.Env = append(os.Environ(), roleVariable+"=driver", holdVariable+"="+l.path)
	out, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "ready <nil>\n" {
		t.Errorf("the client says %q, %v", line, err)
	}
	if l.over(t, time.Millisecond) {
		t.Error("nobody is there")
	}
	_ = driver.Process.Kill()
	_ = driver.Wait()
	if !l.over(t, 10*time.Second) {
		t.Error("the server or its child outlives the client")
	}
}

func TestCommandEnds(t *testing.T) {
	var stderr bytes.Buffer
	command := as("dies", "")
	command.Stderr = &stderr
	c := dial(t, command, Peer{})
	_, err := call(t.Context(), c, Outgoing{})
	var exit *ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("error is %T: %v", err, err)
	}
	if want := os.Args[0] + " ended (exit status 9); its last words: one / two / no money left"; err.Error() != want {
		t.Errorf("error is %v\nwant %s", err, want)
	}
	_ = c.Close(t.Context())
	if stderr.String() != "one\ntwo\nno money left" {
		t.Errorf("stderr was %q", stderr.String())
	}
}

// A server that closes its output and lives on has ended the connection.
func TestCommandMute(t *testing.T) {
	c := dial(t, as("mute", ""), Peer{})
	_, err := call(t.Context(), c, Outgoing{})
	var closed *jsonrpc.ClosedError
	var exit *ExitError
	if !errors.As(err, &closed) || errors.As(err, &exit) {
		t.Errorf("error is %T: %v", err, err)
	}
}

// A call to a server that does not read is bounded by its context.
func TestCommandDeaf(t *testing.T) {
	command := as("deaf", "")
	command.Grace = time.Millisecond
	c := dial(t, command, Peer{})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errEnough)
	defer cancel()
	params := append(append([]byte(`"`), bytes.Repeat([]byte("x"), 10<<20)...), '"')
	if _, err := call(ctx, c, Outgoing{Params: params}); err != errEnough {
		t.Errorf("error is %v", err)
	}
}

func TestCommandTooLarge(t *testing.T) {
	command := as("huge", "")
	c := dial(t, command, Peer{MaxMessage: 1000})
	_, err := call(t.Context(), c, Outgoing{})
	var large *jsonrpc.TooLargeError
	if !errors.As(err, &large) {
		t.Errorf("error is %v", err)
	}
}

func TestCommandStreamsInLittleMemory(t *testing.T) {
	c := dial(t, as("huge", ""), Peer{})
	before := allocated()
	var n int64
	got, err := call(t.Context(), c, Outgoing{Result: func(r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, r)
		return err
	}})
	if err != nil || got != "streamed" || n != hugeResult+int64(len(`{"text":""}`)) {
		t.Errorf("got %s, %v, %d bytes", got, err, n)
	}
	if used := allocated() - before; used > 8<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

func TestCommandCannotStart(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	for _, tt := range []struct {
		command Command
		text    string
	}{
		{Command{}, "server command: it is empty"},
		{Command{Args: []string{"no-such-command-here"}}, "cannot start no-such-command-here: command not found"},
		{Command{Args: []string{plain}}, "permission denied"},
		{Command{Args: []string{filepath.Join(dir, "none")}}, "no such file or directory"},
		{Command{Args: []string{os.Args[0]}, Dir: filepath.Join(dir, "none")}, "working directory " + filepath.Join(dir, "none")},
	} {
		_, err := tt.command.Dial(t.Context(), Peer{})
		var connect *ConnectError
		if !errors.As(err, &connect) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%v: error is %v, want %s", tt.command.Args, err, tt.text)
		}
	}
	if _, err := as("echo", "").Dial(ended, Peer{}); err != errEnough {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestTail(t *testing.T) {
	var next bytes.Buffer
	tl := &tail{next: &next}
	in := strings.Repeat("x", 3*tailWidth) + "\n\n" + strings.Repeat("line\n", 2*tailLines) + "last"
	for _, b := range []byte(in) {
		_, _ = tl.Write([]byte{b})
	}
	lines := tl.lines()
	if next.String() != in || len(lines) != tailLines || lines[tailLines-1] != "last" || lines[0] != "line" {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
	tl = new(tail)
	_, _ = tl.Write([]byte(in[:3*tailWidth+1]))
	if lines := tl.lines(); len(lines) != 1 || len(lines[0]) != tailWidth {
		t.Errorf("a long line: %d lines", len(lines))
	}
}
