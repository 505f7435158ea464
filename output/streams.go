package output

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Streams are the standard streams of the process and whether each of them is
// a terminal. They are asked once, at the start; tests fill the struct.
type Streams struct {
	In                    io.Reader
	Out, Err              io.Writer
	InTTY, OutTTY, ErrTTY bool

	// Width gives the columns of the terminal of Err, or else of Out; 0 when
	// nobody knows. It may change at any time.
	Width func() int
}

// SystemStreams returns the streams of this process. The terminals of Cygwin
// and MSYS2, which look like pipes to Windows, count as terminals.
func SystemStreams() *Streams {
	return &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: isTerminal(os.Stdin), OutTTY: isTerminal(os.Stdout), ErrTTY: isTerminal(os.Stderr),
		Width: func() int {
			for _, f := range []*os.File{os.Stderr, os.Stdout} {
				if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
					return columns
				}
			}
			return 0
		},
	}
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}
