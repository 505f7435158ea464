package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mcpq/mcp/jsonrpc"
)

// oldServer is a server of the HTTP+SSE transport. The stream begins with
// opening, post answers the POSTs, and what comes through say goes out on it.
func oldServer(t *testing.T, opening string, post func(say func(string), w io.Writer, r *http.Request)) *web {
	t.Helper()
	said := make(chan string, 100)
	say := func(event string) { said <- event }
	return serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		if r.Method == http.MethodPost {
			post(say, w, r)
			return
		}
		h.Set("Content-Type", eventType)
		_, _ = io.WriteString(w, opening)
		for {
			select {
			case event := <-said:
				if event == "" { // the stream breaks
					panic(http.ErrAbortHandler)
				}
				_, _ = io.WriteString(w, event)
			case <-r.Context().Done():
				return
			}
		}
	})
}

const endpointHere = "event: endpoint\ndata: /post?session=1\n\n"

// echoPost answers over the stream with the request's params.
func echoPost(say func(string), w io.Writer, r *http.Request) {
	var m struct{ ID, Params json.RawMessage }
	_ = json.NewDecoder(r.Body).Decode(&m)
	if m.ID != nil && m.Params != nil {
		say(fmt.Sprintf("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", m.ID, m.Params))
	}
	status(w, http.StatusAccepted)
}

func TestSSE(t *testing.T) {
	for name, opening := range map[string]string{
		"absolute path":     endpointHere,
		"relative":          "event: endpoint\ndata: post?session=1\n\n",
		"query alone":       "event: endpoint\ndata: ?session=1\n\n",
		"whole":             "event: endpoint\ndata: $ORIGIN/post?session=1\n\n",
		"later events":      ": hello\n\nevent: open\ndata: x\n\n" + endpointHere + "event: ping\ndata: 1\n\n",
		"a second endpoint": endpointHere + "event: endpoint\ndata: /elsewhere\n\n",
		"crlf and no space": "event:endpoint\r\ndata:/post?session=1\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			paths := make(chan string, 1)
			var s *web
			s = serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				if r.Header.Get("X-Mine") != "yes" {
					t.Errorf("%s without the header given", r.Method)
				}
				if len(r.Header.Values("Mcp-Protocol-Version")) > 0 {
					t.Errorf("%s with a header of another transport", r.Method)
				}
				if r.Method == http.MethodGet {
					h.Set("Content-Type", eventType)
					_, _ = io.WriteString(w, strings.Replace(opening, "$ORIGIN", s.URL, 1))
					path := <-paths
					_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%q}\n\n", path)
					<-r.Context().Done()
					return
				}
				paths <- r.URL.String()
				status(w, http.StatusOK)
			})
			c := dial(t, SSE{URL: s.URL + "/sse", Header: http.Header{"X-Mine": {"yes"}}},
				Peer{Header: func() http.Header { return http.Header{"Mcp-Protocol-Version": {"2025-06-18"}} }})
			if c.Name() != "sse" {
				t.Errorf("its name is %s", c.Name())
			}
			want := `"/post?session=1"`
			if name == "query alone" {
				want = `"/sse?session=1"`
			}
			if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != want {
				t.Errorf("posted to %s, %v; want %s", got, err, want)
			}
		})
	}
}

func TestSSENotOpened(t *testing.T) {
	var (
		denied  *AuthError
		failed  *HTTPError
		content *ContentError
	)
	answer := func(code int, kind, body string) func(io.Writer, http.Header, *http.Request) {
		return func(w io.Writer, h http.Header, r *http.Request) {
			h.Set("Content-Type", kind)
			status(w, code)
			_, _ = io.WriteString(w, body)
			if body == "" && code == 200 {
				<-r.Context().Done()
			}
		}
	}
	for _, tt := range []struct {
		name   string
		handle func(io.Writer, http.Header, *http.Request)
		want   string
		as     any
	}{
		{"another origin", answer(200, eventType, "event: endpoint\ndata: http://example.com/post\n\n"), "at http://example.com, another origin", nil},
		{"another scheme", answer(200, eventType, "event: endpoint\ndata: file:///etc/passwd\n\n"), "another origin", nil},
		{"another host by two slashes", answer(200, eventType, "event: endpoint\ndata: //example.com/post\n\n"), "another origin", nil},
		{"empty endpoint", answer(200, eventType, "event: endpoint\ndata:\n\n"), "is no URL", nil},
		{"no URL", answer(200, eventType, "event: endpoint\ndata: http://[::1\n\n"), "is no URL", nil},
		{"long endpoint", answer(200, eventType, "event: endpoint\ndata: /"+strings.Repeat("x", 9000)+"\n\n"), "longer than 8192 bytes", nil},
		{"cut off endpoint", answer(200, eventType, "event: endpoint\ndata: /po"), "broke off", nil},
		{"message first", answer(200, eventType, "data: {}\n\n"), "does not begin with an endpoint", nil},
		{"ends", answer(200, eventType, ": nothing\n\n"), "ended without an endpoint", nil},
		{"silent", answer(200, eventType, ""), "no endpoint event within 50ms", nil},
		{"a page", answer(200, "text/html", "<html>"), "text/html", &content},
		{"unauthorized", answer(401, "text/plain", "who?"), "HTTP 401", &denied},
		{"not found", answer(404, "text/plain", "what?"), "HTTP 404", &failed},
		{"broken", answer(500, "text/plain", "ouch"), "HTTP 500", &failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.handle)
			_, err := SSE{URL: s.URL, EndpointTimeout: 50 * time.Millisecond}.Dial(t.Context(), Peer{})
			var connect *ConnectError
			if !errors.As(err, &connect) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a ConnectError with %q", err, tt.want)
			}
			if tt.as != nil && !errors.As(err, tt.as) {
				t.Errorf("got %v, which holds no %T", err, tt.as)
			}
		})
	}
}

// The end of the caller's patience is told as such.
func TestSSEDialGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
		h.Set("Content-Type", eventType)
		_, _ = io.WriteString(w, ": wait\n\n")
		cancel(errEnough)
		<-r.Context().Done()
	})
	if _, err := (SSE{URL: s.URL}).Dial(ctx, Peer{}); err != errEnough {
		t.Errorf("got %v, want the cause", err)
	}
}

// A POST that fails fails its call alone.
func TestSSEPostFails(t *testing.T) {
	for code, check := range map[int]func(error) bool{
		400: func(err error) bool { var e *HTTPError; return errors.As(err, &e) && e.Status == 400 },
		401: func(err error) bool { var e *AuthError; return errors.As(err, &e) },
		404: func(err error) bool { var e *HTTPError; return errors.As(err, &e) && e.Status == 404 },
		500: func(err error) bool { var e *HTTPError; return errors.As(err, &e) && e.Body == "no" },
		302: func(err error) bool { var e *RedirectError; return errors.As(err, &e) },
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if bytes.Contains(body, []byte("bad")) {
					w.(flushing).Header().Set("Location", "http://example.com/")
					status(w, code)
					_, _ = io.WriteString(w, "no")
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				echoPost(say, w, r)
			})
			c := dial(t, SSE{URL: s.URL}, Peer{})
			if _, err := call(t.Context(), c, Outgoing{Method: "bad"}); !check(err) {
				t.Errorf("got %T %v", err, err)
			}
			if err := c.Notify(t.Context(), &Outgoing{Method: "bad"}); !check(err) {
				t.Errorf("the notification: %T %v", err, err)
			}
			if got, err := call(t.Context(), c, Outgoing{Params: []byte(`{"n":1.0}`)}); err != nil || got != `{"n":1.0}` {
				t.Errorf("the call after it: %s, %v", got, err)
			}
		})
	}
}

// The loss of the stream ends the session.
func TestSSEStreamLost(t *testing.T) {
	for name, last := range map[string]string{"between events": "", "in an event": "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"resu"} {
		t.Run(name, func(t *testing.T) {
			s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
				status(w, http.StatusAccepted)
				if last != "" {
					say(last)
				}
				say("")
			})
			c := dial(t, SSE{URL: s.URL}, Peer{})
			var closed *jsonrpc.ClosedError
			for range 2 {
				if got, err := call(t.Context(), c, Outgoing{}); !errors.As(err, &closed) {
					t.Errorf("got %s, %v", got, err)
				}
			}
			if err := c.Listen(t.Context()); !errors.As(err, &closed) {
				t.Errorf("Listen: %v", err)
			}
		})
	}
}

// An answer may come before the POST's own, and a cancellation is a POST.
func TestSSECancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	told := make(chan string, 1)
	s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status(w, http.StatusAccepted)
		if bytes.Contains(body, []byte("notifications/cancelled")) {
			told <- string(body)
			return
		}
		cancel(errEnough)
	})
	c := dial(t, SSE{URL: s.URL}, Peer{})
	if _, err := call(ctx, c, Outgoing{Cancel: CancelNotice}); err != errEnough {
		t.Errorf("got %v, want the cause", err)
	}
	if got := <-told; !strings.Contains(got, `"requestId":1`) {
		t.Errorf("the server was told %s", got)
	}
}

// Requests of the server are answered by POSTs, also while a call waits; a
// batch of them is tolerated.
func TestSSEServerRequests(t *testing.T) {
	answers := make(chan string, 2)
	s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status(w, http.StatusAccepted)
		if bytes.Contains(body, []byte(`"method"`)) {
			say("data: [{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}]\n\n")
			return
		}
		answers <- string(body)
		if len(answers) == cap(answers) {
			say("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
		}
	})
	c := dial(t, SSE{URL: s.URL}, Peer{Handler: jsonrpc.Handler{
		Request: func(context.Context, *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
			return json.RawMessage(`{"ok":1}`), nil
		},
	}})
	if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != "{}" {
		t.Errorf("got %s, %v", got, err)
	}
	for range 2 {
		if got := <-answers; !strings.HasSuffix(got, `"result":{"ok":1}}`) {
			t.Errorf("answer %s", got)
		}
	}
}

// A large result goes through in pieces.
func TestSSELargeResult(t *testing.T) {
	const size, piece = 20_500_000, 1_000_000
	s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
		status(w, http.StatusAccepted)
		say("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"")
		for range size / piece {
			say(strings.Repeat("x", piece))
		}
		say(strings.Repeat("x", size%piece) + "\"}\n\n")
	})
	c := dial(t, SSE{URL: s.URL}, Peer{MaxMessage: 2 << 20})
	var n int64
	got, err := call(t.Context(), c, Outgoing{Result: func(r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, r)
		return err
	}})
	if err != nil || got != "streamed" || n != size+2 {
		t.Errorf("got %s of %d bytes, %v", got, n, err)
	}
}

// Every message is traced once, and requests with their HTTP side.
func TestSSETrace(t *testing.T) {
	s := oldServer(t, endpointHere, echoPost)
	events := make(chan Event, 10)
	c := dial(t, SSE{URL: s.URL + "/sse"}, Peer{Trace: func(e Event) { events <- e }})
	if _, err := call(t.Context(), c, Outgoing{Params: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]int) // the POST's answer and the event race
	for range 5 {
		e := <-events
		line := fmt.Sprintf("%t %s", e.Sent, e.Message)
		if e.HTTP != nil {
			line += fmt.Sprintf(" %s %s %d", e.HTTP.Method, strings.TrimPrefix(e.HTTP.URL, s.URL), e.HTTP.Status)
		}
		if e.Transport != "sse" {
			t.Errorf("transport %s", e.Transport)
		}
		got[line]++
	}
	for _, want := range []string{
		`true  GET /sse 0`,
		`false  GET /sse 200`,
		`true {"jsonrpc":"2.0","id":1,"method":"m","params":{}} POST /post?session=1 0`,
		`false  POST /post?session=1 202`,
		`false {"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		if got[want] != 1 {
			t.Errorf("no event %s in %v", want, got)
		}
	}
	if len(events) > 0 {
		t.Errorf("one more: %v", <-events)
	}
}

// Whatever a server names, messages stay with its origin.
func FuzzEndpoint(f *testing.F) {
	for _, text := range []string{"/post?session=1", "post", "//other/post", "http://h:80/x", "https://h/", "http://u:p@h/", "\\\\other", "http:/x", "?a", "#b", "http:other"} {
		f.Add(text)
	}
	stream, err := url.Parse("http://user:secret@h/a/sse?x=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		endpoint, err := resolveEndpoint(stream, text)
		if err != nil {
			return
		}
		req, err := http.NewRequest(http.MethodPost, endpoint, nil)
		if err != nil {
			t.Skip() // which fails the POST
		}
		if !sameOrigin(stream, req.URL) || req.URL.User.String() != "user:secret" {
			t.Errorf("%q leads to %s", text, endpoint)
		}
	})
}

// A server that ends the connection of a POST has failed that call.
func TestSSEPostBreaks(t *testing.T) {
	s := oldServer(t, endpointHere, func(say func(string), w io.Writer, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("bad")) {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		echoPost(say, w, r)
	})
	c := dial(t, SSE{URL: s.URL}, Peer{})
	var broken *BrokenError
	if _, err := call(t.Context(), c, Outgoing{Method: "bad"}); !errors.As(err, &broken) {
		t.Errorf("got %T %v", err, err)
	}
	if got, err := call(t.Context(), c, Outgoing{Params: []byte(`{}`)}); err != nil || got != "{}" {
		t.Errorf("the call after it: %s, %v", got, err)
	}
}
