package commands

import (
	"context"
	"net"
)

// listenPrivately makes a socket; who may connect is a matter of the folder.
func listenPrivately(ctx context.Context, config *net.ListenConfig, path string) (net.Listener, error) {
	return config.Listen(ctx, "unix", path)
}
