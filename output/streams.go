package output

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// Streams are the standard streams of the process and whether each of them is
// a terminal. They are asked once, at the start; tests fill the struct.
type Streams struct {
	In                    io.Reader
	Out, Err              io.Writer
	InTTY, OutTTY, ErrTTY bool
}

// SystemStreams returns the streams of this process. The terminals of Cygwin
// and MSYS2, which look like pipes to Windows, count as terminals.
func SystemStreams() *Streams {
	return &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: isTerminal(os.Stdin), OutTTY: isTerminal(os.Stdout), ErrTTY: isTerminal(os.Stderr),
	}
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}
