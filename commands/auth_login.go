package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"mcpq/commands/servers"
	"mcpq/mcp/auth"
	"mcpq/output"
)

// loginPatience is how long a person may take to log in.
const loginPatience = 5 * time.Minute

// login is how a person is asked, or nil if there is nobody to ask: an ordinary
// command opens a browser when there is a terminal, or when it was told which
// browser; never just so from a script.
func (r *runner) login(server string, askedFor bool) *auth.Login {
	f := &r.grammar.AuthFlags
	terminal := r.openTerminal()
	l := &auth.Login{Port: f.CallbackPort, Patience: loginPatience, Device: r.showDevice}
	host := server
	if u, err := url.Parse(server); err == nil {
		host = u.Host
	}
	if !f.NoBrowser && (terminal || askedFor || f.Browser != "" || r.env.Getenv("BROWSER") != "") {
		l.Open = func(ctx context.Context, u string) error { return r.openLogin(ctx, host, u) }
	}
	if terminal || f.NoBrowser && askedFor {
		l.Paste = func(ctx context.Context, u string) (string, error) { return r.pasteLogin(ctx, host, u) }
	}
	if l.Open == nil && l.Paste == nil && !f.Device && f.OAuth != string(auth.Device) {
		return nil
	}
	return l
}

// tell shows lines to the person: on the terminal, else on stderr.
func (r *runner) tell(lines ...string) {
	for _, l := range lines {
		if r.terminal != nil {
			r.terminal.Print(output.SafeLine(l))
		} else {
			r.messages.Line(l)
		}
	}
}

// openLogin shows the URL in a browser.
func (r *runner) openLogin(ctx context.Context, host, u string) error {
	if r.terminal != nil {
		if err := r.atTerminal(ctx); err != nil {
			return err
		}
		r.tell("Log in to "+output.SafeLine(host)+" in your browser. If it does not open, go to:", "", "  "+u, "")
		r.leaveTerminal()
	}
	command := r.grammar.Browser
	if command == "" {
		return openBrowser(ctx, r.env, u)
	}
	words, err := servers.Words(command)
	if err != nil || len(words) == 0 {
		return fmt.Errorf("--browser %q is no command", command)
	}
	given := false
	for i := range words[1:] {
		if strings.Contains(words[i+1], "%s") {
			words[i+1], given = strings.ReplaceAll(words[i+1], "%s", u), true
		}
	}
	if !given {
		words = append(words, u)
	}
	// It is not ended with the login: it may be about to show the last page.
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = r.env.Environ()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pasteLogin has the person open the URL somewhere, and say where it ended.
func (r *runner) pasteLogin(ctx context.Context, host, u string) (string, error) {
	lines := []string{
		"Log in to " + output.SafeLine(host) + ": open this URL in any browser.", "", "  " + u, "",
		"It ends at a page on this machine (127.0.0.1 or localhost) that need not load.",
	}
	const prompt = "Paste the URL of that page here: "
	if r.terminal == nil {
		r.tell(append(lines, strings.TrimSpace(prompt))...)
		return r.readLine(ctx)
	}
	if err := r.atTerminal(ctx); err != nil {
		return "", err
	}
	defer r.leaveTerminal()
	r.tell(lines...)
	return r.terminal.ReadLine(ctx, prompt)
}

// readLine reads a line of standard input.
func (r *runner) readLine(ctx context.Context) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		const longest = 64 << 10
		text, err := bufio.NewReader(io.LimitReader(r.env.In, longest)).ReadString('\n')
		if text != "" && errors.Is(err, io.EOF) {
			err = nil
		}
		done <- result{text, err}
	}()
	select {
	case got := <-done:
		if errors.Is(got.err, io.EOF) {
			return "", errors.New("nothing was pasted: standard input has ended")
		}
		return got.text, got.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// showDevice says where to type in which code.
func (r *runner) showDevice(u, code, complete string) {
	r.tell("Open this URL on any device, and type the code in there:", "", "  "+output.SafeLine(u), "  code: "+output.SafeLine(code), "")
	if complete != "" && complete != u {
		r.tell("With this URL nothing has to be typed:", "", "  "+output.SafeLine(complete), "")
	}
}
