package mcptest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"
)

// lifetime bounds a server or child that a failed test has left behind.
const lifetime = 5 * time.Minute

// Main is the command mcptest-server; its arguments are those of the process. It
// returns the exit code.
func Main() int {
	if len(os.Args) == 4 && os.Args[1] == childFlag {
		return child(os.Args[2], os.Args[3])
	}
	flags := flag.NewFlagSet("mcptest-server", flag.ContinueOnError)
	addr := flags.String("http", "", "serve HTTP on this `address` instead of stdio")
	addrFile := flags.String("addr-file", "", "write the URL into this `file` once listening")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return 2
	}
	script, err := Parse("")
	if flags.NArg() > 0 {
		script, err = ParseFile(flags.Arg(0))
	}
	if err == nil && script.pidFile != "" {
		err = writeWhole(script.pidFile, strconv.Itoa(os.Getpid())+"\n")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptest-server:", err)
		return 2
	}
	p := &ownProcess{
		exits:    make(chan int, 1),
		signals:  make(chan os.Signal, 8),
		overHTTP: *addr != "",
	}
	// Before anything is answered: who has an answer may send a signal.
	signal.Notify(p.signals, watchedSignals()...)
	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	defer cancel()
	done := make(chan error, 1)
	if *addr != "" {
		go func() { done <- serveHTTP(ctx, script, p, *addr, *addrFile) }()
	} else {
		go func() { done <- serve(ctx, script, os.Stdin, p) }()
	}
	return p.wait(script, done)
}

// wait returns the code to exit with: the script's, a signal's, or that of a
// normal end. It does not wait for a read of stdin that nothing can interrupt.
func (p *ownProcess) wait(script *Script, done <-chan error) int {
	rec, err := newRecorder(script)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptest-server:", err)
		return 2
	}
	defer rec.close()
	for {
		select {
		case code := <-p.exits:
			return code
		case sig := <-p.signals:
			rec.line("signal " + sig.String())
			if code, ignored := signalCode(script, sig); !ignored {
				return code
			}
		case err := <-done:
			if exit, ok := errors.AsType[*ExitError](err); ok {
				return exit.Code
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "mcptest-server:", err)
				return 1
			}
			return 0
		}
	}
}

func serveHTTP(ctx context.Context, script *Script, p process, addr, addrFile string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	url := "http://" + l.Addr().String() + endpointPath
	if addrFile == "" {
		fmt.Fprintln(os.Stderr, url)
	} else if err := writeWhole(addrFile, url+"\n"); err != nil {
		return err
	}
	server := &http.Server{Handler: handler(script, p), ReadHeaderTimeout: lifetime}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	return server.Serve(l)
}

// writeWhole writes a file that a reader sees complete or not at all.
func writeWhole(name, text string) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), name)
}
