package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"mcpq/commands/form"
	"mcpq/mcp/jsonrpc"
)

// page is a URL that a server wants visited.
type page struct {
	before, host, after string   // make up the URL as it is opened, all of it ASCII
	doubts              []string // why a person should look twice
}

func (p *page) url() string { return p.before + p.host + p.after }

// checkPage looks at a URL without ever fetching anything of it.
func checkPage(raw string) (*page, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return nil, errors.New("it is not the URL of a web page")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("it is not encrypted: only https may be opened, or http on this machine")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%q pages are not opened, only https", u.Scheme)
	}
	p := splitURL(u.String())
	doubt := func(text string) { p.doubts = append(p.doubts, text) }
	host := strings.ToLower(u.Hostname())
	for label := range strings.SplitSeq(host, ".") {
		if strings.HasPrefix(label, "xn--") {
			doubt("the host name is in Punycode (xn--): it may be made to look like another")
			break
		}
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		doubt("the host name has letters outside of ASCII: it may look like another")
	}
	if u.User != nil {
		doubt("the URL has a user name in front of the host; the host is what stands behind the @")
	}
	if net.ParseIP(host) != nil && !isLoopback(host) {
		doubt("the host is a bare address, not a name")
	}
	if isLoopback(host) {
		doubt("the page is on this machine")
	} else if port := u.Port(); port != "" && port != "443" {
		doubt("the port is unusual: " + port)
	}
	const long = 500
	if n := len(p.url()); n > long {
		doubt(fmt.Sprintf("the URL is very long: %d characters", n))
	}
	return p, nil
}

// splitURL finds the host in a URL the way browsers do: between the last @ of
// the authority and its end. What is not visible ASCII is escaped.
func splitURL(text string) *page {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	text = b.String()
	start := strings.Index(text, "://") + len("://")
	end := len(text)
	if i := strings.IndexAny(text[start:], `/?#\`); i >= 0 {
		end = start + i
	}
	start += strings.LastIndexByte(text[start:end], '@') + 1
	return &page{before: text[:start], host: text[start:end], after: text[end:]}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// elicitURL asks a person for consent to visit a web page, and opens it. To
// accept is to consent; what comes of the visit the server learns by itself.
func (r *runner) elicitURL(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var p elicitation
	_ = json.Unmarshal(params, &p) // what is missing shows below
	page, err := checkPage(p.URL)
	if err != nil {
		err = fmt.Errorf("the server asks to open %q: %w", p.URL, err)
		r.messages.Warningf("%v", err)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	ctx, cancel := r.untilEnd(ctx)
	defer cancel()
	if err := r.atTerminal(ctx); err != nil {
		return nil, err
	}
	defer r.leaveTerminal()
	answer := &form.Answer{}
	if r.visits[page.url()] {
		answer.Action, err = r.askAgain(ctx, page)
	} else {
		answer.Action, err = r.askVisit(ctx, page, p.Message)
	}
	if errors.Is(err, form.ErrClosed) {
		answer.Action, err = form.Cancel, nil
	}
	if err := r.dismissed(err, &answer); err != nil {
		return nil, err
	}
	return elicited(answer.Action, nil), nil
}

// askVisit shows what is to be opened and asks for consent.
func (r *runner) askVisit(ctx context.Context, p *page, message string) (string, error) {
	t := r.terminal
	t.Print("", t.Bold(r.serverName()+" asks you to open a web page:"))
	t.Quote(message)
	t.Print("", "  URL:  "+p.before+t.Bold(p.host)+p.after, "  Host: "+t.Bold(p.host))
	for _, doubt := range p.doubts {
		t.Warn(doubt)
	}
	said, err := t.Choose(ctx, "Open it in your browser? [y]es, [n]o (decline), [c]ancel: ", "yes", "no", "cancel", "decline")
	switch {
	case err != nil:
		return "", err
	case said == "cancel":
		return form.Cancel, nil
	case said != "yes":
		return form.Decline, nil
	}
	r.visits[p.url()] = true
	r.openPage(ctx, p)
	return form.Accept, nil
}

// askAgain is for a server that asks once more for a page that was opened: it
// is not done there yet.
func (r *runner) askAgain(ctx context.Context, p *page) (string, error) {
	t := r.terminal
	t.Print("", t.Bold(r.serverName()+" still waits for the page at "+p.host+" to be finished."))
	said, err := t.Choose(ctx, "[r]etry when it is, [o]pen it again, [c]ancel: ", "retry", "open", "cancel")
	switch {
	case err != nil:
		return "", err
	case said == "cancel":
		return form.Cancel, nil
	case said == "open":
		r.openPage(ctx, p)
	}
	return form.Accept, nil
}

// openPage opens a page that was consented to.
func (r *runner) openPage(ctx context.Context, p *page) {
	if err := openBrowser(ctx, r.env, p.url()); err != nil {
		r.terminal.Warn(fmt.Sprintf("no browser could be opened (%v): open the URL yourself", err))
		return
	}
	r.terminal.Print("Opened in your browser.")
}

// awaitVisits waits until the server says that the pages are done with, or the
// person does.
func (r *runner) awaitVisits(ctx context.Context, done <-chan struct{}) (again bool, err error) {
	ctx, end := r.untilEnd(ctx)
	defer end()
	if err := r.atTerminal(ctx); err != nil {
		return false, err
	}
	defer r.leaveTerminal()
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-done:
			cancel()
		case <-asking.Done():
		}
	}()
	if r.waited {
		r.terminal.Print("Not yet: the server still requires the visit.")
	} else {
		r.terminal.Print("The server says when the visit is over, or never does: retry when you are done.")
	}
	r.waited = true
	said, err := r.terminal.Choose(asking, "[r]etry now, [c]ancel: ", "retry", "cancel")
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case asking.Err() != nil:
		r.terminal.Print("The server says that it is done.")
		return true, nil
	case errors.Is(err, form.ErrClosed):
		return false, nil
	}
	return said == "retry", err
}
