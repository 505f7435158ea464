package auth

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestNearness(t *testing.T) {
	for _, c := range []struct {
		addr string
		want reach
		ok   bool
	}{
		{"8.8.8.8", reachPublic, true},
		{"2606:4700::1111", reachPublic, true},
		{"10.1.2.3", reachPrivate, true},
		{"172.16.0.1", reachPrivate, true},
		{"192.168.1.1", reachPrivate, true},
		{"100.64.0.1", reachPrivate, true},
		{"fd00::1", reachPrivate, true},
		{"fec0::1", reachPrivate, true},
		{"127.0.0.1", reachLoopback, true},
		{"127.9.9.9", reachLoopback, true},
		{"::1", reachLoopback, true},
		{"::ffff:127.0.0.1", reachLoopback, true},
		{"::ffff:10.0.0.1", reachPrivate, true},
		{"64:ff9b::7f00:1", reachLoopback, true},
		{"64:ff9b::a9fe:a9fe", 0, false},
		{"2002:7f00:1::", reachLoopback, true},
		{"2002:0a00:1::", reachPrivate, true},
		{"169.254.169.254", 0, false},
		{"::ffff:169.254.169.254", 0, false},
		{"fe80::1", 0, false},
		{"fe80::1%eth0", 0, false},
		{"0.0.0.0", 0, false},
		{"0.1.2.3", 0, false},
		{"::", 0, false},
		{"224.0.0.1", 0, false},
		{"ff02::1", 0, false},
		{"240.0.0.1", reachPrivate, true},
	} {
		got, ok := nearness(netip.MustParseAddr(c.addr))
		if got != c.want || ok != c.ok {
			t.Errorf("%s: got %d, %t, want %d, %t", c.addr, got, ok, c.want, c.ok)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for _, c := range []struct {
		url     string
		allowed reach
		ok      bool
	}{
		{"https://auth.example.com/authorize", reachPublic, true},
		{"https://10.0.0.1/", reachPublic, false},
		{"https://10.0.0.1/", reachPrivate, true},
		{"https://127.0.0.1/", reachPrivate, false},
		{"https://localhost/", reachPublic, false},
		{"https://app.localhost./", reachPublic, false},
		{"http://localhost:8080/", reachLoopback, true},
		{"http://[::1]:8080/", reachLoopback, true},
		{"https://169.254.169.254/latest", reachLoopback, false},
		{"http://auth.example.com/", reachLoopback, false},
		{"https://user:pass@auth.example.com/", reachPublic, false},
		{"javascript:alert(1)", reachLoopback, false},
		{"javascript://auth.example.com/%0aalert(1)", reachLoopback, false},
		{"file:///etc/passwd", reachLoopback, false},
		{"data:text/html,x", reachLoopback, false},
		{"vbscript:x", reachLoopback, false},
		{"JavaScript:alert(1)", reachLoopback, false},
		{"https:///path", reachLoopback, false},
		{"//auth.example.com/", reachLoopback, false},
		{"https:opaque", reachLoopback, false},
		{"", reachLoopback, false},
		{"https://a b/", reachLoopback, false},
	} {
		_, err := parseURL(c.url, c.allowed)
		if (err == nil) != c.ok {
			t.Errorf("%q at %d: %v", c.url, c.allowed, err)
		}
		var blocked *BlockedError
		if err != nil && !errors.As(err, &blocked) {
			t.Errorf("%q: %T", c.url, err)
		}
	}
}

// A name is judged by what it resolves to when it is dialled.
func TestDialGuard(t *testing.T) {
	hits := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer s.Close()
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, c := range []struct {
		allowed reach
		ok      bool
	}{{reachPublic, false}, {reachPrivate, false}, {reachLoopback, true}} {
		g := newGuarded(nil, func() reach { return c.allowed })
		conn, err := g.direct.DialContext(t.Context(), "tcp4", "localhost:"+port)
		if (err == nil) != c.ok {
			t.Errorf("reach %d: %v", c.allowed, err)
		}
		if conn != nil {
			conn.Close()
		}
		if !c.ok && !errors.As(fetchError(t.Context(), "https://x.example/y", &url.Error{Err: err}), new(*BlockedError)) {
			t.Errorf("%v is not told as blocked", err)
		}
	}
	if hits != 0 {
		t.Errorf("%d requests arrived", hits)
	}
}

// Redirects of metadata are held to the same rules, one by one.
func TestRedirectGuard(t *testing.T) {
	inner := 0
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inner++ }))
	defer secret.Close()
	for _, to := range []string{"file:///etc/passwd", "http://169.254.169.254/latest", "http://metadata.example/"} {
		s := httptest.NewServer(http.RedirectHandler(to, http.StatusFound))
		n := new(network)
		n.near.Store(int32(reachLoopback))
		n.guarded = newGuarded(nil, n.reach)
		err := n.document(t.Context(), s.URL, nil, new(any))
		if err == nil {
			t.Errorf("%s was followed", to)
		}
		s.Close()
	}
	var loop *httptest.Server
	hops := 0
	loop = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hops++
		http.Redirect(w, r, loop.URL, http.StatusFound)
	}))
	defer loop.Close()
	n := new(network)
	n.near.Store(int32(reachLoopback))
	n.guarded = newGuarded(nil, n.reach)
	if err := n.document(t.Context(), loop.URL, nil, new(any)); err == nil || hops > 6 {
		t.Errorf("%d hops, %v", hops, err)
	}
	if inner != 0 {
		t.Errorf("%d requests arrived", inner)
	}
}

func TestDocumentLimit(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"issuer":"` + strings.Repeat("x", maxDocument) + `"}`))
	}))
	defer s.Close()
	n := new(network)
	n.near.Store(int32(reachLoopback))
	n.guarded = newGuarded(nil, n.reach)
	var fetch *FetchError
	if err := n.document(t.Context(), s.URL, nil, new(any)); !errors.As(err, &fetch) || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}

// roundTripFunc answers without a network.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A public server cannot have us ask addresses that are near to us.
func TestPublicServerCannotLeadInside(t *testing.T) {
	hits := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer inside.Close()
	for _, target := range []string{inside.URL + "/prm", strings.Replace(inside.URL, "127.0.0.1", "localhost", 1), "http://169.254.169.254/x", "https://10.0.0.1/x"} {
		base := roundTripFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: http.StatusUnauthorized, Request: r, Body: http.NoBody,
				Header: http.Header{"Www-Authenticate": {`Bearer resource_metadata="` + target + `"`}},
			}, nil
		})
		tr, err := New(Options{Server: "https://mcp.example.com/mcp", Base: base, Login: &Login{Open: func(context.Context, string) error { return nil }}})
		if err != nil {
			t.Fatal(err)
		}
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://mcp.example.com/mcp", strings.NewReader("{}"))
		_, err = tr.RoundTrip(req)
		var blocked *BlockedError
		if !errors.As(err, &blocked) {
			t.Errorf("%s: got %v", target, err)
		}
	}
	if hits != 0 {
		t.Errorf("%d requests arrived", hits)
	}
}

// The client certificate is for the server, and shown to nobody it names.
func TestNoClientCertificateElsewhere(t *testing.T) {
	shown := -1
	as := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown = len(r.TLS.PeerCertificates)
		http.NotFound(w, r)
	}))
	as.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	as.StartTLS()
	defer as.Close()
	base := as.Client().Transport.(*http.Transport).Clone()
	base.TLSClientConfig.Certificates = as.TLS.Certificates
	n := new(network)
	n.near.Store(int32(reachLoopback))
	n.guarded = newGuarded(base, n.reach)
	if err := n.document(t.Context(), as.URL, nil, new(any)); !errors.Is(err, errAbsent) {
		t.Errorf("got %v", err)
	}
	if shown != 0 || len(base.TLSClientConfig.Certificates) == 0 {
		t.Errorf("%d certificates were shown", shown)
	}
}

// A server that never answers does not hold a login up.
func TestDocumentPatience(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	n := &network{patience: 30 * time.Millisecond}
	n.near.Store(int32(reachLoopback))
	n.guarded = newGuarded(nil, n.reach)
	var fetch *FetchError
	if err := n.document(t.Context(), s.URL, nil, new(any)); !errors.As(err, &fetch) || !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("got %v", err)
	}
}
