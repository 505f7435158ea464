package transport

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Retry repeats HTTP requests that a server turned away before it began with
// them: the answer is 429 or 503 and its Retry-After says when to come back.
type Retry struct {
	Next  http.RoundTripper
	Times int // for one request

	// Longest is the longest wait that is worth it; 0 means any. Above it the
	// refusal is what the request came to.
	Longest time.Duration

	// Waiting, when set, is told of every wait.
	Waiting func(status int, wait time.Duration)
}

// RoundTrip makes the request, again and again if need be.
func (r *Retry) RoundTrip(req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := r.Next.RoundTrip(req)
		if err != nil || n >= r.Times {
			return resp, err
		}
		wait, asked := retryAfter(resp, time.Now())
		if !asked || r.Longest > 0 && wait > r.Longest {
			return resp, nil
		}
		again := req.Clone(req.Context())
		if req.Body != nil && req.Body != http.NoBody {
			if req.GetBody == nil {
				return resp, nil
			}
			if again.Body, err = req.GetBody(); err != nil {
				return resp, nil
			}
		}
		_, _ = io.CopyN(io.Discard, resp.Body, errorBody) // so that the connection can be used again
		_ = resp.Body.Close()
		if r.Waiting != nil {
			r.Waiting(resp.StatusCode, wait)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-req.Context().Done():
			timer.Stop()
			return nil, context.Cause(req.Context())
		}
		req = again
	}
}

// CloseIdleConnections does so in what makes the requests.
func (r *Retry) CloseIdleConnections() {
	if c, ok := r.Next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// retryAfter reads the answer of a server that wants to be asked later (RFC
// 9110, section 10.2.3).
func retryAfter(resp *http.Response, now time.Time) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	value := resp.Header.Get("Retry-After")
	const most = 1 << 30 // seconds; more would overflow
	if seconds, err := strconv.ParseUint(value, 10, 63); err == nil {
		return time.Duration(min(seconds, most)) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now)), true
	}
	return 0, false
}
