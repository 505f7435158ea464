package mcptest

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// parseHTTPStep reads the steps that touch an HTTP response.
func (r *rule) parseHTTPStep(word, rest string) (step, error) {
	text, err := parseTemplate(rest)
	if err != nil {
		return nil, err
	}
	switch word {
	case "status", "body", "redirect", "end", "abort", "reset", "bad-chunk":
		r.answers = true
	}
	run, err := httpStep(word, rest, text)
	if err != nil {
		return nil, err
	}
	return func(t *turn) error {
		h, ok := t.sink.(*httpSink)
		if !ok {
			return &UnsupportedError{Step: word}
		}
		return run(t, h)
	}, nil
}

func httpStep(word, rest string, text template) (func(*turn, *httpSink) error, error) {
	switch word {
	case "status":
		code, err := strconv.Atoi(rest)
		return func(_ *turn, h *httpSink) error {
			h.status, h.statusSet = code, true
			return nil
		}, err
	case "header":
		return func(t *turn, h *httpSink) error {
			line, err := text.text(t)
			name, value, _ := strings.Cut(line, ":")
			h.w.Header().Add(strings.TrimSpace(name), strings.TrimSpace(value))
			return err
		}, nil
	case "redirect":
		code, url := cutWord(rest)
		number, err := strconv.Atoi(code)
		if err != nil {
			return nil, err
		}
		target, err := parseTemplate(url)
		return func(t *turn, h *httpSink) error {
			h.status, h.statusSet = number, true
			location, err := target.text(t)
			h.w.Header().Set("Location", location)
			return err
		}, err
	case "body":
		kind, content := cutWord(rest)
		body, err := parseTemplate(content)
		return func(t *turn, h *httpSink) error {
			h.answered = true
			return h.write(t, kind, func(w io.Writer) error { return body.expand(w, t) })
		}, err
	case "sse":
		if rest != "" {
			if err := choose(new(string), rest, "lf", "crlf", "cr"); err != nil {
				return nil, err
			}
		}
		return func(t *turn, h *httpSink) error {
			h.sse, h.eventEnd = true, lineEnd(rest)
			return h.write(t, "text/event-stream", func(io.Writer) error { return nil })
		}, nil
	case "comment":
		return eventLines(text, func(h *httpSink, s string) string { return ": " + s + h.lineEnd() }), nil
	case "event-id":
		return func(t *turn, h *httpSink) (err error) {
			h.eventID, err = text.text(t)
			return err
		}, nil
	case "prime":
		return eventLines(text, func(h *httpSink, s string) string {
			return "id: " + s + h.lineEnd() + "data: " + h.lineEnd() + h.lineEnd()
		}), nil
	case "retry":
		return eventLines(text, func(h *httpSink, s string) string {
			return "retry: " + s + h.lineEnd() + h.lineEnd()
		}), nil
	}
	return endStep(word)
}

// eventLines writes a part of an event stream that is no message.
func eventLines(text template, form func(h *httpSink, s string) string) func(*turn, *httpSink) error {
	return func(t *turn, h *httpSink) error {
		s, err := text.text(t)
		if err != nil {
			return err
		}
		if !h.started {
			h.sse = true
		}
		return h.write(t, "text/event-stream", func(w io.Writer) error {
			_, err := io.WriteString(w, form(h, s))
			return err
		})
	}
}

// endStep reads the steps that end a response, one way or the other.
func endStep(word string) (func(*turn, *httpSink) error, error) {
	switch word {
	case "end":
		return func(_ *turn, h *httpSink) error {
			h.answered = true
			if h.sse {
				h.start("text/event-stream")
			}
			return nil
		}, nil
	case "abort":
		return func(_ *turn, h *httpSink) error {
			_, err := h.hijack()
			return err
		}, nil
	case "reset":
		return func(_ *turn, h *httpSink) error {
			conn, err := h.hijack()
			if tcp, ok := conn.(*net.TCPConn); ok {
				// No lingering makes Close send a reset.
				return tcp.SetLinger(0)
			}
			return err
		}, nil
	case "bad-chunk":
		return func(_ *turn, h *httpSink) error {
			conn, err := h.hijack()
			if err != nil {
				return err
			}
			_, err = io.WriteString(conn, "this is no chunk size\r\n")
			return err
		}, nil
	}
	return nil, fmt.Errorf("unknown step %q", word)
}
