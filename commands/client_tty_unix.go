//go:build unix

package commands

import (
	"io"
	"os"
)

// openTerminal opens the terminal of this process, whatever the standard
// streams are.
func openTerminal() (io.ReadWriteCloser, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
