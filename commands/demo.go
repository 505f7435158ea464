package commands

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"mcpq/internal/demo"
)

// DemoCmd runs the built-in server for other clients.
type DemoCmd struct {
	HTTP string `name:"http" placeholder:"ADDR" help:"Serve Streamable HTTP at http://ADDR/mcp instead of stdio; port 0 picks a free one."`
}

// Run serves until its input ends or a signal comes.
func (c *DemoCmd) Run(ctx context.Context, r *runner) error {
	server := demo.New(demo.Options{Version: r.env.Version})
	if c.HTTP == "" {
		return server.ServeStream(ctx, r.env.In, r.env.Out)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.HTTP)
	if err != nil {
		return &UsageError{Err: fmt.Errorf("--http: %w", err)}
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	const patience = 10 * time.Second // for a client to send its headers
	s := &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	r.messages.Line(fmt.Sprintf("serving http://%s/mcp", listener.Addr()))
	stop := context.AfterFunc(ctx, func() {
		_ = server.Close() // the standing streams end in good order
		_ = s.Close()
	})
	defer stop()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Cause(ctx)
}
