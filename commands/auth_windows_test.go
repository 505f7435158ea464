package commands_test

import "syscall"

func withoutTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{HideWindow: true} }
