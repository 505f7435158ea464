package mcptest

import (
	"os"
	"os/signal"
	"syscall"
)

func watchedSignals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

func ignoreSignals() { signal.Ignore(watchedSignals()...) }

// signalCode returns the code a shell shows for a process ended by the signal.
func signalCode(s *Script, sig os.Signal) (code int, ignored bool) {
	switch sig {
	case syscall.SIGTERM:
		return 143, s.ignore["term"]
	case syscall.SIGHUP:
		return 129, s.ignore["hup"]
	default:
		return 130, s.ignore["int"]
	}
}
