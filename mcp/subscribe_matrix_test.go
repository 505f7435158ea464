package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/transport"
)

// watchedBy is a Watcher that writes down what it is told and ends the watch
// after a number of notifications; 0 is never.
func watchedBy(tell func(format string, args ...any), count int) Watcher {
	return Watcher{
		Notified: func(n Notification) error {
			tell("%s %s", n.Method, n.Params)
			if count--; count == 0 {
				return errEnough
			}
			return nil
		},
		Opened:  func(again bool) error { tell("opened, again: %v", again); return nil },
		Dropped: func(what []string) error { tell("dropped: %s", strings.Join(what, ", ")); return nil },
	}
}

// A subscription is heard from its first moment on, over every transport and in
// every version.
func TestWatchMatrix(t *testing.T) {
	for name, dial := range map[string]func(*testing.T, *matrixServer) transport.Dialer{"stdio": dialStream, "http": dialHTTP} {
		for _, version := range Versions() {
			t.Run(name+"/"+version, func(t *testing.T) {
				s := demoServer(t)
				var wire recorder
				c, err := Connect(context.Background(), dial(t, s), Options{
					Version: version,
					Client:  Implementation{Name: "test", Version: "1"},
					Trace:   wire.event,
				})
				if err != nil {
					t.Fatal(err)
				}
				var told []string
				on := watchedBy(func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }, 2)
				touch := func() error {
					_, err := c.CallTool(context.Background(), &Call{Name: "touch"})
					return err
				}
				notified := on.Notified
				on.Notified = func(n Notification) error {
					if err := notified(n); err != nil {
						return err
					}
					return touch()
				}
				on.Opened = func(bool) error { return touch() }
				err = c.Watch(context.Background(), Subscription{URIs: []string{"demo://config"}}, on)
				if err != errEnough {
					t.Errorf("got %v", err)
				}
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
				if len(told) != 2 || !strings.Contains(told[1], `notifications/resources/updated`) || !strings.Contains(told[1], `"uri":"demo://config"`) {
					t.Errorf("told %q", told)
				}
				for _, want := range map[string][]string{
					Stateful:  {`"method":"resources/subscribe"`, `"method":"resources/unsubscribe"`},
					Stateless: {`"method":"subscriptions/listen"`},
				}[c.Info().Era] {
					if n := strings.Count(wire.lines.String(), want); n != 1 {
						t.Errorf("%d times %s", n, want)
					}
				}
				checkWire(t, version, wire.lines.String())
			})
		}
	}
}

func TestListChanges(t *testing.T) {
	info := ServerInfo{Capabilities: json.RawMessage(`{"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{}}`)}
	if diff := cmp.Diff(Subscription{Tools: true}, info.ListChanges()); diff != "" {
		t.Error(diff)
	}
}
