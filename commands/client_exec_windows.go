package commands

import (
	"os"
	"os/exec"
	"syscall"
)

const interrupt = syscall.SIGINT

func runInForeground(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	return cmd.Run()
}

func killGroup(p *os.Process) error { return p.Kill() }

func interrupted(*os.ProcessState) bool { return false }

func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
