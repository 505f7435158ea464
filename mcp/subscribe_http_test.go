package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/mcptest"
	"mcpq/mcp/transport"
)

// wireLog is what a scripted server records.
type wireLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *wireLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(p))
	return len(p), nil
}

// steps names the requests: the verb, or the method of a POST, and the last
// event id with it.
func (l *wireLog) steps() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var steps []string
	for _, line := range l.lines {
		step, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, rest, ok := strings.Cut(line, `"method":"`); ok {
			step, _, _ = strings.Cut(rest, `"`)
		}
		if _, rest, ok := strings.Cut(line, "Last-Event-Id: "); ok {
			id, _, _ := strings.Cut(rest, " ")
			step += " after " + id
		}
		if step != "gone" {
			steps = append(steps, step)
		}
	}
	return steps
}

const (
	statefulScript = `
era stateful
capabilities {"tools":{"listChanged":true},"resources":{"subscribe":true}}
on resources/subscribe
	result {}
on resources/unsubscribe
	result {}
`
	statelessScript = `
era stateless
capabilities {"tools":{"listChanged":true},"resources":{"subscribe":true}}
`
	listens = `	sse
	notify notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{"toolsListChanged":true}}
	notify notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"n":$N}
`
)

// Over HTTP a stream that breaks is taken up again, in the way of the era.
func TestWatchHTTP(t *testing.T) {
	both := Subscription{Tools: true, URIs: []string{"a://b"}}
	opened := []string{"server/discover", "initialize", "notifications/initialized"}
	for _, tt := range []struct {
		name   string
		script string
		want   Subscription
		count  int
		told   []string
		result string // the type of the error
		steps  []string
	}{
		{
			name: "resumed by event id",
			script: statefulScript + `
on GET #1
	sse
	retry 1
	event-id e1
	notify notifications/tools/list_changed {"n":1}
	wait 200ms
	end
on GET #2
	sse
	event-id e2
	notify notifications/tools/list_changed {"n":2}
	hang
`,
			want: both, count: 2,
			told:   []string{`notifications/tools/list_changed {"n":1}`, `notifications/tools/list_changed {"n":2}`},
			result: "*errors.errorString",
			steps:  append(opened, "GET", "resources/subscribe", "GET after e1", "resources/unsubscribe", "DELETE"),
		},
		{
			name: "opened again without an event id",
			script: statefulScript + `
on GET #1
	sse
	retry 1
	notify notifications/tools/list_changed {"n":1}
	wait 200ms
	abort
on GET #2
	sse
	comment open
	wait 100ms
	notify notifications/tools/list_changed {"n":2}
	hang
`,
			want: both, count: 2,
			told:   []string{`notifications/tools/list_changed {"n":1}`, "opened, again: true", `notifications/tools/list_changed {"n":2}`},
			result: "*errors.errorString",
			steps:  append(opened, "GET", "resources/subscribe", "GET", "resources/unsubscribe", "DELETE"),
		},
		{
			name: "the session is lost",
			script: statefulScript + `
on GET #1
	sse
	retry 1
	comment open
	wait 200ms
	lose-sessions
	end
on GET #2
	status 404
on GET #3
	sse
	comment open
	wait 200ms
	notify notifications/tools/list_changed {"n":3}
	hang
`,
			want: both, count: 1,
			told:   []string{"opened, again: true", `notifications/tools/list_changed {"n":3}`},
			result: "*errors.errorString",
			steps:  append(opened, "GET", "resources/subscribe", "GET", "initialize", "notifications/initialized", "GET", "resources/subscribe", "resources/unsubscribe", "DELETE"),
		},
		{
			name:   "no stream",
			script: statefulScript,
			want:   both,
			result: "*mcp.SubscriptionError",
			steps:  append(opened, "GET", "DELETE"),
		},
		{
			name: "no such address",
			script: statefulScript + `
session none
on GET
	status 404
`,
			want:   both,
			result: "*mcp.SubscriptionError",
			steps:  append(opened, "GET"),
		},
		{
			name: "no such address, told in the words for a lost session",
			script: statefulScript + `
on GET
	status 404
`,
			want:   both,
			result: "*mcp.SubscriptionError",
			steps:  append(opened, "GET", "initialize", "notifications/initialized", "GET"),
		},
		{
			name: "a stream that is a page",
			script: statefulScript + `
on GET
	body text/html <html>
`,
			want:   both,
			result: "*transport.ContentError",
			steps:  append(opened, "GET", "DELETE"),
		},
		{
			name: "a refusal",
			script: statefulScript + `
on GET
	status 403
`,
			want:   both,
			result: "*transport.AuthError",
			steps:  append(opened, "GET", "DELETE"),
		},
		{
			name: "listens again",
			script: statelessScript + "on subscriptions/listen #1\n" + listens + "\tend\non subscriptions/listen #2\n\tstatus 503\non subscriptions/listen #3-\n" + `	sse
	notify notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{"toolsListChanged":true}}
	notify notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"n":3}
	hang
`,
			want: Subscription{Tools: true}, count: 2,
			told:   []string{`notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":2},"n":1}`, "opened, again: true", `notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":4},"n":3}`},
			result: "*errors.errorString",
			steps:  []string{"server/discover", "subscriptions/listen", "subscriptions/listen", "subscriptions/listen"},
		},
		{
			name:   "a good end",
			script: statelessScript + "on subscriptions/listen\n" + listens + "\tresult {\"resultType\":\"complete\"}\n",
			want:   Subscription{Tools: true},
			told:   []string{`notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":2},"n":1}`},
			result: "<nil>",
			steps:  []string{"server/discover", "subscriptions/listen"},
		},
		{
			name:   "unknown in the stateless era",
			script: statelessScript,
			want:   Subscription{Tools: true},
			result: "*mcp.RPCError",
			steps:  []string{"server/discover", "subscriptions/listen"},
		},
		{
			name:   "broken before it began",
			script: statelessScript + "on subscriptions/listen\n\tsse\n\tcomment hm\n\tabort\n",
			want:   Subscription{Tools: true},
			result: "*transport.BrokenError",
			steps:  []string{"server/discover", "subscriptions/listen"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			log := &wireLog{}
			s := httptest.NewServer(mcptest.Handler(mcptest.MustParse(tt.script).RecordTo(log)))
			t.Cleanup(s.Close)
			c, err := Connect(context.Background(), transport.HTTP{URL: s.URL + "/mcp"}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			err = c.Watch(context.Background(), tt.want, watchedBy(func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }, tt.count))
			if got := fmt.Sprintf("%T", err); got != tt.result {
				t.Errorf("result %s %v, want %s", got, err, tt.result)
			}
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
			// What comes while the subscription is made may be told ahead of it.
			stood := slices.Index(told, "opened, again: false")
			if stood >= 0 {
				told = slices.Delete(told, stood, stood+1)
			}
			if want := len(tt.told) > 0; want != (stood >= 0) {
				t.Errorf("opened: %v", !want)
			}
			if diff := cmp.Diff(tt.told, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.steps, log.steps()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// inProcess makes HTTP requests of a handler without a network.
type inProcess struct{ http.Handler }

func (h inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

// A server that does not come back is not waited for without end.
func TestWatchGivesUp(t *testing.T) {
	const script = statelessScript + "on subscriptions/listen #1\n" + listens + "\tend\non subscriptions/listen\n\tstatus 502\n"
	synctest.Test(t, func(t *testing.T) {
		server := inProcess{mcptest.Handler(mcptest.MustParse(script))}
		c, err := Connect(context.Background(), transport.HTTP{URL: "http://server/mcp", RoundTripper: server}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err = c.Watch(context.Background(), Subscription{Tools: true}, Watcher{Notified: func(Notification) error { return nil }})
		var gaveUp *WatchError
		var status *transport.HTTPError
		if !errors.As(err, &gaveUp) || !errors.As(err, &status) || status.Status != http.StatusBadGateway {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took < 5*time.Second || took > 20*time.Second {
			t.Errorf("gave up after %s", took)
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// The stream of a session goes to one watch; in the stateless era each has its
// own.
func TestWatchTwice(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		t.Run(version, func(t *testing.T) {
			s := demoServer(t)
			c, err := Connect(context.Background(), dialHTTP(t, s), Options{Version: version})
			if err != nil {
				t.Fatal(err)
			}
			want := Subscription{URIs: []string{"demo://config"}}
			first := Watcher{Opened: func(bool) error {
				err := c.Watch(context.Background(), want, Watcher{
					Opened: func(bool) error { return errEnough },
				})
				var refused *SubscriptionError
				if version != Version20260728 && !errors.As(err, &refused) || version == Version20260728 && err != errEnough {
					t.Errorf("second watch: %v", err)
				}
				_, err = c.CallTool(context.Background(), &Call{Name: "touch"})
				return err
			}, Notified: func(Notification) error { return errEnough }}
			if err := c.Watch(context.Background(), want, first); err != errEnough {
				t.Errorf("first watch: %v", err)
			}
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}
