package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

var errEnough = errors.New("seen enough")

const (
	watchDiscovered = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true}},"ttlMs":0,"cacheScope":"private"}}`
	watchGreeted    = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}`
)

// watchScript is a watch against a server that is a transcript, see
// TestTranscripts.
type watchScript struct {
	name    string
	version string
	want    Subscription
	count   int           // notifications to wait for
	stop    time.Duration // after which the user ends it
	wire    string        // behind the handshake
	told    string
	result  string // the error of the watch
	sent    []string
	unsent  []string
}

func (w *watchScript) run(t *testing.T) {
	handshake := "> \n< " + watchDiscovered + "\n"
	if w.version != Version20260728 {
		handshake = "> \n< " + watchGreeted + "\n> \n"
	}
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	stream := jsonrpc.NewStream(clientIn, clientOut, func() error {
		return errors.Join(clientOut.Close(), clientIn.Close())
	})
	played := make(chan string, 1)
	go func() {
		got := playServer(handshake+w.wire, serverIn, serverOut)
		_ = serverOut.Close() // a pipe's Close cannot fail
		played <- got
	}()
	var told, logged strings.Builder // logs come from the connection's goroutine
	tell := func(format string, args ...any) { fmt.Fprintf(&told, format+"\n", args...) }
	c, err := Connect(context.Background(), transport.Stream{Label: "stdio", Stream: stream}, Options{
		Version: w.version,
		Client:  Implementation{Name: "test", Version: "1"},
		Handlers: Handlers{
			Log: func(m LogMessage) { fmt.Fprintf(&logged, "log %s\n", m.Data) },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := during(w.stop)
	defer done()
	err = c.Watch(ctx, w.want, watchedBy(tell, w.count))
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	_ = clientOut.Close() // a pipe's Close cannot fail
	wire := <-played
	if got := fmt.Sprint(err); got != w.result {
		t.Errorf("result %q, want %q", got, w.result)
	}
	if diff := cmp.Diff(strings.TrimLeft(w.told, "\n"), told.String()+logged.String()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	for _, want := range w.sent {
		if !strings.Contains(wire, want) {
			t.Errorf("not sent: %s\n%s", want, wire)
		}
	}
	for _, not := range w.unsent {
		if strings.Contains(wire, not) {
			t.Errorf("sent: %s\n%s", not, wire)
		}
	}
	checkWire(t, w.version, wire)
}

const (
	ack     = `< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":%s}}` + "\n"
	toolsIn = `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}` + "\n"
	told2   = `notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":2}}` + "\n"
)

func TestWatchStateless(t *testing.T) {
	acked := fmt.Sprintf(ack, `{"toolsListChanged":true}`)
	tools := fmt.Sprintf(toolsIn, "2")
	for _, w := range []watchScript{
		{
			name:   "a subscription",
			want:   Subscription{Tools: true, URIs: []string{"a://b"}},
			count:  2,
			wire:   "> \n" + fmt.Sprintf(ack, `{"toolsListChanged":true,"resourceSubscriptions":["a://b"]}`) + tools + `< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://b/c","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}` + "\n",
			told:   "opened, again: false\n" + told2 + `notifications/resources/updated {"uri":"a://b/c","_meta":{"io.modelcontextprotocol/subscriptionId":2}}` + "\n",
			result: "seen enough",
			sent: []string{`"params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a://b"]},"_meta":`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"the watch is over"}}`},
			unsent: []string{"progressToken"},
		},
		{
			name:   "a part is dropped",
			want:   Subscription{Tools: true, Prompts: true, URIs: []string{"a://b"}, TaskIDs: []string{"t1"}},
			count:  1,
			wire:   "> \n" + acked + tools,
			told:   "dropped: prompts, task t1, a://b\nopened, again: false\n" + told2,
			result: "seen enough",
		},
		{
			name:   "nothing is honoured",
			want:   Subscription{Tools: true},
			wire:   "> \n" + fmt.Sprintf(ack, `{"promptsListChanged":true}`),
			result: "cannot watch: the server agrees to nothing of what was asked for: tools",
			sent:   []string{`"notifications/cancelled"`},
		},
		{
			name:   "an acknowledgement of nothing in particular",
			want:   Subscription{Tools: true},
			wire:   "> \n" + `< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}` + "\n",
			result: "bad answer to subscriptions/listen: the acknowledgement does not say what it agrees to",
		},
		{
			name:  "what is of others",
			want:  Subscription{Tools: true},
			count: 1,
			wire: "> \n" + fmt.Sprintf(toolsIn, "3") + strings.ReplaceAll(acked, "Id\":2", "Id\":3") + acked + fmt.Sprintf(toolsIn, `"2"`) + fmt.Sprintf(toolsIn, "7") +
				`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n" +
				`< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}` + "\n" + tools,
			told:   "opened, again: false\n" + told2 + "log \"x\"\n",
			result: "seen enough",
		},
		{
			name:   "without an id where there is one subscription",
			want:   Subscription{Tools: true},
			count:  1,
			wire:   "> \n" + acked + `< {"jsonrpc":"2.0","method":"notifications/tools/listChanged"}` + "\n",
			told:   "opened, again: false\nnotifications/tools/listChanged \n",
			result: "seen enough",
		},
		{
			name:   "no end for hours",
			want:   Subscription{Tools: true},
			count:  1,
			wire:   "> \n" + acked + "wait 5h\n" + tools,
			told:   "opened, again: false\n" + told2,
			result: "seen enough",
		},
		{
			name:   "no acknowledgement",
			want:   Subscription{Tools: true},
			wire:   "> \n",
			result: "timeout of 1m0s ran out during the acknowledgement of subscriptions/listen",
			sent:   []string{`"notifications/cancelled"`},
		},
		{
			name:   "the server ends it in good order",
			want:   Subscription{Tools: true},
			wire:   "> \n" + acked + tools + `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}` + "\n",
			told:   "opened, again: false\n" + told2,
			result: "<nil>",
			unsent: []string{`> {"jsonrpc":"2.0","method":"notifications/cancelled"`},
		},
		{
			name:   "the server cancels it, and its result comes late",
			want:   Subscription{Tools: true},
			wire:   "> \n" + acked + tools + `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"bye"}}` + "\n",
			told:   "opened, again: false\n" + told2,
			result: "<nil>",
			unsent: []string{`> {"jsonrpc":"2.0","method":"notifications/cancelled"`},
		},
		{
			name:   "the user ends it",
			want:   Subscription{Tools: true},
			stop:   time.Minute,
			wire:   "> \n" + acked,
			told:   "opened, again: false\n",
			result: errStop.Error(),
			sent:   []string{`"method":"notifications/cancelled","params":{"requestId":2,"reason":"` + errStop.Error() + `"}`},
		},
		{
			name:   "a refusal",
			want:   Subscription{Tools: true},
			wire:   "> \n" + `< {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}` + "\n",
			result: "subscriptions/listen: the server answered with error -32601: Method not found",
		},
		{
			name:   "an end without an acknowledgement",
			want:   Subscription{Tools: true},
			wire:   "> \n" + `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}` + "\n",
			result: "bad answer to subscriptions/listen: it ended without an acknowledgement",
		},
		{
			name:   "an unknown end",
			want:   Subscription{Tools: true},
			wire:   "> \n" + acked + `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"half"}}` + "\n",
			told:   "opened, again: false\n",
			result: `bad answer to subscriptions/listen: unknown resultType "half"`,
		},
		{
			name:   "the connection ends",
			want:   Subscription{Tools: true},
			wire:   "> \n" + acked + tools + "close\n",
			told:   "opened, again: false\n" + told2,
			result: "connection closed by the server",
		},
		{
			name:   "what the server does not declare",
			want:   Subscription{Resources: true},
			result: `notifications/resources/list_changed: the server does not offer the capability "resources.listChanged" (-32601); nothing was sent`,
			unsent: []string{methodListen},
		},
		{
			name:   "log messages have no stream",
			want:   Subscription{Logs: true},
			result: "cannot watch: in 2026-07-28 log messages only come with requests",
			unsent: []string{methodListen},
		},
		{
			name:   "nothing asked for",
			result: "cannot watch: nothing is asked for",
			unsent: []string{methodListen},
		},
	} {
		w.version = Version20260728
		t.Run(w.name, func(t *testing.T) { synctest.Test(t, w.run) })
	}
}

func TestWatchStateful(t *testing.T) {
	note := func(method, params string) string {
		return `< {"jsonrpc":"2.0","method":"` + method + `","params":` + params + "}\n"
	}
	for _, w := range []watchScript{
		{
			name:  "everything",
			want:  Subscription{Tools: true, Logs: true, URIs: []string{"a://b", "a://c"}, TaskIDs: []string{"t1"}},
			count: 5,
			wire: "> \n< " + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n> \n< " + `{"jsonrpc":"2.0","id":3,"result":{}}` + "\nwait 1s\n" +
				note("notifications/tools/listChanged", "{}") + note("notifications/prompts/list_changed", "{}") +
				note("notifications/message", `{"level":"info","data":"x"}`) +
				note("notifications/resources/updated", `{"uri":"a://b/part"}`) +
				note("notifications/progress", `{"progressToken":2,"progress":1}`) +
				note("notifications/tasks/status", `{"taskId":"t2","status":"working"}`) +
				note("notifications/tasks/status", `{"taskId":"t1","status":"working"}`) +
				note("notifications/resources/list_changed", "{}") +
				note("notifications/tools/list_changed", `{"n":1.0}`) +
				"> \n< " + `{"jsonrpc":"2.0","id":4,"result":{}}` + "\n> \n< " + `{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no"}}` + "\n",
			told: `
opened, again: false
notifications/tools/listChanged {}
notifications/message {"level":"info","data":"x"}
notifications/resources/updated {"uri":"a://b/part"}
notifications/tasks/status {"taskId":"t1","status":"working"}
notifications/tools/list_changed {"n":1.0}
`,
			result: "seen enough",
			sent: []string{`"method":"resources/subscribe","params":{"uri":"a://b"`, `"method":"resources/subscribe","params":{"uri":"a://c"`,
				`"method":"resources/unsubscribe","params":{"uri":"a://b"`, `"method":"resources/unsubscribe","params":{"uri":"a://c"`},
		},
		{
			name:   "a notification ahead of the answer",
			want:   Subscription{URIs: []string{"a://b"}},
			count:  1,
			wire:   "> \n" + note("notifications/resources/updated", `{"uri":"a://b"}`) + "< " + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n> \n< " + `{"jsonrpc":"2.0","id":3,"result":{}}` + "\n",
			told:   "notifications/resources/updated {\"uri\":\"a://b\"}\n",
			result: "seen enough",
		},
		{
			name:   "logs that are not asked for",
			want:   Subscription{Tools: true},
			count:  1,
			wire:   "wait 1s\n" + note("notifications/message", `{"level":"info","data":"x"}`) + note("notifications/tools/list_changed", `{}`),
			told:   "opened, again: false\nnotifications/tools/list_changed {}\nlog \"x\"\n",
			result: "seen enough",
		},
		{
			name: "the second resource is unknown",
			want: Subscription{URIs: []string{"a://b", "a://c"}},
			wire: "> \n< " + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n> \n< " + `{"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"Resource not found"}}` + "\n" +
				"> \n< " + `{"jsonrpc":"2.0","id":4,"result":{}}` + "\n",
			result: "resources/subscribe: the server answered with error -32002: Resource not found",
			sent:   []string{`"method":"resources/unsubscribe","params":{"uri":"a://b"`},
		},
		{
			name:   "the user ends it, and the server says no more",
			want:   Subscription{URIs: []string{"a://b"}},
			stop:   time.Hour,
			wire:   "> \n< " + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n> \nwait 1h\n",
			told:   "opened, again: false\n",
			result: errStop.Error(),
			sent:   []string{`"method":"resources/unsubscribe","params":{"uri":"a://b"`},
		},
		{
			name:   "the connection ends",
			want:   Subscription{Tools: true},
			wire:   "wait 1s\nclose\n",
			told:   "opened, again: false\n",
			result: "connection closed by the server",
		},
		{
			name:   "what the server does not declare",
			want:   Subscription{Prompts: true},
			result: `notifications/prompts/list_changed: the server does not offer the capability "prompts.listChanged" (-32601); nothing was sent`,
		},
	} {
		w.version = Version20251125
		t.Run(w.name, func(t *testing.T) { synctest.Test(t, w.run) })
	}
}

// What waits for a watcher is bounded.
func TestWatchOverflow(t *testing.T) {
	m := newMailbox()
	for range 3 {
		m.put(maxMail/3, func() error { return nil })
	}
	var overflow *OverflowError
	if err := m.deliver(context.Background()); !errors.As(err, &overflow) {
		t.Errorf("got %v", err)
	}
	m = newMailbox()
	delivered := 0
	for range 3 {
		m.put(maxMail/2, func() error { delivered++; return nil })
		queue, ended, err := m.take()
		for _, call := range queue {
			if err := call(); err != nil {
				t.Error(err)
			}
		}
		if ended {
			t.Errorf("ended with %v", err)
		}
	}
	if delivered != 3 {
		t.Errorf("%d delivered", delivered)
	}
}
