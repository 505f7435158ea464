package auth_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"mcpq/mcp/auth"
	"mcpq/mcp/auth/authtest"
)

// followed gives the URL that a login ends at, without going there.
func followed(u string) (string, error) {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(u)
	if err != nil {
		return "", err
	}
	resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		return "", err
	}
	return to.String(), nil
}

// taken is a port that somebody else listens on.
func taken(t *testing.T) (port int, free func()) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).Port, func() { l.Close() }
}

// Where nothing can listen, the person brings the URL.
func TestNothingCanListen(t *testing.T) {
	s := start(t, authtest.Config{})
	port, _ := taken(t)
	s.options.Login = &auth.Login{
		Open:  s.browser.open,
		Port:  port,
		Paste: func(_ context.Context, u string) (string, error) { return followed(u) },
	}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if len(s.browser.opened()) != 0 {
		t.Error("a browser was opened that could not come back")
	}

	s = start(t, authtest.Config{})
	s.options.Login.Port = port
	if _, err := post(t, s.transport(t), s.URL, "tools/list"); !errors.As(err, new(*auth.BrowserError)) {
		t.Errorf("got %v", err)
	}
}

func TestCallbackPort(t *testing.T) {
	s := start(t, authtest.Config{})
	port, free := taken(t)
	free()
	s.options.Login.Port = port
	mustPost(t, s.transport(t), s.URL, "tools/list")
	u, err := url.Parse(s.browser.opened()[0])
	if err != nil {
		t.Fatal(err)
	}
	back, err := url.Parse(u.Query().Get("redirect_uri"))
	if err != nil || back.Port() != strconv.Itoa(port) || back.Path != "/callback" || back.Hostname() != "127.0.0.1" {
		t.Errorf("it comes back to %s", back)
	}

	// The registration is for that port. While somebody else has it, another
	// one is made.
	login := func() {
		s.options.Login = &auth.Login{Open: s.browser.open}
		if _, err := s.transport(t).Login(t.Context()); err != nil {
			t.Error(err)
		}
	}
	login()
	if n := s.Count("register"); n != 1 {
		t.Errorf("%d registrations", n)
	}
	l, err := net.Listen("tcp4", back.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	login()
	if n := s.Count("register"); n != 2 {
		t.Errorf("%d registrations", n)
	}
}

func TestLocalhostOnly(t *testing.T) {
	s := start(t, authtest.Config{LocalhostOnly: true})
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if !strings.Contains(s.browser.opened()[0], url.QueryEscape("http://localhost:")) {
		t.Errorf("opened: %s", s.browser.opened()[0])
	}
}

// What a person is told to open is held against the same rules.
func TestDeviceURL(t *testing.T) {
	for _, bad := range []string{"javascript://x.example/%0aalert(1)", "file:///etc/passwd", "http://as.example/activate", ""} {
		s := start(t, authtest.Config{Device: func(m map[string]any) { m["verification_uri"] = bad }})
		s.options.Grant = auth.Device
		shown := false
		s.options.Login = &auth.Login{Device: func(string, string, string) { shown = true }}
		_, err := post(t, s.transport(t), s.URL, "tools/list")
		if !errors.As(err, new(*auth.BlockedError)) || shown {
			t.Errorf("%q: shown %t, %v", bad, shown, err)
		}
	}
}

// A server that asks for nothing has no login.
func TestLoginForNothing(t *testing.T) {
	open := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp" {
			http.NotFound(w, r)
		}
	})
	s := start(t, authtest.Config{})
	plain := httptest.NewServer(open)
	defer plain.Close()
	s.options.Server = plain.URL + "/mcp"
	tr, err := auth.New(s.options)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tr.Login(t.Context())
	if !errors.As(err, new(*auth.MetadataError)) || !strings.Contains(err.Error(), "does not ask for a login") {
		t.Errorf("got %v", err)
	}
}
