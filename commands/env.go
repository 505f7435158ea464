package commands

import (
	"io"
	"os"

	"mcpq/output"
)

// Env is the world a command runs in. Nothing below it asks the operating
// system for any of this.
type Env struct {
	*output.Streams
	Getenv  func(string) string
	Environ func() []string // for the programs that are started: without our secrets

	// Terminal opens the terminal to ask a person on, whatever the standard
	// streams are; nil if there is none.
	Terminal func() (io.ReadWriteCloser, error)

	// CacheDir is the directory for what programs of the user may keep and
	// lose; nil is none.
	CacheDir func() (string, error)

	// Version is that of the program.
	Version string

	// Signals begins to deliver the signals that end a run. Kill ends the
	// process at once, for a second signal that finds the run stuck.
	Signals func() <-chan os.Signal
	Kill    func(code int)
}
