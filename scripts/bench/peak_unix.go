//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the largest resident size of a process that has ended, and of the
// children it has waited for, in MB.
func peakOf(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return inMB(usage)
}

// ownPeak is this program's. A child is a copy of it until its own program is
// loaded, and the kernel counts that in.
func ownPeak() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return inMB(&usage)
}

func inMB(usage *syscall.Rusage) float64 {
	unit := 1024.0
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}
