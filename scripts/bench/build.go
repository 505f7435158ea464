package main

import (
	"bufio"
	"context"
	"fmt"
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
		if *w.to != "" {
			continue
		}
		*w.to = filepath.Join(dir, filepath.Base(w.pkg))
		if runtime.GOOS == "windows" {
			*w.to += ".exe"
		}
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", *w.to, w.pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("building %s: %w", w.pkg, err)
		}
	}
	return p, nil
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
