// Pipeline is the floor of many calls over one session: it starts a server,
// writes all requests without waiting for an answer, and copies the answers to
// stdout as they arrive.
//
//	pipeline COUNT -- CMD ARG…
//
// The requests are those that mcpq sends for the benchmark's operations.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pipeline:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 || args[1] != "--" {
		return errors.New("usage: see the package comment")
	}
	count, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	answers := bufio.NewReaderSize(out, 64<<10)
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pipeline","version":"1"}}}`+"\n"); err != nil {
		return err
	}
	if _, err := answers.ReadSlice('\n'); err != nil {
		return err
	}
	wrote := make(chan error, 1)
	go func() { wrote <- requests(in, count) }()
	if err := copyLines(os.Stdout, answers, count); err != nil {
		return err
	}
	if err := errors.Join(<-wrote, in.Close()); err != nil {
		return err
	}
	return cmd.Wait()
}

func requests(in io.Writer, count int) error {
	w := bufio.NewWriterSize(in, 64<<10)
	if _, err := w.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"); err != nil {
		return err
	}
	for i := 1; i <= count; i++ {
		_, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"text","arguments":{"bytes":10},"_meta":{"progressToken":%d}}}`+"\n", i, i)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// copyLines copies what comes, up to the end of a number of lines.
func copyLines(w io.Writer, r *bufio.Reader, lines int) error {
	for lines > 0 {
		if _, err := r.Peek(1); err != nil {
			return err
		}
		part, _ := r.Peek(r.Buffered())
		lines -= bytes.Count(part, []byte("\n"))
		if _, err := w.Write(part); err != nil {
			return err
		}
		if _, err := r.Discard(len(part)); err != nil {
			return err
		}
	}
	return nil
}
