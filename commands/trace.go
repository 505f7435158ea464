package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"mcpq/mcp/transport"
)

// traceLine is one line of --trace.
type traceLine struct {
	Time      string          `json:"time"`
	Dir       string          `json:"dir"` // send or recv
	Transport string          `json:"transport"`
	HTTP      *traceHTTP      `json:"http,omitempty"`
	Message   json.RawMessage `json:"message,omitempty"`
}

type traceHTTP struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers"`
}

// trace makes the function that is shown every message: for --trace FILE, and
// on stderr for -vv. It is nil when nobody wants to see them.
func (r *runner) trace() (func(transport.Event), error) {
	var show []func(transport.Event)
	if name := r.grammar.Trace; name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, &UsageError{Err: err}
		}
		r.cleanup = append(r.cleanup, func() { _ = f.Close() })
		w := r.secrets.writer(f)
		var mu sync.Mutex
		show = append(show, func(e transport.Event) {
			line := encodeTrace(e, time.Now())
			mu.Lock()
			defer mu.Unlock()
			if _, err := w.Write(line); err != nil {
				r.messages.Warningf("%v", err)
			}
		})
	}
	if r.grammar.Verbose > 1 {
		show = append(show, func(e transport.Event) {
			if e.Message == nil {
				return
			}
			arrow := "< "
			if e.Sent {
				arrow = "> "
			}
			r.messages.Line(arrow + string(e.Message))
		})
	}
	switch len(show) {
	case 0:
		return nil, nil
	case 1:
		return show[0], nil
	}
	return func(e transport.Event) {
		for _, f := range show {
			f(e)
		}
	}, nil
}

func encodeTrace(e transport.Event, now time.Time) []byte {
	line := traceLine{Time: now.UTC().Format(time.RFC3339Nano), Dir: "recv", Transport: e.Transport}
	if e.Sent {
		line.Dir = "send"
	}
	if json.Valid(e.Message) {
		line.Message = e.Message
	} else if e.Message != nil {
		line.Message, _ = json.Marshal(string(e.Message)) // a string always encodes
	}
	if e.HTTP != nil {
		line.HTTP = &traceHTTP{Method: e.HTTP.Method, URL: safeURL(e.HTTP.URL), Status: e.HTTP.Status, Headers: safeHeaders(e.HTTP.Header)}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil { // no part of it can fail to encode
		panic(err)
	}
	return buf.Bytes()
}

func safeHeaders(h http.Header) map[string]string {
	out := make(map[string]string, len(h))
	for name, values := range h {
		out[name] = strings.Join(values, ", ")
		if isSecret(name) {
			out[name] = redacted
		}
	}
	return out
}

// safeURL hides the password in a URL and the values of its query that may be
// secrets.
func safeURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	query := u.Query()
	for name := range query {
		if isSecret(name) {
			query.Set(name, redacted)
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

func as[T error](err error, target *T) bool { return errors.As(err, target) }
