package transport

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"mcpq/mcp/jsonrpc"
)

// echo answers every request with its params, until the connection ends.
func echo(s jsonrpc.Stream) {
	m := jsonrpc.NewMux(s, jsonrpc.Handler{
		Request: func(_ context.Context, m *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) { return m.Params, nil },
	}, 0)
	<-m.Done()
	_ = m.Close()
}

func TestSocket(t *testing.T) {
	for network, address := range map[string]string{
		"unix": filepath.Join(t.TempDir(), "s"),
		"tcp":  "127.0.0.1:0",
	} {
		for name, framing := range map[string]jsonrpc.Framing{"": nil, "length": jsonrpc.NewContentLengthStream} {
			t.Run(network+name, func(t *testing.T) {
				l, err := net.Listen(network, address)
				if err != nil {
					t.Fatal(err)
				}
				ended := make(chan bool)
				go func() {
					defer close(ended)
					if c, err := l.Accept(); err == nil {
						f := framing
						if f == nil {
							f = jsonrpc.NewStream
						}
						echo(f(c, c, c.Close))
					}
				}()
				c, err := Socket{Network: network, Address: l.Addr().String(), Framing: framing}.Dial(t.Context(), Peer{})
				if err != nil {
					t.Fatal(err)
				}
				if c.Name() != network {
					t.Errorf("its name is %s", c.Name())
				}
				if got, err := call(t.Context(), c, Outgoing{Params: []byte(`{"n":1.0}`)}); err != nil || got != `{"n":1.0}` {
					t.Errorf("got %s, %v", got, err)
				}
				if err := c.Close(t.Context()); err != nil {
					t.Error(err)
				}
				<-ended
				_ = l.Close()
			})
		}
	}
}

func TestSocketRefuses(t *testing.T) {
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	missing := filepath.Join(t.TempDir(), "missing")
	for _, tt := range []struct {
		ctx    context.Context
		socket Socket
		text   string
	}{
		{t.Context(), Socket{Network: "unix", Address: missing}, "unix socket " + missing + ": connect: no such file or directory"},
		{t.Context(), Socket{Network: "udp", Address: "127.0.0.1:1"}, "not a network for sockets"},
		{t.Context(), Socket{Network: "tcp", Address: "nonsense"}, "missing port"},
	} {
		_, err := tt.socket.Dial(tt.ctx, Peer{})
		var connect *ConnectError
		if !errors.As(err, &connect) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%v: error is %v", tt.socket, err)
		}
	}
	if _, err := (Socket{Network: "unix", Address: missing}).Dial(ended, Peer{}); err != errEnough {
		t.Errorf("with an ended context: %v", err)
	}
}

// An in-process pair is a connection like any other.
func TestStream(t *testing.T) {
	ar, aw := io.Pipe()
	br, bw := io.Pipe()
	done := make(chan bool)
	go func() {
		echo(jsonrpc.NewStream(ar, bw, func() error { return errors.Join(ar.Close(), bw.Close()) }))
		close(done)
	}()
	var traced int
	c := dial(t, Stream{Stream: jsonrpc.NewStream(br, aw, func() error { return errors.Join(br.Close(), aw.Close()) })},
		Peer{Trace: func(Event) { traced++ }})
	if got, err := call(t.Context(), c, Outgoing{Params: []byte(`[1]`)}); err != nil || got != "[1]" || c.Name() != "stream" {
		t.Errorf("%s: got %s, %v", c.Name(), got, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	if err := c.Listen(ctx); err != errEnough {
		t.Errorf("listening: %v", err)
	}
	if _, err := (Stream{}).Dial(ctx, Peer{}); err != errEnough {
		t.Errorf("dialled with an ended context: %v", err)
	}
	_ = c.Close(t.Context())
	var closed *jsonrpc.ClosedError
	if err := c.Listen(t.Context()); !errors.As(err, &closed) || traced != 2 {
		t.Errorf("listening then: %v; %d messages traced", err, traced)
	}
	<-done
}
