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

// signalGroup signals the process group that p was started to lead, and p
// itself, which may have moved to another. Either may be gone.
func signalGroup(p *os.Process, s signal) {
	_ = syscall.Kill(-p.Pid, s)
	_ = p.Signal(s)
}

// groupAlive reports whether the process group has a member left.
func groupAlive(pgid int) bool { return syscall.Kill(-pgid, 0) == nil }
