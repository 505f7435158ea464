//go:build unix

package commands

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

const interrupt = syscall.SIGINT

// runInForeground runs cmd in a process group of its own. If this process has
// the terminal, the group gets it for as long as the command runs: a background
// group that reads from its terminal is stopped by the system.
func runInForeground(cmd *exec.Cmd) error {
	cmd.SysProcAttr = groupAttributes()
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return cmd.Run()
	}
	defer func() { _ = tty.Close() }()
	fd := int(tty.Fd())
	if group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err != nil || group != unix.Getpgrp() {
		return cmd.Run()
	}
	// The command inherits both: it must be able to take the terminal, and
	// Ctrl-Z must not stop it where nobody can wake it.
	signal.Ignore(syscall.SIGTTOU, syscall.SIGTSTP)
	defer signal.Reset(syscall.SIGTTOU, syscall.SIGTSTP)
	cmd.SysProcAttr.Foreground = true
	cmd.SysProcAttr.Ctty = fd
	defer func() {
		// It fails when the terminal has gone; then nothing is to be given back.
		_ = unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, unix.Getpgrp())
	}()
	return cmd.Run()
}

// killGroup ends the process group that p leads.
func killGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}

// interrupted reports whether a process died of Ctrl-C, or says as a shell does
// that what it ran did.
func interrupted(s *os.ProcessState) bool {
	if s == nil {
		return false
	}
	status, ok := s.Sys().(syscall.WaitStatus)
	const said = 128 + int(syscall.SIGINT)
	return ok && (status.Signaled() && status.Signal() == syscall.SIGINT || status.ExitStatus() == said)
}

// detached is for a program that outlives this one: a browser must not end with
// Ctrl-C here.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
