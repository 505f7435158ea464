package commands

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/relay"
	"mcpq/mcp"
)

// A listener that fails ends the hold.
func TestHoldEndsWithListener(t *testing.T) {
	ctx := context.Background()
	r := &runner{env: &Env{}, grammar: new(grammar)}
	shared := relay.New()
	server, err := mcp.Connect(ctx, r.demo(), mcp.Options{Handlers: mcp.Handlers{Notification: shared.Notification}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close(ctx) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	ended := make(chan error, 1)
	go func() { ended <- new(HoldCmd).serve(ctx, r, shared, server, listener) }()
	select {
	case err := <-ended:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("error %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for ever")
	}
}

// A socket that could not be tried, because the run is over, may be in use.
func TestListenLeavesSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sockets on a path")
	}
	dir, err := os.MkdirTemp("", "mcpq") // that of the test may be too long a path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	used, err := new(net.ListenConfig).Listen(context.Background(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = used.Close() }()
	over, stop := context.WithCancel(context.Background())
	stop()
	if l, err := listen(over, &servers.Target{Kind: servers.Socket, Network: "unix", Address: path}); err == nil {
		_ = l.Close()
		t.Error("it listens")
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the socket was taken away: %v", err)
	}
	_ = conn.Close()
}
