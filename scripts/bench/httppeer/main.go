// Httppeer is the server of the benchmark over HTTP: its address is its first line
// on stdout, and it ends with its stdin. The path /long has the long list.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"mcpq/scripts/bench/answers"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(l, http.HandlerFunc(serve)))
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if r.Method != http.MethodPost || err != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	out := bufio.NewWriterSize(w, 64<<10)
	wrote, err := answers.Write(out, body, r.URL.Path == "/long")
	switch {
	case err != nil:
		log.Print(err)
	case !wrote:
		w.WriteHeader(http.StatusAccepted)
	default:
		if err := out.Flush(); err != nil {
			log.Print(err)
		}
	}
}
