//go:build unix

package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	osSignal "os/signal"
	"syscall"
	"time"

	"mcpq/mcp/jsonrpc"
)

// roleVariable makes a process of this test binary play a part.
const roleVariable = "TRANSPORT_TEST_ROLE"

// holdVariable names a fifo that a process holds open for writing while it
// lives.
const holdVariable = "TRANSPORT_TEST_HOLD"

// as is the command of a process with a role, and fifo what it holds.
func as(role, fifo string) Command {
	return Command{
		Args: []string{os.Args[0]},
		// The race detector would make every process end a second late.
		Env: append(os.Environ(), roleVariable+"="+role, holdVariable+"="+fifo, "GORACE=atexit_sleep_ms=0"),
	}
}

func play(role string) {
	if fifo := os.Getenv(holdVariable); fifo != "" {
		f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		defer func() { _ = f.Close() }()
	}
	stdio := func() { echo(jsonrpc.NewStream(os.Stdin, os.Stdout, os.Stdin.Close)) }
	switch role {
	case "echo":
		stdio()
	case "stays": // at the end of its input
		stdio()
		forever()
	case "stubborn": // does not even mind SIGTERM
		osSignal.Ignore(syscall.SIGTERM)
		stdio()
		forever()
	case "deaf": // reads nothing
		forever()
	case "moved": // to a group of its own, and stubborn
		if err := syscall.Setpgid(0, syscall.Getppid()); err != nil {
			_ = syscall.Setpgid(0, 0)
		}
		osSignal.Ignore(syscall.SIGTERM)
		stdio()
		forever()
	case "parent": // leaves a stubborn child that holds its pipes
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), roleVariable+"=child")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		stdio()
	case "child":
		osSignal.Ignore(syscall.SIGTERM)
		forever()
	case "reader": // ends at the end of its input only
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "driver": // a client that never closes its connection
		c, err := as("family", os.Getenv(holdVariable)).Dial(context.Background(), Peer{})
		if err == nil {
			_, err = call(context.Background(), c, Outgoing{})
		}
		fmt.Println("ready", err)
		forever()
	case "family": // a stubborn server with a child that reads its own input
		osSignal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), roleVariable+"=reader")
		if _, err := child.StdinPipe(); err != nil {
			panic(err)
		}
		if err := child.Start(); err != nil {
			panic(err)
		}
		stdio()
		forever()
	case "mute": // closes its output and lives on
		_ = os.Stdout.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "dies":
		_, _ = os.Stdin.Read(make([]byte, 1))
		fmt.Fprint(os.Stdout, `{"jsonrpc":"2.0","id":1,"res`)
		fmt.Fprint(os.Stderr, "one\ntwo\nno money left")
		os.Exit(9)
	case "chatty": // floods its stderr before it answers
		_, _ = os.Stderr.Write(bytes.Repeat([]byte("log\n"), 1<<20))
		stdio()
	case "huge":
		_, _ = os.Stdin.Read(make([]byte, 1))
		writeHuge(os.Stdout, 1)
		fmt.Println()
		_, _ = io.Copy(io.Discard, os.Stdin)
	default:
		panic("no role " + role)
	}
}

// forever waits for nothing. A select without cases would be a deadlock to the
// runtime of a program that is built without cgo.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}
