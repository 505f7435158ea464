package commands

import (
	"errors"
	"io"
	"os"
)

// console is the terminal of this process, whatever the standard streams are.
type console struct{ in, out *os.File }

func openTerminal() (io.ReadWriteCloser, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &console{in, out}, nil
}

func (c *console) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *console) Write(p []byte) (int, error) { return c.out.Write(p) }
func (c *console) Close() error                { return errors.Join(c.in.Close(), c.out.Close()) }

// Fd is what is read from.
func (c *console) Fd() uintptr { return c.in.Fd() }
