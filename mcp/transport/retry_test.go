package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestRetry(t *testing.T) {
	for _, tt := range []struct {
		name     string
		status   int
		after    string
		refusals int64
		times    int
		want     string // the beginning of what the call came to
		posts    int64
	}{
		{"in time", 503, "0", 2, 2, "{}", 3},
		{"too often", 503, "0", 3, 2, "HTTP 503", 3},
		{"too many requests", 429, "0", 1, 1, "{}", 2},
		{"a date that has passed", 503, "Mon, 02 Jan 2006 15:04:05 GMT", 1, 1, "{}", 2},
		{"without the header", 503, "", 1, 1, "HTTP 503", 1},
		{"with nonsense in it", 503, "soon", 1, 1, "HTTP 503", 1},
		{"another status", 502, "0", 1, 1, "HTTP 502", 1},
		{"too long to wait", 503, "61", 1, 1, "HTTP 503", 1},
		{"not even a number of nanoseconds", 503, "9223372036854775807", 1, 1, "HTTP 503", 1},
		{"not asked for", 503, "0", 1, 0, "HTTP 503", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var posts atomic.Int64
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if want := `{"jsonrpc":"2.0","id":1,"method":"m"}`; string(body) != want {
					t.Errorf("body %s, want %s", body, want)
				}
				if posts.Add(1) <= tt.refusals {
					if tt.after != "" {
						h.Set("Retry-After", tt.after)
					}
					status(w, tt.status)
					return
				}
				h.Set("Content-Type", jsonType)
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
			})
			waits := 0
			rt := &Retry{Next: NewRoundTripper(), Times: tt.times, Longest: time.Minute, Waiting: func(int, time.Duration) { waits++ }}
			c := dial(t, HTTP{URL: s.URL, RoundTripper: rt}, Peer{})
			got, err := call(t.Context(), c, Outgoing{})
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, tt.want) || posts.Load() != tt.posts || int64(waits) != tt.posts-1 {
				t.Errorf("got %s after %d requests and %d waits, want %s after %d", got, posts.Load(), waits, tt.want, tt.posts)
			}
			if n := s.connections.Load(); n != 1 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// Patience ends the wait.
func TestRetryGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Retry-After", "3600")
		status(w, 429)
	})
	rt := &Retry{Next: NewRoundTripper(), Times: 1, Waiting: func(int, time.Duration) { cancel(errEnough) }}
	c := dial(t, HTTP{URL: s.URL, RoundTripper: rt}, Peer{})
	if _, err := call(ctx, c, Outgoing{Cancel: CancelSilent}); !errors.Is(err, errEnough) {
		t.Errorf("got %v, want the cause", err)
	}
}
