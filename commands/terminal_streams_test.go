//go:build linux

package commands_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// streams say what mcpq runs on. What is no terminal is a pipe; standard input
// is empty unless something is typed.
type streams struct {
	out, err bool     // terminals
	typed    string   // on the terminal of stderr, which is that of the process then
	env      []string // beside TERM=xterm
}

// ran is what came of a run.
type ran struct {
	out, err string
	code     int
}

// run runs mcpq to its end, in a folder of its own.
func (s streams) run(t *testing.T, args ...string) ran {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// The test binary is mcpq when it is started under that name.
	cmd := &exec.Cmd{Path: self, Args: append([]string{"mcpq"}, args...), Dir: dir}
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "MCPQ_SERVER=", "BROWSER=true",
		"TERM=xterm", "NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE=", "COLUMNS=")
	cmd.Env = append(cmd.Env, s.env...)
	cmd.WaitDelay = patience
	out, err1 := end(t, s.out)
	errs, err2 := end(t, s.err)
	cmd.Stdout, cmd.Stderr = out.ours, errs.ours
	if s.typed != "" {
		cmd.Stdin = errs.ours
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if _, err := io.WriteString(errs.theirs, s.typed); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer deadline.Stop()
	_, _ = out.ours.Close(), errs.ours.Close()
	_ = cmd.Wait() // the exit code is looked at
	return ran{<-err1, <-err2, cmd.ProcessState.ExitCode()}
}

// ends are the two of a pipe, or of a terminal.
type ends struct{ ours, theirs *os.File }

// end makes one, and reads it to its end.
func end(t *testing.T, tty bool) (ends, <-chan string) {
	t.Helper()
	var e ends
	var err error
	if tty {
		e.theirs, e.ours, err = pty.Open()
	} else {
		e.theirs, e.ours, err = os.Pipe()
	}
	if err == nil && tty {
		err = pty.Setsize(e.theirs, &pty.Winsize{Rows: 40, Cols: 100})
	}
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		_, _ = b.ReadFrom(e.theirs) // a terminal that nobody holds any more is an error
		_ = e.theirs.Close()
		all <- b.String()
	}()
	return e, all
}
