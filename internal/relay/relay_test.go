package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcpq/internal/demo"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/mcptest"
	"mcpq/mcp/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serverFunc speaks for a server on a pair of pipes.
type serverFunc func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error

func theDemo(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return demo.New(demo.Options{}).ServeStream(ctx, in, out)
}

// scripted is a server that does what a script says; what it was sent is in the
// record.
func scripted(script string) (serverFunc, *record) {
	rec := new(record)
	s := mcptest.MustParse(script).RecordTo(rec)
	return func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
		return mcptest.Serve(ctx, s, in, out, io.Discard)
	}, rec
}

type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) count(part string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.text.String(), part)
}

// until waits for what other goroutines do.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); {
		if time.Now().After(deadline) {
			t.Fatal("no " + what)
		}
		<-time.After(time.Millisecond)
	}
}

// held is a relay with a server, and where its clients connect.
type held struct {
	relay  *Relay
	server *mcp.Client
	addr   net.Addr
	ended  chan error
	left   chan int
}

func hold(t *testing.T, version string, serve serverFunc) *held {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = outW.CloseWithError(serve(ctx, inR, outW))
	}()
	h := &held{relay: New(), ended: make(chan error, 1), left: make(chan int, 16)}
	h.relay.Left = func(n int) { h.left <- n }
	dialer := transport.Stream{Stream: jsonrpc.NewStream(outR, inW, func() error {
		_ = inW.Close()
		return outR.Close()
	})}
	var err error
	h.server, err = mcp.Connect(ctx, dialer, mcp.Options{Version: version, Handlers: mcp.Handlers{Notification: h.relay.Notification}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.addr = listener.Addr()
	go func() { h.ended <- h.relay.Serve(ctx, h.server, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-h.ended; err != nil {
			t.Error(err)
		}
		_ = h.server.Close(context.Background())
		_ = inR.Close()
		<-done
	})
	return h
}

// client opens a session through the relay.
func (h *held) client(t *testing.T, o mcp.Options) *mcp.Client {
	t.Helper()
	c, err := mcp.Connect(context.Background(), transport.Socket{Network: "tcp", Address: h.addr.String()}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

func call(ctx context.Context, c *mcp.Client, name, arguments string) (string, error) {
	res, err := c.CallTool(ctx, &mcp.Call{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "", err
	}
	return string(res.Member("content")), nil
}

// Many clients at once get each their own answers and progress, in both eras.
func TestManyClients(t *testing.T) {
	for _, version := range []string{mcp.LatestStateless, mcp.LatestStateful, mcp.Version20241105} {
		t.Run(version, func(t *testing.T) {
			h := hold(t, version, theDemo)
			var all sync.WaitGroup
			for i := range 8 {
				var mu sync.Mutex
				steps := 0
				c := h.client(t, mcp.Options{Handlers: mcp.Handlers{Progress: func(mcp.Progress) {
					mu.Lock()
					defer mu.Unlock()
					steps++
				}}})
				if got := c.Info().ProtocolVersion; got != version {
					t.Errorf("the session is of %s", got)
				}
				all.Go(func() {
					n := i + 2
					if _, err := call(context.Background(), c, "slow", fmt.Sprintf(`{"seconds":0.05,"steps":%d}`, n)); err != nil {
						t.Error(err)
					}
					mu.Lock()
					if steps != n {
						t.Errorf("told of %d steps of %d", steps, n)
					}
					mu.Unlock()
					got, err := call(context.Background(), c, "add", fmt.Sprintf(`{"a":%d,"b":100}`, i))
					if want := fmt.Sprintf(`{\"sum\":%d}`, 100+i); err != nil || !strings.Contains(got, want) {
						t.Errorf("got %s, %v, want %s", got, err, want)
					}
				})
			}
			all.Wait()
		})
	}
}

// What one client subscribes to is not told to another.
func TestSubscriptions(t *testing.T) {
	for _, version := range []string{mcp.LatestStateless, mcp.LatestStateful} {
		t.Run(version, func(t *testing.T) {
			h := hold(t, version, theDemo)
			quiet := h.client(t, mcp.Options{Handlers: mcp.Handlers{Notification: func(method string, _ json.RawMessage) {
				if method == "notifications/resources/updated" {
					t.Error("told to a client that has not asked")
				}
			}}})
			for range 2 {
				c := h.client(t, mcp.Options{})
				over := errors.New("over")
				err := c.Watch(context.Background(), mcp.Subscription{URIs: []string{"demo://config"}}, mcp.Watcher{
					Opened: func(bool) error {
						_, err := call(context.Background(), quiet, "touch", `{"language":"de"}`)
						return err
					},
					Notified: func(n mcp.Notification) error {
						if n.Method == "notifications/resources/updated" {
							return over
						}
						return nil
					},
				})
				if !errors.Is(err, over) {
					t.Fatal(err)
				}
			}
		})
	}
}

// A subscription of the session ends with the last client that has it.
func TestSubscribedTogether(t *testing.T) {
	serve, rec := scripted("era stateful\ncapabilities {\"resources\":{\"subscribe\":true}}\non resources/subscribe\n\tresult {}\non resources/unsubscribe\n\tresult {}\n")
	h := hold(t, mcp.LatestStateful, serve)
	a, b := h.client(t, mcp.Options{}), h.client(t, mcp.Options{})
	ask := func(c *mcp.Client, method string) {
		t.Helper()
		if _, err := c.Do(context.Background(), &mcp.Request{Method: method, Params: json.RawMessage(`{"uri":"a:1"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	ask(a, "resources/subscribe")
	ask(b, "resources/subscribe")
	ask(a, "resources/unsubscribe")
	if n := rec.count("resources/unsubscribe"); n != 0 {
		t.Errorf("unsubscribed %d times while one client was left", n)
	}
	if err := b.Close(context.Background()); err != nil {
		t.Error(err)
	}
	until(t, "end of the subscription", func() bool { return rec.count("resources/unsubscribe") == 1 })
}

// A client that asks again for what it has, and is refused, still has it.
func TestSubscribedAgain(t *testing.T) {
	serve, rec := scripted("era stateful\ncapabilities {\"resources\":{\"subscribe\":true}}\non resources/subscribe #1\n\tresult {}\non resources/subscribe\n\terror -32000 no more\non resources/unsubscribe\n\tresult {}\n")
	h := hold(t, mcp.LatestStateful, serve)
	c := h.client(t, mcp.Options{})
	for _, want := range []bool{true, false} {
		_, err := c.Do(context.Background(), &mcp.Request{Method: "resources/subscribe", Params: json.RawMessage(`{"uri":"a:1"}`)})
		if (err == nil) != want {
			t.Fatalf("error %v", err)
		}
	}
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	until(t, "end of the subscription", func() bool { return rec.count("resources/unsubscribe") == 1 })
}

// What a client cancels, or leaves behind, is cancelled at the server.
func TestCancelled(t *testing.T) {
	serve, rec := scripted("era both\ntool wait\non tools/call wait\n\thang\n")
	h := hold(t, "", serve)
	c := h.client(t, mcp.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan error, 2)
	go func() { _, err := call(ctx, c, "wait", "{}"); begun <- err }()
	until(t, "call", func() bool { return rec.count("tools/call") == 1 })
	cancel()
	<-begun
	until(t, "cancellation", func() bool { return rec.count("notifications/cancelled") == 1 })

	go func() { _, err := call(context.Background(), c, "wait", "{}"); begun <- err }()
	until(t, "second call", func() bool { return rec.count("tools/call") == 2 })
	_ = c.Close(context.Background())
	<-begun
	until(t, "cancellation of what was left behind", func() bool { return rec.count("notifications/cancelled") == 2 })
}

// When the server ends, so do the connections of those who wait, and who holds it
// is told.
func TestServerEnds(t *testing.T) {
	serve, _ := scripted("era both\ntool die\non tools/call die\n\texit 3\n")
	h := hold(t, "", serve)
	c := h.client(t, mcp.Options{})
	var closed *jsonrpc.ClosedError
	if _, err := call(context.Background(), c, "die", "{}"); !errors.As(err, &closed) {
		t.Errorf("the call ended with %v", err)
	}
	if err := h.server.Wait(context.Background()); !errors.As(err, &closed) {
		t.Errorf("the hold ended with %v", err)
	}
}

// A client that reads nothing is given up; the others notice nothing of it.
func TestUnread(t *testing.T) {
	serve, _ := scripted(fmt.Sprintf("era stateful\ntool flood\non tools/call flood\n\ttimes %d notify notifications/message {\"level\":\"info\",\"data\":\"%s\"}\n\tresult {\"content\":[]}\n",
		2*maxUnread, strings.Repeat("x", 4096)))
	h := hold(t, mcp.LatestStateful, serve)
	deaf, err := new(net.Dialer).DialContext(context.Background(), "tcp", h.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close() //nolint:errcheck // it is dropped at the other end
	c := h.client(t, mcp.Options{})
	if _, err := call(context.Background(), c, "flood", "{}"); err != nil {
		t.Error(err)
	}
	<-h.left
}

// Two eras never meet on one session.
func TestOtherEra(t *testing.T) {
	for _, held := range []string{mcp.LatestStateless, mcp.LatestStateful} {
		other := mcp.LatestStateful
		if held == other {
			other = mcp.LatestStateless
		}
		h := hold(t, held, theDemo)
		_, err := mcp.Connect(context.Background(), transport.Socket{Network: "tcp", Address: h.addr.String()}, mcp.Options{Version: other})
		if err == nil || !strings.Contains(err.Error(), held) && !errors.As(err, new(*mcp.VersionError)) {
			t.Errorf("%s on a session of %s: %v", other, held, err)
		}
	}
}
