package auth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"mcpq/mcp/auth"
	"mcpq/mcp/auth/authtest"
)

// secretsSeen collects what must not be shown.
type secretsSeen struct {
	mu  sync.Mutex
	all []string
}

func (s *secretsSeen) hide(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if text != "" {
			s.all = append(s.all, text)
		}
	}
}

// check fails when a text has a secret in it.
func (s *secretsSeen) check(t *testing.T, what, text string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.all {
		if strings.Contains(text, secret) {
			t.Errorf("%s has a secret in it: %s", what, text)
		}
	}
}

// browser follows redirects as a browser does, and keeps what it was shown.
type browser struct {
	busy  sync.WaitGroup
	mu    sync.Mutex
	urls  []string
	pages []string
}

func (b *browser) open(_ context.Context, u string) error {
	b.busy.Add(1)
	defer b.busy.Done()
	resp, err := http.Get(u) // the last page comes when the login has ended
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.urls, b.pages = append(b.urls, u), append(b.pages, fmt.Sprintf("%d %s", resp.StatusCode, body))
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	return nil
}

func (b *browser) lastPage() string {
	b.busy.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pages) == 0 {
		return ""
	}
	return b.pages[len(b.pages)-1]
}

// opened are the URLs it was given.
func (b *browser) opened() []string {
	b.busy.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.urls
}

// scopesAsked are those of each login.
func (b *browser) scopesAsked() []string {
	b.busy.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []string
	for _, u := range b.urls {
		parsed, _ := url.Parse(u)
		all = append(all, parsed.Query().Get("scope"))
	}
	return all
}

// setting is a protected server and a client for it.
type setting struct {
	*authtest.Server
	browser browser
	secrets secretsSeen
	options auth.Options
}

func start(t *testing.T, config authtest.Config) *setting {
	s := &setting{Server: authtest.Start(config)}
	t.Cleanup(s.Close)
	s.options = auth.Options{Server: s.URL, Hide: s.secrets.hide, Store: new(auth.Memory)}
	s.options.Notice = func(text string) { s.secrets.check(t, "a notice", text) }
	s.options.Login = &auth.Login{Open: s.browser.open}
	return s
}

func (s *setting) transport(t *testing.T) *auth.Transport {
	t.Helper()
	base := http.DefaultTransport.(*http.Transport).Clone()
	s.options.Base = base
	tr, err := auth.New(s.options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// post sends a message of that method and gives the status.
func post(t *testing.T, tr http.RoundTripper, u, method string) (int, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := tr.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, nil
}

func mustPost(t *testing.T, tr http.RoundTripper, u, method string) {
	t.Helper()
	if status, err := post(t, tr, u, method); err != nil || status != http.StatusOK {
		t.Fatalf("%s: status %d, %v", method, status, err)
	}
}

func TestLogin(t *testing.T) {
	for _, c := range []struct {
		name   string
		config authtest.Config
		want   string
	}{
		{"registered", authtest.Config{}, "resource-metadata metadata register authorize code"},
		{"with a secret", authtest.Config{AuthMethods: []string{"client_secret_basic"}}, "resource-metadata metadata register authorize code"},
		{"with a posted secret", authtest.Config{AuthMethods: []string{"client_secret_post"}}, "resource-metadata metadata register authorize code"},
		{"without a hint", authtest.Config{NoHint: true}, "resource-metadata metadata register authorize code"},
		{"2025-03-26", authtest.Config{NoResource: true}, "metadata register authorize code"},
		{"DPoP", authtest.Config{DPoP: true}, "resource-metadata metadata register authorize code"},
		{"DPoP with nonces", authtest.Config{DPoP: true, DPoPNonce: true}, "resource-metadata metadata register authorize code"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, c.config)
			tr := s.transport(t)
			mustPost(t, tr, s.URL, "tools/list")
			mustPost(t, tr, s.URL, "tools/list")
			if got := s.Events(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if page := s.browser.lastPage(); !strings.HasPrefix(page, "200 ") || !strings.Contains(page, "<h1>Logged in</h1>") {
				t.Errorf("the last page is %s", page)
			}
			s.secrets.check(t, "the URL shown", strings.Join(s.browser.opened(), " "))
		})
	}
}

func TestLoginRefused(t *testing.T) {
	other := "https://other.example"
	for _, c := range []struct {
		name   string
		config authtest.Config
		want   string // in the error
		events string // that must not have happened
	}{
		{"issuer", authtest.Config{Metadata: func(m map[string]any) { m["issuer"] = other }}, `issuer is "https://other.example"`, "authorize"},
		{"issuer with a slash", authtest.Config{Metadata: func(m map[string]any) { m["issuer"] = m["issuer"].(string) + "/" }}, "its issuer is", "authorize"},
		{"no PKCE", authtest.Config{Metadata: func(m map[string]any) { delete(m, "code_challenge_methods_supported") }}, "PKCE", "authorize"},
		{"plain PKCE", authtest.Config{Metadata: func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} }}, "PKCE", "authorize"},
		{"resource", authtest.Config{Resource: func(m map[string]any) { m["resource"] = other + "/mcp" }}, "it is for the resource", "authorize"},
		{"resource beside", authtest.Config{Resource: func(m map[string]any) { m["resource"] = m["resource"].(string) + "2" }}, "it is for the resource", "authorize"},
		{"no resource", authtest.Config{Resource: func(m map[string]any) { delete(m, "resource") }}, "names no resource", "authorize"},
		{"no servers", authtest.Config{Resource: func(m map[string]any) { delete(m, "authorization_servers") }}, "no authorization server", "authorize"},
		{"javascript", authtest.Config{Metadata: func(m map[string]any) { m["authorization_endpoint"] = "javascript://x.example/%0aalert(1)" }}, "it is no https URL", "register"},
		{"file", authtest.Config{Metadata: func(m map[string]any) { m["authorization_endpoint"] = "file:///etc/passwd" }}, "it is no https URL", "register"},
		{"http", authtest.Config{Metadata: func(m map[string]any) { m["token_endpoint"] = "http://as.example/token" }}, "it is not https", "code"},
		{"iss", authtest.Config{Answer: func(q url.Values) { q.Set("iss", other) }}, "it is from the issuer", "code"},
		{"iss with a slash", authtest.Config{Answer: func(q url.Values) { q.Set("iss", q.Get("iss")+"/") }}, "it is from the issuer", "code"},
		{"iss twice", authtest.Config{Answer: func(q url.Values) { q.Add("iss", q.Get("iss")) }}, "it is from the issuer", "code"},
		{"iss missing", authtest.Config{Answer: func(q url.Values) { q.Del("iss") }}, "which issuer", "code"},
		{"error of another issuer", authtest.Config{Answer: func(q url.Values) {
			q.Del("code")
			q.Set("iss", other)
			q.Set("error", "access_denied")
			q.Set("error_description", "call this number")
		}}, "it is from the issuer", "code"},
		{"denied", authtest.Config{Answer: func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }}, "login refused: access_denied", "code"},
		{"not bound", authtest.Config{DPoP: true, Token: func(m map[string]any) { m["token_type"] = "Bearer" }}, "bound to our key", ""},
		{"no registration", authtest.Config{Metadata: func(m map[string]any) { delete(m, "registration_endpoint") }}, "told a client id", "authorize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, c.config)
			_, err := post(t, s.transport(t), s.URL, "tools/list")
			var denied *auth.Error
			if !errors.As(err, &denied) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), "call this number") {
				t.Error("the description of a stranger is shown")
			}
			if c.events != "" && s.Count(c.events) != 0 {
				t.Errorf("happened: %s", s.Events())
			}
			s.secrets.check(t, "the error", err.Error())
			if page := s.browser.lastPage(); page != "" && !strings.HasPrefix(page, "400 ") {
				t.Errorf("the last page is %s", page)
			}
		})
	}
}

// An answer with the state of another login is dropped: any page in a browser
// can send one. The login goes on.
func TestForeignState(t *testing.T) {
	s := start(t, authtest.Config{})
	s.options.Login.Open = func(ctx context.Context, u string) error {
		parsed, _ := url.Parse(u)
		forged := browser{}
		back := parsed.Query().Get("redirect_uri") + "?code=evil&state=forged&iss=" + url.QueryEscape(s.Issuer)
		if err := forged.open(ctx, back); err == nil {
			t.Error("the forged answer was welcome")
		}
		if page := forged.lastPage(); !strings.HasPrefix(page, "400 ") {
			t.Errorf("the forged answer got %s", page)
		}
		return s.browser.open(ctx, u)
	}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if n := s.Count("code"); n != 1 {
		t.Errorf("%d codes were redeemed", n)
	}
}

// Nobody is asked when that is not allowed.
func TestLoginRequired(t *testing.T) {
	s := start(t, authtest.Config{})
	s.options.Login = nil
	_, err := post(t, s.transport(t), s.URL, "tools/list")
	var needed *auth.LoginRequiredError
	if !errors.As(err, &needed) || needed.Server != s.URL {
		t.Errorf("got %v", err)
	}
	if s.Count("register")+s.Count("authorize") != 0 {
		t.Errorf("happened: %s", s.Events())
	}
}

func TestPaste(t *testing.T) {
	for name, cut := range map[string]func(*url.URL) string{
		"URL":   func(u *url.URL) string { return " " + u.String() + "\n" },
		"query": func(u *url.URL) string { return u.RawQuery },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, authtest.Config{})
			s.options.Login = &auth.Login{Paste: func(ctx context.Context, u string) (string, error) {
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
				return cut(to), nil
			}}
			mustPost(t, s.transport(t), s.URL, "tools/list")
		})
	}
	s := start(t, authtest.Config{})
	s.options.Login = &auth.Login{Paste: func(context.Context, string) (string, error) { return "?code=x&state=y", nil }}
	_, err := post(t, s.transport(t), s.URL, "tools/list")
	var refused *auth.AnswerError
	if !errors.As(err, &refused) || s.Count("code") != 0 {
		t.Errorf("got %v after %s", err, s.Events())
	}
}

func TestStepUp(t *testing.T) {
	s := start(t, authtest.Config{ChallengeScope: "basic", CallScope: "write"})
	tr := s.transport(t)
	mustPost(t, tr, s.URL, "tools/list")
	mustPost(t, tr, s.URL, "tools/call")
	mustPost(t, tr, s.URL, "tools/call")
	if got := fmt.Sprint(s.browser.scopesAsked()); got != "[basic basic write]" {
		t.Errorf("scopes asked for: %s", got)
	}
	if n := s.Count("register"); n != 1 {
		t.Errorf("%d registrations", n)
	}

	// Another run, which finds what was stored.
	s.options.Login = nil
	mustPost(t, s.transport(t), s.URL, "tools/call")
}

// A server that is never satisfied is not asked for ever.
func TestStepUpEnds(t *testing.T) {
	s := start(t, authtest.Config{ChallengeScope: "basic"})
	n := 0
	stubborn := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && resp.StatusCode == http.StatusOK && strings.HasSuffix(r.URL.Path, "/mcp") {
			n++
			resp.StatusCode = http.StatusForbidden
			resp.Header.Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="more%d"`, n))
		}
		return resp, err
	})
	s.options.Base = stubborn
	tr, err := auth.New(s.options)
	if err != nil {
		t.Fatal(err)
	}
	status, err := post(t, tr, s.URL, "tools/list")
	if err != nil || status != http.StatusForbidden {
		t.Errorf("status %d, %v", status, err)
	}
	if got := s.Count("authorize"); got != 3 {
		t.Errorf("%d logins: %q", got, s.browser.scopesAsked())
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestDevice(t *testing.T) {
	s := start(t, authtest.Config{Approvals: 1})
	s.options.Grant = auth.Device
	var shown []string
	s.options.Login = &auth.Login{Device: func(u, code, complete string) { shown = append(shown, u, code, complete) }}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if got := strings.Join(shown, " "); got != s.Issuer+"/activate ABCD-EFGH " {
		t.Errorf("shown: %q", got)
	}
}
