//go:build unix

package commands_test

import "syscall"

// withoutTerminal starts a process in a session of its own, in which there is no
// terminal to ask on.
func withoutTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
