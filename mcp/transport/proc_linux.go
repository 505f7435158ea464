package transport

import (
	"os"
	"syscall"
)

func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pipeSize is what a server may write ahead of us, in bytes. With the usual 64
// KiB a large result costs a change of process for every piece of that size.
const pipeSize = 1 << 20

// setPipeSize is F_SETPIPE_SZ of fcntl(2), which package syscall leaves out.
const setPipeSize = 1031

// widen makes room in a pipe. It is a wish: the system bounds it for each user.
func widen(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, pipeSize) })
}
