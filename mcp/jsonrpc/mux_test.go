package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// peer is the other end of a Mux, driven line by line.
type peer struct {
	t      *testing.T
	frames *NewlineReader
	w      *io.PipeWriter
	strays []string
	mu     sync.Mutex
}

// connect starts a Mux; every test closes it.
func connect(t *testing.T, h Handler) (*Mux, *peer) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, frames: NewNewlineReader(inR), w: outW}
	if h.Stray == nil {
		h.Stray = func(err error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.strays = append(p.strays, err.Error())
		}
	}
	m := NewMux(NewStream(outR, inW, func() error {
		return errors.Join(inW.Close(), outR.Close())
	}), h, 0)
	return m, p
}

func (p *peer) read() string {
	p.t.Helper()
	frame, err := p.frames.Next()
	if err != nil {
		p.t.Fatalf("the peer reads: %v", err)
	}
	data, err := io.ReadAll(frame)
	if err != nil {
		p.t.Fatalf("the peer reads: %v", err)
	}
	return string(data)
}

func (p *peer) expect(want string) {
	p.t.Helper()
	if got := p.read(); got != want {
		p.t.Errorf("the peer got %s\nwant %s", got, want)
	}
}

func (p *peer) write(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.w, s+"\n"); err != nil {
		p.t.Errorf("the peer writes: %v", err)
	}
}

// result is what a call came to, as text.
type result chan string

func (r result) of(m *Message, err error) {
	switch {
	case err != nil:
		r <- "failed: " + err.Error()
	case m.Error != nil:
		r <- "error: " + m.Error.Error()
	case m.Streamed:
		r <- "streamed"
	default:
		r <- string(m.Result)
	}
}

func start(ctx context.Context, m *Mux, r *Request) result {
	done := make(result, 1)
	go func() { done.of(m.Call(ctx, r)) }()
	return done
}

func (r result) expect(t *testing.T, want string) {
	t.Helper()
	if got := <-r; got != want {
		t.Errorf("the call came to %.200s\nwant %s", got, want)
	}
}

// What a peer writes while one call (id 1) is in flight, and what becomes of
// it.
func TestMuxAnswers(t *testing.T) {
	for _, tt := range []struct{ name, in, want, stray string }{
		{"result", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`, ""},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}}`, "error: no (5)", ""},
		{"error without id", `{"jsonrpc":"2.0","error":{"code":5,"message":"no"}}`, "error: no (5)", ""},
		{"error with null id", `{"jsonrpc":"2.0","id":null,"error":{"code":5,"message":"no"}}`, "error: no (5)", ""},
		{"noise first", "hello\n{\"level\":1}\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`, `not a JSON-RPC message: "hello"`},
		{"unknown id first", `{"jsonrpc":"2.0","id":9,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`,
			"response with unknown id 9 ignored"},
		{"id as a string", `{"jsonrpc":"2.0","id":"1","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":2}`, `2`,
			`response with unknown id "1" ignored`},
		{"broken answer to another id", `{"jsonrpc":"2.0","id":9}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`,
			"malformed JSON-RPC message: it has neither result nor error"},
		{"twice", `{"jsonrpc":"2.0","id":1,"result":1}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":2}`, `1`,
			"response with unknown id 1 ignored"},
		{"batch", `[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":1,"result":{}}]`, `{}`, ""},
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`,
			`failed: malformed JSON-RPC message: it has both result and error`, ""},
		{"broken", `{"jsonrpc":"2.0","id":1,"result":{`, "failed: malformed JSON-RPC message: it ends in the middle", ""},
		{"broken before its id", `{"jsonrpc":"2.0","result":{`, "failed: malformed JSON-RPC message: it ends in the middle", ""},
		{"garbage behind it", `{"jsonrpc":"2.0","id":1,"result":{}}}`, "failed: malformed JSON-RPC message: invalid json at byte 36", ""},
		{"large unknown id first", `{"jsonrpc":"2.0","id":9,"result":` + bigResult(2*InlineResult) + "}\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`, `{}`,
			"response with unknown id 9 ignored"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, p := connect(t, Handler{})
				call := start(t.Context(), m, &Request{Method: "m"})
				p.expect(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
				p.write(tt.in)
				if got := <-call; !strings.HasPrefix(got, tt.want) {
					t.Errorf("the call came to %s\nwant %s", got, tt.want)
				}
				synctest.Wait()
				p.mu.Lock()
				defer p.mu.Unlock()
				if strays := strings.Join(p.strays, "\n"); !strings.HasPrefix(strays, tt.stray) || (tt.stray == "") != (strays == "") {
					t.Errorf("strays are %s\nwant %s", strays, tt.stray)
				}
				if m.Err() != nil {
					t.Errorf("the connection ended: %v", m.Err())
				}
				_ = m.Close()
			})
		})
	}
}

func TestMuxAnswersOutOfOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		a := start(t.Context(), m, &Request{Method: "m"})
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
		b := start(t.Context(), m, &Request{Method: "m", Params: json.RawMessage(`{}`)})
		p.expect(`{"jsonrpc":"2.0","id":2,"method":"m","params":{}}`)
		p.write(`{"result":"b","jsonrpc":"2.0","id":2}`)
		b.expect(t, `"b"`)
		p.write(`{"jsonrpc":"2.0","id":1,"result":"a"}`)
		a.expect(t, `"a"`)
		_ = m.Close()
	})
}

// A broken message that may be for any of several calls ends them all: else
// one of them would wait for ever.
func TestMuxBrokenForOneOfSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		a := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		b := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`{"jsonrpc":"2.0","result":{}}`)
		for _, call := range []result{a, b} {
			if got := <-call; !strings.HasPrefix(got, "failed: connection lost: malformed") {
				t.Errorf("a call came to %s", got)
			}
		}
		_ = m.Close()
	})
}

func TestMuxTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		m.decoder.Max = 1000 // before anything is read
		call := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 5000) + `"}`)
		call.expect(t, "failed: message is larger than 1000 bytes")
		call = start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`{"jsonrpc":"2.0","id":2,"result":"short"}`)
		call.expect(t, `"short"`)
		_ = m.Close()
	})
}

func TestMuxEnd(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
	}{
		{"clean", "", "connection closed by the server"},
		{"half a line", `{"jsonrpc":"2.0","id":1,"res`, "connection lost: unexpected EOF"},
		{"half a line before its id", `{"resu`, "connection lost: unexpected EOF"},
		{"noise only", "usage: server [-x]\n", `it wrote no JSON-RPC message, only "usage: server [-x]"`},
		{"noise without end", "panic", `it wrote no JSON-RPC message, only "panic"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, p := connect(t, Handler{})
				call := start(t.Context(), m, &Request{Method: "m"})
				p.read()
				_, _ = io.WriteString(p.w, tt.in)
				_ = p.w.Close()
				call.expect(t, "failed: "+tt.want)
				<-m.Done()
				if _, err := m.Call(t.Context(), &Request{Method: "m"}); err == nil || err.Error() != tt.want {
					t.Errorf("a later call: %v", err)
				}
				_ = m.Close()
			})
		})
	}
}

// An answer in the last line counts, even without its line end.
func TestMuxLastWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		call := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		_, _ = io.WriteString(p.w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		_ = p.w.Close()
		call.expect(t, "{}")
		_ = m.Close()
	})
}

func TestMuxCancel(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m, p := connect(t, Handler{})
			ctx, cancel := context.WithCancelCause(t.Context())
			call := start(ctx, m, &Request{Method: "m", NoCancel: silent})
			p.read()
			cancel(errors.New("user went away"))
			if !silent {
				p.expect(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"user went away"}}`)
			}
			call.expect(t, "failed: user went away")
			// The late answer is dropped without a word, small or large.
			p.write(`{"jsonrpc":"2.0","id":1,"result":` + bigResult(2*InlineResult) + `}`)
			again := start(t.Context(), m, &Request{Method: "m"})
			p.expect(`{"jsonrpc":"2.0","id":2,"method":"m"}`)
			p.write(`{"jsonrpc":"2.0","id":2,"result":{}}`)
			again.expect(t, "{}")
			if len(p.strays) > 0 || len(m.abandoned) > 0 {
				t.Errorf("strays %q, still abandoned %v", p.strays, m.abandoned)
			}
			if _, err := m.Call(ctx, &Request{Method: "m"}); err == nil || err.Error() != "user went away" {
				t.Errorf("a call with an ended context: %v", err)
			}
			_ = m.Close()
		})
	}
}

// Neither a peer that does not read nor one that never answers holds a
// cancelled call up.
func TestMuxCancelUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("out of time"))
		defer cancel()
		began := time.Now()
		start(ctx, m, &Request{Method: "m"}).expect(t, "failed: out of time") // never written
		call := start(t.Context(), m, &Request{Method: "m"})
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"m"}`) // what was left behind
		p.expect(`{"jsonrpc":"2.0","id":2,"method":"m"}`)
		_ = m.Close()
		call.expect(t, "failed: connection lost: closed by the client")
		if d := time.Since(began); d > time.Minute+cancelPatience {
			t.Errorf("it took %v", d)
		}
	})
}

// The answer may come before the write of its request has returned, and the
// peer may go away without reading the rest.
func TestMuxAnswerBeforeWriteReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		m := NewMux(NewStream(outR, inW, func() error { return errors.Join(inW.Close(), outR.Close()) }), Handler{}, 0)
		call := start(t.Context(), m, &Request{Method: "m"})
		if _, err := io.ReadFull(inR, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(outW, `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n")
		synctest.Wait()
		_ = inR.CloseWithError(io.ErrClosedPipe)
		call.expect(t, "{}")
		_ = m.Close()
	})
}

func TestMuxWriteFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken pipe")
		outR, _ := io.Pipe()
		m := NewMux(NewStream(outR, failAfter(0, broken), outR.Close), Handler{}, 0)
		_, err := m.Call(t.Context(), &Request{Method: "m"})
		var closed *ClosedError
		if !errors.As(err, &closed) || !errors.Is(err, broken) {
			t.Errorf("error is %v", err)
		}
		_ = m.Close()
	})
}

func TestMuxCloseDuringCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		call := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		_ = m.Close()
		call.expect(t, "failed: connection lost: closed by the client")
	})
}

func TestMuxNotificationsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string // read behind the answer, so the loop's order shows
		m, p := connect(t, Handler{Notification: func(_ context.Context, n *Message) { got = append(got, string(n.Params)) }})
		call := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		for i := range 5 {
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":[%d]}`, i))
		}
		p.write(`{"jsonrpc":"2.0","id":null,"method":"n","params":[5]}`)
		p.write(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		call.expect(t, "{}")
		if s := strings.Join(got, ""); s != "[0][1][2][3][4][5]" {
			t.Errorf("notifications came as %s", s)
		}
		_ = m.Close()
	})
}

func TestMuxTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var got []string
		m, p := connect(t, Handler{Trace: func(sent bool, message []byte) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, fmt.Sprintf("%v %s", sent, message))
		}})
		call := start(t.Context(), m, &Request{Method: "m", Result: func(io.Reader) error { return errors.New("not streamed") }})
		p.read()
		p.write("hi")
		p.write(`{"jsonrpc":"2.0", "id":1, "result":` + bigResult(2*InlineResult) + `}`)
		call.expect(t, bigResult(2*InlineResult))
		want := `true {"jsonrpc":"2.0","id":1,"method":"m"}` + "\n" + `false "hi"` + "\n" +
			`false {"jsonrpc":"2.0","id":1,"result":` + bigResult(2*InlineResult) + `}`
		if strings.Join(got, "\n") != want {
			t.Errorf("trace is %.300q", got)
		}
		_ = m.Close()
	})
}
