//go:build unix

package transport

import (
	"os"
	"syscall"
)

type signal = syscall.Signal

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// signalGroup signals the process group that p leads.
func signalGroup(p *os.Process, s signal) {
	_ = syscall.Kill(-p.Pid, s) // it may be gone
}

// groupAlive reports whether the process group has a member left.
func groupAlive(pgid int) bool { return syscall.Kill(-pgid, 0) == nil }
