package commands

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"mcpq/mcp/transport"
)

// traced is one line of --trace.
type traced struct {
	Time      string          `json:"time"`
	Dir       string          `json:"dir"`
	Transport string          `json:"transport"`
	HTTP      *tracedHTTP     `json:"http,omitempty"`
	Message   json.RawMessage `json:"message,omitempty"`
}

// The directions.
const (
	dirSend = "send"
	dirRecv = "recv"
)

type tracedHTTP struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers"`
}

// trace makes the function that is shown every message: for --trace FILE, and
// on stderr for -vv. It is nil when nobody wants to see them.
func (r *runner) trace() (func(transport.Event), error) {
	if r.tracing != nil {
		return r.tracing, nil
	}
	var show []func(*traced)
	switch name := r.grammar.Trace; name {
	case "":
	case "-":
		show = append(show, func(e *traced) { r.messages.JSON(e.encode()) })
	default:
		f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, usagef("--trace: %w", err)
		}
		r.cleanup = append(r.cleanup, func() { _ = f.Close() })
		show = append(show, r.traceTo(f))
	}
	if r.grammar.Verbose > 1 {
		show = append(show, r.showTraced)
	}
	if len(show) == 0 {
		return nil, nil
	}
	sight := &sight{secrets: &r.secrets, tasks: make(map[string]string)}
	r.tracing = func(e transport.Event) {
		line := sight.of(e, time.Now())
		for _, f := range show {
			f(line)
		}
	}
	return r.tracing, nil
}

// traceTo writes lines to w, until that fails.
func (r *runner) traceTo(w io.Writer) func(*traced) {
	var mu sync.Mutex
	failed := false
	return func(e *traced) {
		line := append(e.encode(), '\n')
		mu.Lock()
		defer mu.Unlock()
		if failed {
			return
		}
		if _, err := w.Write(line); err != nil {
			failed = true
			r.messages.Warningf("the trace ends here: %v", err)
		}
	}
}

func (e *traced) encode() []byte {
	line, err := marshal(e)
	if err != nil { // no part of it can fail to encode
		panic(err)
	}
	return line
}

// sight is what may be seen of the messages: not the secrets, not the state that
// a server gives to be handed back, and of the ids of tasks, which may be all
// that it takes to read a result, only which are the same.
type sight struct {
	secrets *secrets

	mu    sync.Mutex
	tasks map[string]string
}

// of makes a line of an event.
func (s *sight) of(e transport.Event, now time.Time) *traced {
	line := &traced{Time: now.UTC().Format(time.RFC3339Nano), Dir: dirRecv, Transport: e.Transport}
	if e.Sent {
		line.Dir = dirSend
	}
	if e.HTTP != nil {
		line.HTTP = s.http(e.HTTP) // first, because it knows of secrets in the message
	}
	switch {
	case e.Message == nil:
	case json.Valid(e.Message):
		line.Message = editJSON(e.Message, s.value)
	default:
		line.Message, _ = json.Marshal(s.secrets.text(string(e.Message))) // a string always encodes
	}
	return line
}

// value gives what may be seen of the value of a member.
func (s *sight) value(key, text string) string {
	switch key {
	case "requestState":
		return redacted
	case "taskId", "taskIds":
		return s.task(text)
	}
	return s.secrets.text(text)
}

// task stands for the id of a task.
func (s *sight) task(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks[id] == "" {
		s.tasks[id] = fmt.Sprintf("[task %d]", len(s.tasks)+1)
	}
	return s.tasks[id]
}

func (s *sight) http(e *transport.HTTPEvent) *tracedHTTP {
	h := &tracedHTTP{Method: e.Method, URL: s.secrets.text(safeURL(e.URL)), Status: e.Status, Headers: make(map[string]string, len(e.Header))}
	aboutTasks := strings.HasPrefix(e.Header.Get("Mcp-Method"), "tasks/")
	for name, values := range e.Header {
		value := strings.Join(values, ", ")
		switch {
		case isSecret(name):
			s.hideMirrored(name, value)
			value = redacted
		case aboutTasks && name == "Mcp-Name":
			value = s.task(value)
		default:
			value = s.secrets.text(value)
		}
		h.Headers[name] = value
	}
	return h
}

// hideMirrored hides an argument whose header says by its name that it is a
// secret: it is in the message as well.
func (s *sight) hideMirrored(name, value string) {
	if !strings.HasPrefix(name, http.CanonicalHeaderKey("Mcp-Param-")) {
		return
	}
	if coded, ok := strings.CutPrefix(value, "=?base64?"); ok {
		if text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "?=")); err == nil {
			value = string(text)
		}
	}
	s.secrets.hide(value)
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
