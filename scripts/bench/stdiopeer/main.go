// Stdiopeer is the server of the benchmark on stdio. It links no HTTP, so that its
// own start does not hide the client's.
package main

import (
	"bufio"
	"fmt"
	"os"

	"mcpq/scripts/bench/answers"
)

func main() {
	long := len(os.Args) > 1 && os.Args[1] == "long"
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		wrote, err := answers.Write(out, line, long)
		if err == nil && wrote {
			err = out.WriteByte('\n')
		}
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "stdiopeer:", err)
			os.Exit(1)
		}
	}
}
