package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestServe(t *testing.T) {
	handle := func(_ context.Context, m *Message) (json.RawMessage, *Error) {
		switch m.Method {
		case "nothing":
			return nil, nil
		case "fail":
			return nil, &Error{Code: -1, Message: "no"}
		}
		return m.Params, nil
	}
	for _, tt := range []struct {
		handle   func(context.Context, *Message) (json.RawMessage, *Error)
		in, want string
	}{
		{handle, `{"jsonrpc":"2.0","id":"x","method":"echo","params":{"n":1.0}}`, `{"jsonrpc":"2.0","id":"x","result":{"n":1.0}}`},
		{handle, `{"jsonrpc":"2.0","id":1,"method":"nothing"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{handle, `{"jsonrpc":"2.0","id":1,"method":"fail"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`},
		{nil, `{"jsonrpc":"2.0","id":0,"method":"any"}`, `{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found: any"}}`},
	} {
		synctest.Test(t, func(t *testing.T) {
			m, p := connect(t, Handler{Request: tt.handle})
			p.write(tt.in)
			p.expect(tt.want)
			_ = m.Close()
		})
	}
}

// A request of the peer inside a call, with the same id as the call's.
func TestServeInsideCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{Request: func(context.Context, *Message) (json.RawMessage, *Error) {
			return json.RawMessage(`"pong"`), nil
		}})
		call := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		p.expect(`{"jsonrpc":"2.0","id":1,"result":"pong"}`)
		p.write(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		call.expect(t, "{}")
		_ = m.Close()
	})
}

func TestServeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 1)
		m, p := connect(t, Handler{Request: func(ctx context.Context, m *Message) (json.RawMessage, *Error) {
			if m.Method == "wait" {
				<-ctx.Done()
				ended <- m.Method
			}
			return nil, nil
		}})
		p.write(`{"jsonrpc":"2.0","id":"a","method":"wait"}`)
		synctest.Wait()
		p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}`)
		p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":"nonsense"}`)
		synctest.Wait()
		select {
		case <-ended:
			t.Fatal("it was stopped by the wrong notice")
		default:
		}
		p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
		<-ended
		p.write(`{"jsonrpc":"2.0","id":"c","method":"next"}`) // no answer to "a" comes first
		p.expect(`{"jsonrpc":"2.0","id":"c","result":{}}`)
		_ = m.Close()
	})
}

// Requests being answered end with the connection, and get no answer.
func TestServeAtClose(t *testing.T) {
	for _, heedless := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			began, release := make(chan bool), make(chan bool)
			m, p := connect(t, Handler{Request: func(ctx context.Context, _ *Message) (json.RawMessage, *Error) {
				close(began)
				if heedless {
					<-release
				}
				<-ctx.Done()
				return nil, nil
			}})
			p.write(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)
			<-began
			start := time.Now()
			_ = m.Close()
			if d := time.Since(start); (d > 0) != heedless || d > closePatience {
				t.Errorf("heedless %v: closing took %v", heedless, d)
			}
			close(release)
			if frame, err := p.frames.Next(); err == nil {
				t.Errorf("it was answered: %v", frame)
			}
		})
	}
}

// A flood of requests makes no flood of goroutines.
func TestServeFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		go func() {
			for i := range maxServing + 100 {
				if _, err := fmt.Fprintf(p.w, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i); err != nil {
					return
				}
			}
		}()
		synctest.Wait() // the peer does not read
		if n := len(m.server.slots); n != maxServing {
			t.Errorf("%d requests are being answered", n)
		}
		for range maxServing + 100 {
			if got := p.read(); !strings.Contains(got, "-32601") {
				t.Fatalf("answer is %s", got)
			}
		}
		_ = m.Close()
	})
}
