package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpq/mcp/jsonrpc"
)

// A reply stream that breaks is taken up where it broke, and one that the
// server closes to be polled after the time it gave.
func TestHTTPResume(t *testing.T) {
	var mu sync.Mutex
	var lastIDs []string
	var closed, reopened time.Time
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		h.Set("Content-Type", eventType)
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "id: a\nretry: 500\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\nid: b\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"res")
			closed = time.Now()
			return
		}
		lastIDs = append(lastIDs, r.Header.Get("Last-Event-ID"))
		switch len(lastIDs) {
		case 1:
			reopened = time.Now()
			_, _ = io.WriteString(w, "retry: 0\nid: c\ndata:\n\n")
		case 2: // nothing new
		case 3:
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"late\"}\n\n")
		}
	})
	c := dial(t, HTTP{URL: s.URL}, Peer{})
	got, err := call(t.Context(), c, Outgoing{Resume: true})
	if err != nil || got != `"late"` || strings.Join(lastIDs, ",") != "a,c,c" {
		t.Errorf("got %s, %v; resumed at %q", got, err, lastIDs)
	}
	if d := reopened.Sub(closed); d < 450*time.Millisecond || d > time.Second { // 500 and a busy machine
		t.Errorf("it was opened again after %v instead of 500ms", d)
	}
}

func TestHTTPNotResumed(t *testing.T) {
	big := strings.Repeat("x", 3*jsonrpc.InlineResult)
	for _, tt := range []struct {
		name    string
		out     Outgoing
		first   string
		again   func(w io.Writer, h http.Header)
		text    string
		reopens int
	}{
		{"not allowed", Outgoing{}, "id: a\nretry: 0\ndata:\n\n", nil, "ended without the response", 0},
		{"no event id", Outgoing{Resume: true}, "retry: 0\ndata:\n\n", nil, "ended without the response", 0},
		{"nothing comes", Outgoing{Resume: true}, "id: a\nretry: 0\ndata:\n\n", func(io.Writer, http.Header) {}, "ended without the response", maxResumes},
		{"refused", Outgoing{Resume: true}, "id: a\nretry: 0\ndata:\n\n", func(w io.Writer, h http.Header) {
			h.Set("Content-Type", jsonType)
			status(w, 400)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"bad event id"}}`)
		}, "cannot be resumed: HTTP 400", 1},
		{"session gone", Outgoing{Resume: true}, "id: a\nretry: 0\ndata:\n\n", func(w io.Writer, _ http.Header) { status(w, 404) },
			"cannot be resumed: session lost", 1},
		{"handed on in part", Outgoing{Resume: true, Result: func(r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		}}, "id: a\nretry: 0\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"" + big, nil, "unexpected EOF", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var reopens int
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				switch {
				case bytes.Contains(body, []byte("initialize")):
					h.Set("Content-Type", jsonType)
					h.Set("Mcp-Session-Id", "s")
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
				case r.Method == http.MethodPost:
					h.Set("Content-Type", eventType)
					_, _ = io.WriteString(w, tt.first)
				case r.Method == http.MethodGet:
					reopens++
					h.Set("Content-Type", eventType)
					tt.again(w, h)
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			_, _ = call(t.Context(), c, Outgoing{Method: "initialize"})
			got, err := call(t.Context(), c, tt.out)
			var broken *BrokenError
			var lost *SessionError
			var rpc *jsonrpc.Error
			if !errors.As(err, &broken) || errors.As(err, &lost) || errors.As(err, &rpc) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %s, error %T: %v", got, err, err)
			}
			if reopens != tt.reopens {
				t.Errorf("it was opened again %d times, want %d", reopens, tt.reopens)
			}
		})
	}
}

func TestHTTPListen(t *testing.T) {
	var opened int
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		opened++
		h.Set("Content-Type", eventType)
		if opened == 1 { // a stream without ids may be opened again all the same
			_, _ = io.WriteString(w, "retry: 0\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\ndata: {\"jsonrpc\":\"2.0\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"x\"}}\n\n")
			return
		}
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"b\"}\n\n")
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	var got []string
	c := dial(t, HTTP{URL: s.URL}, Peer{Handler: jsonrpc.Handler{
		Notification: func(_ context.Context, m *jsonrpc.Message) {
			got = append(got, m.Method)
			if m.Method == "b" {
				cancel(errEnough)
			}
		},
		Stray: func(err error) { got = append(got, fmt.Sprintf("%T", err)) },
	}})
	if err := c.Listen(ctx); err != errEnough {
		t.Errorf("error is %v", err)
	}
	if g := strings.Join(got, " "); g != "a *jsonrpc.MalformedError *jsonrpc.StrayError b" {
		t.Errorf("got %s", g)
	}
}

func TestHTTPListenEnds(t *testing.T) {
	for _, tt := range []struct {
		status int
		kind   string
		want   error
	}{
		{405, "", ErrNoStream},
		{401, "", &AuthError{}},
		{500, "", &HTTPError{}},
		{200, "text/html", &ContentError{}},
		{200, eventType, &BrokenError{}},
	} {
		s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
			h.Set("Content-Type", tt.kind)
			status(w, tt.status)
			if tt.kind == eventType {
				_, _ = io.WriteString(w, "retry: 0\n\n")
			}
		})
		c := dial(t, HTTP{URL: s.URL}, Peer{})
		if err := c.Listen(t.Context()); fmt.Sprintf("%T", err) != fmt.Sprintf("%T", tt.want) {
			t.Errorf("%d %s: error is %T: %v", tt.status, tt.kind, err, err)
		}
	}
}

// writeHuge writes an answer with a result of 50 MB without holding it.
func writeHuge(w io.Writer, id int) {
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{"text":"`, id)
	block := bytes.Repeat([]byte("x"), 100_000)
	for range hugeResult / len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, `"}}`)
}

const hugeResult = 50_000_000

func allocated() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.TotalAlloc
}

// A result of 50 MB passes through in little memory, server included.
func TestHTTPStreamsInLittleMemory(t *testing.T) {
	for _, kind := range []string{jsonType, eventType, "gzip"} {
		t.Run(kind, func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				w = w.(flushing).ResponseWriter
				switch kind {
				case eventType:
					h.Set("Content-Type", eventType)
					_, _ = io.WriteString(w, "data: ")
					writeHuge(w, 1)
					_, _ = io.WriteString(w, "\n\n")
				case "gzip":
					h.Set("Content-Type", jsonType)
					h.Set("Content-Encoding", "gzip")
					z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
					writeHuge(z, 1)
					_ = z.Close()
				default:
					h.Set("Content-Type", jsonType)
					writeHuge(w, 1)
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			before := allocated()
			var n int64
			got, err := call(t.Context(), c, Outgoing{Result: func(r io.Reader) (err error) {
				n, err = io.Copy(io.Discard, r)
				return err
			}})
			if err != nil || got != "streamed" || n != hugeResult+int64(len(`{"text":""}`)) {
				t.Errorf("got %s, %v, %d bytes", got, err, n)
			}
			if used := allocated() - before; used > 8<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
		})
	}
}

// A sink that is stuck holds up neither its call nor Close.
func TestHTTPSinkStuck(t *testing.T) {
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", jsonType)
		writeHuge(w.(flushing).ResponseWriter, 1)
	})
	c, err := (HTTP{URL: s.URL}).Dial(t.Context(), Peer{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	release := make(chan bool)
	_, err = call(ctx, c, Outgoing{Result: func(io.Reader) error {
		cancel(errEnough)
		<-release
		return nil
	}})
	if err != errEnough {
		t.Errorf("error is %v", err)
	}
	began := time.Now()
	_ = c.Close(t.Context())
	if d := time.Since(began); d > 2*stuckPatience {
		t.Errorf("closing took %v", d)
	}
	close(release)
}
