package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcpq/mcp/jsonrpc"
)

func TestHTTPCancel(t *testing.T) {
	for _, tt := range []struct {
		cancel Cancel
		notice bool
	}{{CancelStateless, false}, {CancelNotice, true}, {CancelSilent, false}} {
		for _, kind := range []string{"", jsonType, eventType} { // how far the reply had come
			t.Run(fmt.Sprint(tt.cancel, kind), func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				closed := make(chan bool, 1)
				s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					if bytes.Contains(body, []byte("notifications/cancelled")) {
						status(w, 202)
						return
					}
					if kind != "" {
						h.Set("Content-Type", kind)
						_, _ = io.WriteString(w, map[string]string{jsonType: " ", eventType: "id: 1\ndata:\n\n"}[kind])
					}
					cancel(errEnough)
					<-r.Context().Done()
					closed <- true
				})
				c := dial(t, HTTP{URL: s.URL}, Peer{})
				if _, err := call(ctx, c, Outgoing{Cancel: tt.cancel, Resume: true}); err != errEnough {
					t.Errorf("error is %v, want the cause", err)
				}
				<-closed
				want := `POST {"jsonrpc":"2.0","id":1,"method":"m"}`
				if tt.notice {
					want += `; POST {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`
				}
				if got := strings.Join(s.requests(), "; "); got != want {
					t.Errorf("requests were %s\nwant %s", got, want)
				}
			})
		}
	}
}

func TestHTTPRedirects(t *testing.T) {
	other := serve(t, func(w io.Writer, h http.Header, r *http.Request) { t.Error("the other origin was asked") })
	for _, tt := range []struct {
		status int
		to     string
		follow bool
	}{
		{307, "/new", true}, {308, "/new", true},
		{301, "/new", false}, {302, "/new", false}, {303, "/new", false},
		{307, other.URL, false}, {308, other.URL, false}, {302, other.URL, false},
		{307, "/", false}, // for ever
	} {
		t.Run(fmt.Sprint(tt.status, tt.follow), func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				if r.URL.Path == "/new" {
					h.Set("Content-Type", jsonType)
					_, _ = io.Copy(w, strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":{}}`))
					return
				}
				h.Set("Location", tt.to)
				status(w, tt.status)
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			got, err := call(t.Context(), c, Outgoing{Params: json.RawMessage(`{"a":1}`)})
			var refused *RedirectError
			if tt.follow {
				reqs := s.requests()
				if got != "{}" || len(reqs) != 2 || reqs[0] != reqs[1] {
					t.Errorf("got %s, %v, requests %q", got, err, reqs)
				}
			} else if !errors.As(err, &refused) {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestSameOrigin(t *testing.T) {
	for to, want := range map[string]bool{
		"http://Example.com:80/x": true, "http://example.com/y": true,
		"https://example.com/": false, "http://example.com:81/": false, "http://example.org/": false,
	} {
		a, _ := http.NewRequest("POST", "http://example.com/", nil)
		b, err := http.NewRequest("POST", to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameOrigin(a.URL, b.URL); got != want {
			t.Errorf("%s: %v", to, got)
		}
	}
}

// One connection serves calls that come one after the other, whichever kind
// their replies are.
func TestHTTPReusesConnections(t *testing.T) {
	for _, kind := range []string{jsonType, eventType, "error"} {
		t.Run(kind, func(t *testing.T) {
			var n atomic.Int64
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				h.Set("Content-Type", kind)
				id := n.Add(1)
				switch kind {
				case jsonType:
					_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{}}`, id)
				case eventType:
					_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n", id)
				default:
					status(w, 500)
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			for range 50 {
				_, _ = call(t.Context(), c, Outgoing{})
			}
			if got := s.connections.Load(); got > 2 { // one may be late on a busy machine
				t.Errorf("50 calls made %d connections", got)
			}
		})
	}
}

// A server that keeps the stream open behind its response holds nothing up.
func TestHTTPStreamLeftOpen(t *testing.T) {
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", eventType)
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"id"`)) {
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
		} else {
			_, _ = io.WriteString(w, ": a notification should get no stream\n\n")
		}
		<-r.Context().Done()
	})
	c := dial(t, HTTP{URL: s.URL}, Peer{})
	if got, err := call(t.Context(), c, Outgoing{}); got != "{}" {
		t.Error(got, err)
	}
	if err := c.Notify(t.Context(), &Outgoing{Method: "n"}); err != nil {
		t.Error(err)
	}
	began := time.Now()
	_ = c.Close(t.Context())
	if d := time.Since(began); d > drainPatience {
		t.Errorf("closing took %v", d)
	}
}

// Calls in flight fail when the connection is closed; later ones fail at once.
func TestHTTPCloseDuringCall(t *testing.T) {
	reached := make(chan bool)
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", eventType)
		_, _ = io.WriteString(w, ": hi\n\n")
		reached <- true
		<-r.Context().Done()
	})
	c := dial(t, HTTP{URL: s.URL}, Peer{})
	failed := make(chan error, 1)
	go func() {
		_, err := call(t.Context(), c, Outgoing{})
		failed <- err
	}()
	<-reached
	_ = c.Close(t.Context())
	var closed *jsonrpc.ClosedError
	if err := <-failed; !errors.As(err, &closed) {
		t.Errorf("error is %v", err)
	}
	if _, err := call(t.Context(), c, Outgoing{}); !errors.As(err, &closed) {
		t.Errorf("a later call: %v", err)
	}
}

// A slow server is bounded by the context, wherever it stops.
func TestHTTPSlow(t *testing.T) {
	for name, body := range map[string]string{"headers": "", jsonType: `{"jsonrpc":"2.0",`, eventType: "data: {", "text/html": "<h1>"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				if body != "" {
					h.Set("Content-Type", name)
					_, _ = io.WriteString(w, body)
				}
				<-r.Context().Done()
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errEnough)
			defer cancel()
			if _, err := call(ctx, c, Outgoing{}); err != errEnough {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestHTTPTrace(t *testing.T) {
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", jsonType)
		_, _ = io.WriteString(w, "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}")
	})
	var got []string
	c := dial(t, HTTP{URL: s.URL}, Peer{Trace: func(e Event) {
		got = append(got, fmt.Sprintf("%v %s %d %s", e.Sent, e.HTTP.Method, e.HTTP.Status, e.Message))
	}})
	if _, err := call(t.Context(), c, Outgoing{}); err != nil {
		t.Fatal(err)
	}
	want := `true POST 0 {"jsonrpc":"2.0","id":1,"method":"m"}; false POST 200 {"jsonrpc":"2.0","id":1,"result":{}}`
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("trace is %s\nwant %s", s, want)
	}
}
