package transport

import (
	"os"
	"syscall"
)

type signal int

const (
	terminate signal = iota
	kill
)

func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// signalGroup ends the process: Windows has no softer way that a process
// without a window would notice.
func signalGroup(p *os.Process, _ signal) {
	_ = p.Kill() // it may be gone
}

func groupAlive(int) bool { return false }

// widen makes room in a pipe where there is a way to.
func widen(*os.File) {}
