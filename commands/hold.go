package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/relay"
	"mcpq/mcp"
)

// HoldCmd keeps a server running and shares it among clients on a socket.
type HoldCmd struct {
	Listen string   `required:"" placeholder:"ADDRESS" help:"Where clients connect: unix:PATH or tcp:HOST:PORT."`
	Idle   Duration `placeholder:"TIME" help:"End when no client has been there for TIME."`
}

// errIdle ends a hold that nobody uses any more.
var errIdle = errors.New("no client for too long")

// Run serves clients until the server ends, a signal comes, or nobody does.
// Clients may connect from the beginning on: they wait for the server to be
// ready.
func (c *HoldCmd) Run(ctx context.Context, r *runner) error {
	address, err := servers.Resolve(nil, false, c.Listen, "")
	if err != nil || address.Kind != servers.Socket {
		return usagef("bad --listen %q: write unix:PATH or tcp:HOST:PORT", c.Listen)
	}
	target, err := r.prepare()
	if err != nil {
		return err
	}
	if target.Kind != servers.Command && target.Kind != servers.Demo {
		return usagef("only a server command needs to be held, %s does not", targetName(target))
	}
	listener, err := listen(ctx, address)
	if err != nil {
		return &UsageError{Err: fmt.Errorf("--listen: %w", err)}
	}
	defer listener.Close() //nolint:errcheck // Serve has closed it, or nobody has used it
	shared := relay.New()
	shared.Framing, shared.MaxMessage = r.grammar.framing(), int64(r.grammar.MaxBytes)
	r.notified = shared.Notification
	server, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	r.messages.Line(fmt.Sprintf("holding %s on %s:%s", r.target, address.Network, listener.Addr()))
	return c.serve(ctx, r, shared, server, listener)
}

// serve serves clients until one of the ends that Run has comes.
func (c *HoldCmd) serve(ctx context.Context, r *runner, shared *relay.Relay, server *mcp.Client, listener net.Listener) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	idle := newIdle(time.Duration(c.Idle), func() { stop(errIdle) })
	defer idle.end()
	shared.Came = func(n int) { r.tellClient("came", n); idle.came() }
	shared.Left = func(n int) { r.tellClient("left", n); idle.left() }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Wait(ctx); ctx.Err() == nil {
			stop(err)
		}
	}()
	if err := shared.Serve(ctx, server, listener); err != nil {
		stop(fmt.Errorf("--listen: %w", err))
	}
	<-ended
	if err := context.Cause(ctx); !errors.Is(err, errIdle) {
		return err
	}
	return nil
}

// tellClient says who comes and goes, if asked to.
func (r *runner) tellClient(what string, number int) {
	if r.grammar.Verbose > 0 {
		r.messages.Line(fmt.Sprintf("* client %d %s", number, what))
	}
}

// listen makes the socket. One on a path is for its owner alone; what a hold
// that is gone has left there is taken away.
func listen(ctx context.Context, address *servers.Target) (net.Listener, error) {
	config := new(net.ListenConfig)
	if address.Network != "unix" {
		return config.Listen(ctx, address.Network, address.Address)
	}
	if info, err := os.Lstat(address.Address); err == nil && info.Mode().Type() == fs.ModeSocket {
		conn, err := new(net.Dialer).DialContext(ctx, address.Network, address.Address)
		switch {
		case err == nil:
			_ = conn.Close()
			return nil, errors.New("somebody listens there already")
		case ctx.Err() != nil, errors.Is(err, fs.ErrPermission): // somebody may
			return nil, err
		}
		if err := os.Remove(address.Address); err != nil {
			return nil, err
		}
	}
	return listenPrivately(ctx, config, address.Address)
}
