package mcp

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"mcpq/mcp/transport"
)

// lockedBuffer takes what a process writes while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) starts() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), "started")
}

func shyCommand(t *testing.T, stderr *lockedBuffer) transport.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return transport.Command{Args: []string{self}, Env: append(os.Environ(), asServer+"=shy"), Stderr: stderr}
}

// A server process that ends at the probe gets a second start without it.
func TestRestartAfterProbe(t *testing.T) {
	var stderr lockedBuffer
	command := shyCommand(t, &stderr)
	for _, d := range []transport.Dialer{command, &command} {
		c, err := Connect(context.Background(), d, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Ping(context.Background()); err != nil {
			t.Error(err)
		}
		if got := c.Info().ProtocolVersion; got != Version20250618 {
			t.Errorf("version %s", got)
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if n := stderr.starts(); n != 4 {
		t.Errorf("%d starts for 2 sessions, want 4", n)
	}
}

// With the version pinned to the other era there is no second way to try.
func TestNoRestartWhenPinned(t *testing.T) {
	var stderr lockedBuffer
	_, err := Connect(context.Background(), shyCommand(t, &stderr), Options{Version: Version20260728})
	var failed *HandshakeError
	var exit *transport.ExitError
	if !errors.As(err, &failed) || failed.Method != methodDiscover || !errors.As(err, &exit) {
		t.Errorf("got %v", err)
	}
	if n := stderr.starts(); n != 1 {
		t.Errorf("%d starts, want 1", n)
	}
}
