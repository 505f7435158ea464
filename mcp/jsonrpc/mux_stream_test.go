package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func keep(b *bytes.Buffer) func(io.Reader) error {
	return func(r io.Reader) error {
		_, err := io.Copy(b, r)
		return err
	}
}

func TestMuxStreams(t *testing.T) {
	big := bigResult(3 * InlineResult)
	for name, answer := range map[string]string{
		"id first": `{"jsonrpc":"2.0","id":1,"result":` + big + `}`,
		"id last":  `{"result":` + big + `,"jsonrpc":"2.0","id":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, p := connect(t, Handler{})
				var got bytes.Buffer
				call := start(t.Context(), m, &Request{Method: "m", Result: keep(&got)})
				p.read()
				p.write(answer)
				call.expect(t, "streamed")
				if got.String() != big {
					t.Errorf("%d bytes came, want %d", got.Len(), len(big))
				}
				_ = m.Close()
			})
		})
	}
}

// With several calls in flight a result ahead of its id is held until it is
// known whose it is.
func TestMuxStreamsOnlyWhatIsKnown(t *testing.T) {
	big := bigResult(3 * InlineResult)
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		var a, b bytes.Buffer
		first := start(t.Context(), m, &Request{Method: "m", Result: keep(&a)})
		p.read()
		second := start(t.Context(), m, &Request{Method: "m", Result: keep(&b)})
		p.read()
		p.write(`{"result":` + big + `,"jsonrpc":"2.0","id":2}`)
		second.expect(t, big)
		p.write(`{"jsonrpc":"2.0","id":1,"result":` + big + `}`)
		first.expect(t, "streamed")
		if a.String() != big || b.Len() != 0 {
			t.Errorf("%d and %d bytes were streamed", a.Len(), b.Len())
		}
		_ = m.Close()
	})
}

func TestMuxStreamedToTheWrongCall(t *testing.T) {
	big := bigResult(3 * InlineResult)
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		var got bytes.Buffer
		call := start(t.Context(), m, &Request{Method: "m", Result: keep(&got)})
		p.read()
		p.write(`{"result":` + big + `,"jsonrpc":"2.0","id":7}`)
		if got := <-call; !strings.HasPrefix(got, "failed: malformed JSON-RPC message: a large result came ahead of its unexpected id 7") {
			t.Errorf("the call came to %s", got)
		}
		_ = m.Close()
	})
}

func TestMuxSinkFails(t *testing.T) {
	for name, answer := range map[string]string{
		"id first": `{"jsonrpc":"2.0","id":1,"result":` + bigResult(3*InlineResult) + `}`,
		"id last":  `{"result":` + bigResult(3*InlineResult) + `,"jsonrpc":"2.0","id":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, p := connect(t, Handler{})
				full := errors.New("disk full")
				reached, release := make(chan bool), make(chan bool)
				failed := make(chan error, 1)
				go func() {
					_, err := m.Call(t.Context(), &Request{Method: "m", Result: func(io.Reader) error {
						reached <- true
						<-release
						return full
					}})
					failed <- err
				}()
				p.read()
				written := make(chan bool)
				go func() { p.write(answer); close(written) }()
				<-reached
				// A second call does not change whose failure it is.
				other := start(t.Context(), m, &Request{Method: "m"})
				p.read()
				close(release)
				if err := <-failed; err != full {
					t.Errorf("error is %v, want that of the sink", err)
				}
				<-written
				p.write(`{"jsonrpc":"2.0","id":2,"result":{}}`)
				other.expect(t, "{}")
				_ = m.Close()
			})
		})
	}
}

// A sink that blocks holds up neither a call whose context ends nor Close.
func TestMuxSinkStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		ctx, cancel := context.WithCancelCause(t.Context())
		release := make(chan bool)
		call := start(ctx, m, &Request{Method: "m", NoCancel: true, Result: func(io.Reader) error {
			<-release
			return nil
		}})
		p.read()
		go func() { _, _ = io.WriteString(p.w, `{"jsonrpc":"2.0","id":1,"result":`+bigResult(3*InlineResult)+`}`) }()
		synctest.Wait()
		cancel(errors.New("enough"))
		call.expect(t, "failed: enough")
		began := time.Now()
		_ = m.Close()
		if d := time.Since(began); d != closePatience {
			t.Errorf("closing took %v", d)
		}
		close(release)
	})
}

// A result that stops half-way can be given up.
func TestMuxCancelDuringStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		ctx, cancel := context.WithCancelCause(t.Context())
		var got bytes.Buffer
		call := start(ctx, m, &Request{Method: "m", Result: keep(&got)})
		p.read()
		answer := `{"jsonrpc":"2.0","id":1,"result":` + bigResult(3*InlineResult) + `}`
		_, _ = io.WriteString(p.w, answer[:2*InlineResult])
		synctest.Wait()
		cancel(errors.New("enough"))
		p.expect(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
		call.expect(t, "failed: enough")
		had := got.Len()
		_, _ = io.WriteString(p.w, answer[2*InlineResult:]+"\n")
		again := start(t.Context(), m, &Request{Method: "m"})
		p.read()
		p.write(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		again.expect(t, "{}")
		if got.Len() != had {
			t.Errorf("%d bytes came after the call had been given up", got.Len()-had)
		}
		_ = m.Close()
	})
}

// The error of a call whose context ended is the cause, whatever its sink made
// of that.
func TestMuxCancelHiddenBySink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, p := connect(t, Handler{})
		ctx, cancel := context.WithCancelCause(t.Context())
		call := start(ctx, m, &Request{Method: "m", NoCancel: true, Result: func(io.Reader) error {
			cancel(errors.New("enough"))
			return errors.New("hidden")
		}})
		p.read()
		p.write(`{"jsonrpc":"2.0","id":1,"result":` + bigResult(3*InlineResult) + `}`)
		call.expect(t, "failed: enough")
		_ = m.Close()
	})
}

// writeBig writes an answer with a result of n bytes without holding it.
func writeBig(w io.Writer, n int) error {
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"text":"`); err != nil {
		return err
	}
	block := bytes.Repeat([]byte("x"), 64<<10)
	for n > 0 {
		m := min(n, len(block))
		if _, err := w.Write(block[:m]); err != nil {
			return err
		}
		n -= m
	}
	_, err := io.WriteString(w, "\"}}\n")
	return err
}

const hugeResult = 50_000_000

func allocated() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.TotalAlloc
}

// A result of 50 MB passes through in little memory.
func TestMuxStreamsInLittleMemory(t *testing.T) {
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	m := NewMux(NewStream(outR, inW, func() error { return errors.Join(inW.Close(), outR.Close()) }), Handler{}, 0)
	before := allocated()
	var n int64
	call := start(t.Context(), m, &Request{Method: "m", Result: func(r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, r)
		return err
	}})
	if _, err := inR.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if err := writeBig(outW, hugeResult); err != nil {
		t.Error(err)
	}
	call.expect(t, "streamed")
	if want := int64(hugeResult + len(`{"text":""}`)); n != want {
		t.Errorf("%d bytes came, want %d", n, want)
	}
	if used := allocated() - before; used > 8<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
	_ = m.Close()
	_, _ = inR.Close(), outW.Close()
}
