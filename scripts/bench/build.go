package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// programs are the binaries of a benchmark.
type programs struct {
	mcpq, floor, pipeline, empty, stdioPeer, httpPeer, sdkServer string
}

// build compiles them into dir, all in the same way.
func build(ctx context.Context, dir, mcpq string) (*programs, error) {
	p := &programs{mcpq: mcpq}
	wanted := []struct {
		to  *string
		pkg string
	}{
		{&p.mcpq, "mcpq"},
		{&p.floor, "mcpq/scripts/bench/floor"},
		{&p.pipeline, "mcpq/scripts/bench/pipeline"},
		{&p.empty, "mcpq/scripts/bench/empty"},
		{&p.stdioPeer, "mcpq/scripts/bench/stdiopeer"},
		{&p.httpPeer, "mcpq/scripts/bench/httppeer"},
		{&p.sdkServer, "github.com/modelcontextprotocol/go-sdk/examples/server/everything"},
	}
	for _, w := range wanted {
		program := filepath.Join(dir, filepath.Base(w.pkg))
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		linked := *w.to
		if linked == "" {
			linked = program + ".linked"
			cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, w.pkg)
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			cmd.Stderr = os.Stderr
			if err := cmd.Run(); err != nil {
				return nil, fmt.Errorf("building %s: %w", w.pkg, err)
			}
		}
		if err := copyProgram(program, linked); err != nil {
			return nil, err
		}
		*w.to = program
	}
	return p, nil
}

// copyProgram makes the program that is run. What a linker has just written lies
// in the memory of the system in pages put down one by one, and is slower to
// start, the more so the larger it is, than a file written or read from end to
// end, which users run.
func copyProgram(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// startHTTPPeer returns the address of a server that lives until end is called.
func startHTTPPeer(ctx context.Context, program string) (address string, end func(), err error) {
	cmd := exec.CommandContext(ctx, program)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		end()
		return "", nil, fmt.Errorf("the HTTP server did not start: %w", err)
	}
	return strings.TrimSpace(line), end, nil
}
