package jsonrpc

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
)

func TestServeBatch(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","method":"note"},{"jsonrpc":"2.0","id":"a","method":"slow"},{"jsonrpc":"2.0","id":"b","method":"ping"},{"jsonrpc":"2.0","id":"c","method":"none"}]`
	for name, tt := range map[string]struct {
		batches func() bool
		in      string
		want    []string
	}{
		"together": {func() bool { return true }, batch,
			[]string{`[{"jsonrpc":"2.0","id":"b","result":{}},{"jsonrpc":"2.0","id":"a","result":{}}]`}},
		"one": {func() bool { return true }, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
			[]string{`[{"jsonrpc":"2.0","id":1,"result":{}}]`}},
		"no batch": {func() bool { return true }, `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			[]string{`{"jsonrpc":"2.0","id":1,"result":{}}`}},
		"each by itself": {func() bool { return false }, batch,
			[]string{`{"jsonrpc":"2.0","id":"b","result":{}}`, `{"jsonrpc":"2.0","id":"a","result":{}}`}},
		"never": {nil, batch,
			[]string{`{"jsonrpc":"2.0","id":"b","result":{}}`, `{"jsonrpc":"2.0","id":"a","result":{}}`}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan bool)
				notes := 0
				m, p := connect(t, Handler{
					Batches:      tt.batches,
					Notification: func(context.Context, *Message) { notes++ },
					Request: func(_ context.Context, m *Message) (json.RawMessage, *Error) {
						switch m.Method {
						case "slow":
							<-release
						case "none":
							return nil, NoAnswer
						}
						return nil, nil
					},
				})
				p.write(tt.in)
				for i, want := range tt.want {
					if i == len(tt.want)-1 {
						synctest.Wait()
						close(release)
					}
					p.expect(want)
				}
				if tt.in == batch && notes != 1 {
					t.Errorf("%d notifications", notes)
				}
				_ = m.Close()
			})
		})
	}
}

// A batch of which nothing asks for an answer gets none, and responses in one
// find their calls.
func TestBatchOfResponses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{Batches: func() bool { return true }})
		first := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		second := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"result":{"n":2}},{"jsonrpc":"2.0","id":1,"result":{"n":1}}]`)
		if got := <-first; got != `{"n":1}` {
			t.Errorf("got %s", got)
		}
		if got := <-second; got != `{"n":2}` {
			t.Errorf("got %s", got)
		}
		p.write(`{"jsonrpc":"2.0","id":5,"method":"ping"}`) // the next message of ours
		p.expect(`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: ping"}}`)
		_ = m.Close()
	})
}
