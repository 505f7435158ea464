package mcptest

import (
	"io"
	"net"
	"net/http"
	"strings"
)

// httpSink is one HTTP response, JSON or an event stream.
type httpSink struct {
	w         http.ResponseWriter
	r         *http.Request
	status    int
	statusSet bool
	sse       bool
	eventEnd  string // line end inside events
	eventID   string

	started  bool
	answered bool     // as far as the script wants it to be
	conn     net.Conn // taken from the server
}

func (h *httpSink) message(t *turn, body write, news bool) error {
	if news && !h.started {
		h.sse = true
	}
	if !news {
		h.answered = true
	}
	if !h.sse {
		return h.write(t, "application/json", body)
	}
	return h.write(t, "text/event-stream", func(w io.Writer) error {
		if h.eventID != "" {
			if _, err := io.WriteString(w, "id: "+h.eventID+h.lineEnd()); err != nil {
				return err
			}
			h.eventID = ""
		}
		return writeEvent(w, "", h.lineEnd(), body)
	})
}

func (h *httpSink) raw(t *turn, body write) error {
	h.answered = true
	return h.write(t, h.contentType(), body)
}

func (h *httpSink) contentType() string {
	if h.sse {
		return "text/event-stream"
	}
	return "application/json"
}

func (h *httpSink) hang(t *turn) error {
	if h.started {
		if err := h.flush(); err != nil {
			return err
		}
	}
	<-t.ctx.Done()
	return t.ctx.Err()
}

// start sends the status line and the headers, once.
func (h *httpSink) start(contentType string) {
	if h.started {
		return
	}
	h.started = true
	header := h.w.Header()
	if _, set := header["Content-Type"]; !set && contentType != "" {
		header.Set("Content-Type", contentType)
	}
	h.w.WriteHeader(h.status)
}

// write sends a part of the body.
func (h *httpSink) write(t *turn, contentType string, body write) error {
	h.start(contentType)
	if t.pace.size == 0 && !h.sse {
		// Left to the server's own buffer, a small answer gets a Content-Length.
		return writeThrough(t.ctx, h.w, noFlush, t.pace, body)
	}
	return writeThrough(t.ctx, h.w, h.flush, t.pace, body)
}

func (h *httpSink) flush() error {
	return http.NewResponseController(h.w).Flush()
}

// finish ends a response in the normal way. One that has said nothing is 202.
func (h *httpSink) finish() {
	if h.conn != nil {
		_ = h.conn.Close()
		return
	}
	if !h.started {
		if h.status == http.StatusOK && !h.statusSet && h.r.Method == http.MethodPost {
			h.status = http.StatusAccepted
		}
		h.start("")
	}
}

// hijack takes the connection, with the headers sent.
func (h *httpSink) hijack() (net.Conn, error) {
	if h.conn != nil {
		return h.conn, nil
	}
	h.start(h.contentType())
	if err := h.flush(); err != nil {
		return nil, err
	}
	conn, _, err := http.NewResponseController(h.w).Hijack()
	h.conn = conn
	return conn, err
}

// abort closes the connection where the response stands.
func (h *httpSink) abort() {
	if h.conn != nil {
		_ = h.conn.Close()
		return
	}
	// The server's own way, which logs nothing.
	panic(http.ErrAbortHandler)
}

func (h *httpSink) lineEnd() string {
	if h.eventEnd == "" {
		return "\n"
	}
	return h.eventEnd
}

// writeEvent writes one server-sent event. A line feed in the body begins
// another data line.
func writeEvent(w io.Writer, event, end string, body write) error {
	if event != "" {
		if _, err := io.WriteString(w, "event: "+event+end); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, "data: "); err != nil {
		return err
	}
	if err := body(&dataLines{w: w, end: end}); err != nil {
		return err
	}
	_, err := io.WriteString(w, end+end)
	return err
}

// dataLines puts the field name in front of every line but the first.
type dataLines struct {
	w   io.Writer
	end string
}

func (d *dataLines) Write(p []byte) (int, error) {
	for rest := string(p); ; {
		line, more, found := strings.Cut(rest, "\n")
		if _, err := io.WriteString(d.w, line); err != nil {
			return 0, err
		}
		if !found {
			return len(p), nil
		}
		if _, err := io.WriteString(d.w, d.end+"data: "); err != nil {
			return 0, err
		}
		rest = more
	}
}
