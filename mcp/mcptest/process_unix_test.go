//go:build unix

package mcptest

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command is mcptest-server with a script, as a process of its own.
type command struct {
	*testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	dir    string
	exited chan struct{}
}

func start(t *testing.T, script string, args ...string) *command {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(args, "script")...)
	// The test binary tells by this name that it is to be the server.
	cmd.Args[0] = "mcptest-server"
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	// Not StdoutPipe: Wait would close it under the reader.
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	c := &command{T: t, cmd: cmd, in: in, out: bufio.NewReader(out), dir: dir, exited: make(chan struct{})}
	go func() {
		defer close(c.exited)
		// Tests look at the state.
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-c.exited
		out.Close()
	})
	return c
}

// exchange sends a ping and waits for the answer.
func (c *command) exchange() {
	c.Helper()
	if _, err := io.WriteString(c.in, ping); err != nil {
		c.Fatal(err)
	}
	if line, err := c.out.ReadString('\n'); err != nil || line != pong {
		c.Fatalf("answer %q, %v", line, err)
	}
}

func (c *command) pid(file string) int {
	c.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, file))
	if err != nil {
		c.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		c.Fatal(err)
	}
	return pid
}

// eof waits until nobody holds stdout any more.
func (c *command) eof() {
	c.Helper()
	if b, err := io.ReadAll(c.out); err != nil || len(b) > 0 {
		c.Fatalf("%q, %v", b, err)
	}
}

func TestStubbornServer(t *testing.T) {
	c := start(t, "ignore eof term\nrecord wire\npid pid\n")
	c.exchange()
	if got := c.pid("pid"); got != c.cmd.Process.Pid {
		t.Errorf("pid %d", got)
	}
	c.in.Close()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// Its record shows that it has noticed both and goes on; order is open.
	for {
		b, err := os.ReadFile(filepath.Join(c.dir, "wire"))
		if err != nil {
			t.Fatal(err)
		}
		if s := string(b); strings.Contains(s, "\neof\n") && strings.Contains(s, "\nsignal terminated\n") {
			break
		}
		select {
		case <-c.exited:
			t.Fatal("the server has ended")
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := c.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-c.exited
	if code := c.cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d after SIGINT", code)
	}
}

func TestSpawn(t *testing.T) {
	for _, tt := range []struct {
		kind   string
		killer syscall.Signal // 0: it ends by itself
	}{{"plain", syscall.SIGTERM}, {"stubborn", syscall.SIGKILL}, {"heir", 0}} {
		t.Run(tt.kind, func(t *testing.T) {
			c := start(t, "on ping\n\tspawn child "+tt.kind+"\n\tdefault\n")
			c.exchange()
			child := c.pid("child")
			if err := syscall.Kill(child, 0); err != nil {
				t.Fatalf("child %d: %v", child, err)
			}
			if err := c.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-c.exited
			c.in.Close()
			if tt.killer != 0 {
				if err := syscall.Kill(child, tt.killer); err != nil {
					t.Errorf("the child has not outlived its parent: %v", err)
				}
			}
			// Only the child still holds the pipe.
			c.eof()
		})
	}
}

func TestCloseStdout(t *testing.T) {
	c := start(t, "on a\n\tclose-stdout\n\thang\n")
	c.exchange()
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0","id":2,"method":"a"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	c.eof()
	if err := c.cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the server has ended: %v", err)
	}
	c.in.Close()
	<-c.exited
	if code := c.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestHTTPCommand(t *testing.T) {
	c := start(t, "on exit\n\texit 3\n", "-http", "127.0.0.1:0", "-addr-file", "addr")
	var url []byte
	for len(url) == 0 {
		var err error
		url, err = os.ReadFile(filepath.Join(c.dir, "addr"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		select {
		case <-c.exited:
			t.Fatal("the server has ended")
		case <-time.After(5 * time.Millisecond):
		}
	}
	post := func(body string) (string, error) {
		res, err := http.Post(strings.TrimSpace(string(url)), "application/json", strings.NewReader(body))
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		return string(b) + "\n", err
	}
	if got, err := post(ping); err != nil || got != pong {
		t.Errorf("answer %q, %v", got, err)
	}
	if got, err := post(`{"jsonrpc":"2.0","id":1,"method":"exit"}`); err == nil {
		t.Errorf("answer %q of a server that should have ended", got)
	}
	<-c.exited
	if code := c.cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit code %d", code)
	}
	http.DefaultClient.CloseIdleConnections()
}
