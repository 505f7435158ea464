package mcptest

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// ownProcess is the process of mcptest-server: the script may end it.
type ownProcess struct {
	exits    chan int
	signals  chan os.Signal
	overHTTP bool
}

func (p *ownProcess) exit(code int) error {
	select {
	case p.exits <- code:
	default:
	}
	return &ExitError{Code: code}
}

func (p *ownProcess) kill() error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := self.Kill(); err != nil {
		return err
	}
	for { // the signal is on its way; a select without cases is a deadlock to the runtime
		time.Sleep(time.Second)
	}
}

func (p *ownProcess) stderr() io.Writer { return os.Stderr }

func (p *ownProcess) stdout() io.WriteCloser {
	if p.overHTTP {
		return nil
	}
	return os.Stdout
}

// childFlag makes Main the child that the step spawn starts.
const childFlag = "-child-of-mcptest"

func (p *ownProcess) spawn(pidFile, kind string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	// The name stays, since a test binary may tell its commands apart by it.
	cmd := &exec.Cmd{
		Path:   program,
		Args:   []string{os.Args[0], childFlag, kind, strconv.Itoa(os.Getpid())},
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// Nobody waits for it: it is to be found by its pid.
	return writeWhole(pidFile, strconv.Itoa(cmd.Process.Pid)+"\n")
}

// child holds the pipes it was given. An heir begins to read stdin once its
// parent is gone, before which every byte belongs to the parent.
func child(kind, parent string) int {
	if kind == "stubborn" {
		ignoreSignals()
	}
	end := time.NewTimer(lifetime)
	poll := time.NewTicker(10 * time.Millisecond)
	for {
		select {
		case <-end.C:
			return 0
		case <-poll.C:
			if kind == "heir" && strconv.Itoa(os.Getppid()) != parent {
				_, _ = io.Copy(io.Discard, os.Stdin)
				return 0
			}
		}
	}
}
