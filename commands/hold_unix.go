//go:build unix

package commands

import (
	"context"
	"net"
	"syscall"
)

// listenPrivately makes a socket that others cannot connect to, from its first
// moment on.
func listenPrivately(ctx context.Context, config *net.ListenConfig, path string) (net.Listener, error) {
	const others = 0o077
	old := syscall.Umask(others)
	defer syscall.Umask(old)
	return config.Listen(ctx, "unix", path)
}
