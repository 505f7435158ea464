package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
)

// child is a server on stdio.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func spawn(command []string) (*child, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}, cmd.Start()
}

func (c *child) notify(message string) error {
	_, err := io.WriteString(c.in, message+"\n")
	return err
}

// exchange copies what comes up to the end of the line, as it comes.
func (c *child) exchange(message string, toStdout bool) error {
	if err := c.notify(message); err != nil {
		return err
	}
	for {
		if _, err := c.out.Peek(1); err != nil {
			return err
		}
		part, _ := c.out.Peek(c.out.Buffered())
		end := bytes.IndexByte(part, '\n')
		if end >= 0 {
			part = part[:end+1]
		}
		if toStdout {
			if _, err := os.Stdout.Write(part); err != nil {
				return err
			}
		}
		if _, err := c.out.Discard(len(part)); err != nil || end >= 0 {
			return err
		}
	}
}

func (c *child) close() error {
	if err := c.in.Close(); err != nil {
		return err
	}
	return c.cmd.Wait()
}
