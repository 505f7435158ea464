package auth

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const callbackPath = "/callback"

// redirect is where a login ends.
type redirect struct {
	port  int
	named bool // by the name of this machine instead of its address
}

func (r *redirect) uri() string {
	host := "127.0.0.1"
	if r.named {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(r.port)) + callbackPath
}

// callback waits for the browser to come back. Where nothing can listen the
// person has to bring the URL.
type callback struct {
	redirect
	server    *http.Server // nil: nothing listens
	serverErr error
	answers   chan *answer
	done      chan struct{} // closed when no answer is taken any more
	site      string
}

// answer is a browser that came back, or what a person pasted.
type answer struct {
	query url.Values
	page  chan bool // takes whether the login succeeded; nil when nobody looks
}

// show ends the browser's wait.
func (a *answer) show(ok bool) {
	if a.page != nil {
		a.page <- ok
	}
}

// listen opens the callback: on the port that is asked for, else on that of the
// registration there is, else on any.
func (t *Transport) listen(ctx context.Context, p *place) (*callback, error) {
	b := &callback{answers: make(chan *answer), done: make(chan struct{}), site: t.server.Host}
	b.port = t.options.Login.Port
	if known := t.registration(ctx, p); known != nil && b.port == 0 {
		if u, err := url.Parse(known.RedirectURI); err == nil {
			b.port, _ = strconv.Atoi(u.Port()) // 0 is any
			b.named = u.Hostname() == "localhost"
		}
	}
	l, err := listenLoopback(ctx, b.port)
	if err != nil && t.options.Login.Port == 0 && b.port != 0 {
		b.redirect = redirect{}
		l, err = listenLoopback(ctx, 0)
	}
	if err != nil {
		if t.options.Login.Paste == nil {
			return nil, &BrowserError{Err: err}
		}
		b.serverErr = err
		if b.port == 0 {
			const unused = 49152 // of the range for such uses; nothing has to listen there
			b.port = unused
		}
		return b, nil
	}
	b.port = l.Addr().(*net.TCPAddr).Port
	const patience = 10 * time.Second
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: patience, MaxHeaderBytes: 64 << 10}
	go func() { _ = b.server.Serve(l) }() // ends with close
	return b, nil
}

func listenLoopback(ctx context.Context, port int) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// close lets the last page be delivered.
func (b *callback) close() {
	close(b.done)
	if b.server == nil {
		return
	}
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if b.server.Shutdown(ctx) != nil {
		_ = b.server.Close()
	}
}

// ServeHTTP takes the answer, and shows how the login ended.
func (b *callback) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path != callbackPath || req.Method != http.MethodGet {
		http.NotFound(w, req)
		return
	}
	a := &answer{query: req.URL.Query(), page: make(chan bool, 1)}
	ok := false
	select {
	case b.answers <- a:
		select {
		case ok = <-a.page:
		case <-b.done:
			select {
			case ok = <-a.page:
			default:
			}
		}
	case <-b.done:
	case <-req.Context().Done():
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Connection", "close")
	title, text := "Logged in", "You are logged in to "+b.site+". This page can be closed."
	if !ok {
		title, text = "Not logged in", "The login to "+b.site+" failed. The terminal says why."
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, page(title, text)) // nobody may be there any more
}

func page(title, text string) string {
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s</title>
<style>body{font:1.2em/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1em}</style>
<h1>%s</h1>
<p>%s</p>
</html>
`, html.EscapeString(title), html.EscapeString(title), html.EscapeString(text))
}

// wait shows the URL and waits for the answer of this attempt, in whichever way
// it comes first. Answers of other attempts are dropped: any page that is open
// in a browser can make one up.
func (b *callback) wait(ctx context.Context, login *Login, a *attempt, u string) (*answer, error) {
	pasting, cancel := context.WithCancel(ctx)
	defer cancel()
	pasted := make(chan pasteResult, 1)
	paste := func() {
		go func() {
			text, err := login.Paste(pasting, u)
			pasted <- pasteResult{text, err}
		}()
	}
	opened := make(chan error, 1)
	if login.Open != nil && b.server != nil {
		go func() { opened <- login.Open(ctx, u) }()
	} else if login.Paste != nil {
		paste()
	} else {
		return nil, &BrowserError{Err: b.serverErr}
	}
	for {
		select {
		case got := <-b.answers:
			if a.mine(got.query) {
				return got, nil
			}
			got.show(false)
		case got := <-pasted:
			if got.err != nil {
				return nil, &BrowserError{Err: got.err}
			}
			return got.answer()
		case err := <-opened:
			if err == nil {
				continue
			}
			select { // the answer says more than the browser that brought it
			case got := <-b.answers:
				if a.mine(got.query) {
					return got, nil
				}
				got.show(false)
			default:
			}
			if login.Paste == nil {
				return nil, &BrowserError{Err: err}
			}
			paste()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

type pasteResult struct {
	text string
	err  error
}

// answer reads the URL that a browser was sent to, or its query alone.
func (p pasteResult) answer() (*answer, error) {
	text := strings.TrimSpace(p.text)
	if i := strings.IndexByte(text, '?'); i >= 0 {
		text = text[i+1:]
	}
	text, _, _ = strings.Cut(text, "#")
	q, err := url.ParseQuery(text)
	if err != nil || len(q) == 0 || text == "" {
		return nil, &BrowserError{Err: errors.New("what was pasted is not the URL that the browser ended at")}
	}
	return &answer{query: q}, nil
}
