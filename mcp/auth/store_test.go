package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mcpq/internal/credstore"
	"mcpq/mcp/auth"
	"mcpq/mcp/auth/authtest"
)

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newClock() *clock { return &clock{now: time.Now()} }

// stored is a store as programs use it: of the file system, and opened anew.
func stored(dir string) *credstore.Store { return &credstore.Store{Dir: dir} }

func TestStoredLogin(t *testing.T) {
	dir, now := t.TempDir(), newClock()
	s := start(t, authtest.Config{TokenLife: time.Hour, Now: now.Now})
	s.options.Now, s.options.Store = now.Now, stored(dir)
	mustPost(t, s.transport(t), s.URL, "tools/list")

	s.options.Login = nil
	s.options.Store = stored(dir)
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if got, want := s.Events(), "resource-metadata metadata register authorize code"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	// Before its end the token is renewed without a word from the server, and
	// without another look at metadata.
	now.advance(time.Hour - 10*time.Second)
	mustPost(t, s.transport(t), s.URL, "tools/list")
	// After a revocation it is renewed when the server says so.
	s.ExpireAll()
	tr := s.transport(t)
	mustPost(t, tr, s.URL, "tools/list")
	if got, want := s.Events(), "resource-metadata metadata register authorize code refresh resource-metadata metadata refresh"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// When nothing helps a login is asked for, and with one it goes on. The
	// registration is still good.
	s.ForgetAll()
	_, err := post(t, tr, s.URL, "tools/list")
	if !errors.As(err, new(*auth.LoginRequiredError)) {
		t.Errorf("got %v", err)
	}
	s.options.Login = &auth.Login{Open: s.browser.open}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if n := s.Count("register"); n != 1 {
		t.Errorf("%d registrations", n)
	}
}

// Ten that renew one token, which is good for one use, do not lose it.
func TestParallelRefresh(t *testing.T) {
	dir, now := t.TempDir(), newClock()
	s := start(t, authtest.Config{Now: now.Now})
	s.options.Now, s.options.Store = now.Now, stored(dir)
	mustPost(t, s.transport(t), s.URL, "tools/list")
	for round := range 3 {
		now.advance(2 * time.Hour)
		var all sync.WaitGroup
		for range 10 {
			s.options.Store = stored(dir)
			s.options.Login = nil
			tr := s.transport(t)
			all.Go(func() {
				if status, err := post(t, tr, s.URL, "tools/list"); err != nil || status != http.StatusOK {
					t.Errorf("status %d, %v", status, err)
				}
			})
		}
		all.Wait()
		if n := s.Count("refresh"); n != round+1 {
			t.Errorf("%d refreshes after %d rounds", n, round+1)
		}
	}
	if n := s.Count("refused"); n != 0 {
		t.Errorf("a refresh token was used twice, %d times", n)
	}
}

// Many requests of one client that find out together log in once.
func TestParallelLogin(t *testing.T) {
	s := start(t, authtest.Config{})
	tr := s.transport(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if status, err := post(t, tr, s.URL, "tools/list"); err != nil || status != http.StatusOK {
				t.Errorf("status %d, %v", status, err)
			}
		})
	}
	all.Wait()
	if n := s.Count("authorize"); n != 1 {
		t.Errorf("%d logins", n)
	}
}

func TestLogout(t *testing.T) {
	dir := t.TempDir()
	for _, methods := range [][]string{{"none"}, {"client_secret_basic"}, {"client_secret_post"}} {
		s := start(t, authtest.Config{AuthMethods: methods})
		s.options.Store = stored(dir)
		status, err := s.transport(t).Login(t.Context())
		if err != nil || status.Issuer != s.Issuer || status.Expired || !status.Refreshable {
			t.Fatalf("got %+v, %v", status, err)
		}
		tr := s.transport(t)
		token, err := tr.AccessToken(t.Context())
		if err != nil || token == "" {
			t.Fatal(err)
		}
		removed, revoked, err := tr.Logout(t.Context())
		if removed != 1 || revoked != 1 || err != nil {
			t.Errorf("removed %d, revoked %d, %v", removed, revoked, err)
		}
		if data, err := stored(dir).Load(t.Context(), auth.Key(s.URL)); data != nil || err != nil {
			t.Errorf("left: %s, %v", data, err)
		}
		s.options.Token, s.options.Login = token, nil
		if status, err := post(t, s.transport(t), s.URL, "tools/list"); status != http.StatusUnauthorized || err != nil {
			t.Errorf("the revoked token got %d, %v", status, err)
		}
	}
}

// Credentials of one server are never used for another, nor is a client for
// another authorization server.
func TestServersApart(t *testing.T) {
	dir := t.TempDir()
	one, two := start(t, authtest.Config{}), start(t, authtest.Config{})
	for _, s := range []*setting{one, two} {
		s.options.Store = stored(dir)
		mustPost(t, s.transport(t), s.URL, "tools/list")
		if got, want := s.Events(), "resource-metadata metadata register authorize code"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A server that moves to another authorization server gets a new registration
// there, and the other one never sees the old client.
func TestMovedIssuer(t *testing.T) {
	other := authtest.Start(authtest.Config{})
	defer other.Close()
	issuer := ""
	s := start(t, authtest.Config{Resource: func(m map[string]any) {
		if issuer != "" {
			m["authorization_servers"] = []string{issuer}
		}
	}})
	tr := s.transport(t)
	mustPost(t, tr, s.URL, "tools/list")
	issuer = other.Issuer
	s.ExpireAll()
	// It does not know this resource, and ends the login with a page of its own.
	if _, err := post(t, tr, s.URL, "tools/list"); !errors.As(err, new(*auth.BrowserError)) {
		t.Errorf("got %v", err)
	}
	if got, want := other.Events(), "metadata register authorize"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.Count("refresh") != 0 {
		t.Error("the old authorization server was asked again")
	}
}

// The token goes to the server's origin alone, redirects included.
func TestNoTokenElsewhere(t *testing.T) {
	var leaked []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		leaked = append(leaked, r.Header.Get("Authorization")+r.Header.Get("DPoP"))
	}))
	defer other.Close()
	s := start(t, authtest.Config{Handler: http.RedirectHandler(other.URL+"/mcp", http.StatusTemporaryRedirect)})
	client := &http.Client{Transport: s.transport(t)}
	resp, err := client.Post(s.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if len(leaked) != 1 || leaked[0] != "" {
		t.Errorf("the other origin got %q", leaked)
	}
}

// A header of the user's own is left alone.
func TestOwnHeader(t *testing.T) {
	s := start(t, authtest.Config{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader("{}"))
	req.Header.Set("Authorization", "Bearer mine")
	resp, err := s.transport(t).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized || s.Events() != "" {
		t.Errorf("status %d after %q", resp.StatusCode, s.Events())
	}
}

// Credentials do not go over http to another machine.
func TestPlainHTTP(t *testing.T) {
	sent := 0
	base := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		sent++
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
	})
	o := auth.Options{Server: "http://mcp.example.com/mcp", Base: base, Token: "the-token"}
	for _, plain := range []bool{false, true} {
		o.Plain = plain
		tr, err := auth.New(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = post(t, tr, o.Server, "tools/list")
		if (err == nil) != plain {
			t.Errorf("allowed %t: %v", plain, err)
		}
	}
	if sent != 1 {
		t.Errorf("%d requests", sent)
	}
}

// A request that is given up while it waits for a login ends at once.
func TestCancelledLogin(t *testing.T) {
	s := start(t, authtest.Config{})
	opened := make(chan struct{})
	s.options.Login.Open = func(ctx context.Context, _ string) error {
		close(opened)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	go func() {
		<-opened
		cancel(cause)
	}()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader("{}"))
	if _, err := s.transport(t).RoundTrip(req); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

// A server that refuses every token is given a new one once, not for ever.
func TestNeverSatisfied(t *testing.T) {
	s := start(t, authtest.Config{})
	mustPost(t, s.transport(t), s.URL, "tools/list")
	s.options.Base = roundTripFunc(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer something else")
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	tr, err := auth.New(s.options)
	if err != nil {
		t.Fatal(err)
	}
	status, err := post(t, tr, s.URL, "tools/list")
	if err != nil || status != http.StatusUnauthorized {
		t.Errorf("status %d, %v", status, err)
	}
	// What was stored is renewed, then replaced.
	if s.Count("refresh") != 1 || s.Count("authorize") != 2 {
		t.Errorf("happened: %s", s.Events())
	}
}

// Shortly before its end a token that cannot be renewed is still good; after it
// the failure counts.
func TestLastMoments(t *testing.T) {
	now := newClock()
	s := start(t, authtest.Config{Now: now.Now, TokenLife: time.Hour})
	s.options.Now = now.Now
	mustPost(t, s.transport(t), s.URL, "tools/list")
	// Exchanges fail from now on: everything but the server is out of reach.
	s.options.Network = &http.Transport{Proxy: func(r *http.Request) (*url.URL, error) {
		if strings.HasPrefix(r.URL.String(), s.Issuer) {
			return nil, errors.New("no way there")
		}
		return nil, nil
	}}
	now.advance(time.Hour - 10*time.Second)
	mustPost(t, s.transport(t), s.URL, "tools/list")
	now.advance(time.Minute)
	if _, err := post(t, s.transport(t), s.URL, "tools/list"); !errors.As(err, new(*auth.FetchError)) {
		t.Errorf("got %v", err)
	}
	s.options.Network = nil
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if s.Count("refresh") != 1 || s.Count("authorize") != 1 {
		t.Errorf("happened: %s", s.Events())
	}
}
