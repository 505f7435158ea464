package auth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// reach is how near a URL that somebody else names may lead.
type reach int

const (
	reachPublic   reach = iota // the internet
	reachPrivate               // and this network
	reachLoopback              // and this machine
)

// nearness tells what reach an address needs. ok is false for those to which
// nothing is ever sent, such as the metadata services of clouds.
func nearness(a netip.Addr) (needs reach, ok bool) {
	a = embedded(a.Unmap().WithZone(""))
	switch {
	case !a.IsValid(), a.IsUnspecified(), a.IsMulticast(), a.IsLinkLocalUnicast(), a.Is4() && a.As4()[0] == 0:
		return 0, false
	case a.IsLoopback():
		return reachLoopback, true
	case a.IsPrivate():
		return reachPrivate, true
	}
	for _, p := range [...]string{
		"100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", // shared, special, benchmarks, reserved
		"fec0::/10", "100::/64", "64:ff9b:1::/48",
	} {
		if netip.MustParsePrefix(p).Contains(a) {
			return reachPrivate, true
		}
	}
	return reachPublic, true
}

// embedded is the IPv4 address that NAT64 or 6to4 makes of an IPv6 one.
func embedded(a netip.Addr) netip.Addr {
	b := a.As16()
	switch {
	case !a.Is6():
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return a
}

// checkAddr refuses an address that is too near.
func checkAddr(addr netip.Addr, allowed reach) error {
	needs, ok := nearness(addr)
	if !ok || needs > allowed {
		return fmt.Errorf("%s is too near: the server itself is not there", addr)
	}
	return nil
}

// isLoopbackHost reports whether a host is this machine by its name.
func isLoopbackHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// checkURL refuses URLs to which nothing is sent and which no browser gets to
// see: https only, or http on this machine.
func checkURL(u *url.URL, allowed reach) error {
	blocked := func(format string, a ...any) error {
		return &BlockedError{URL: u.Redacted(), Reason: fmt.Sprintf(format, a...)}
	}
	host := u.Hostname()
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return blocked("it is no https URL")
	case host == "" || u.Opaque != "":
		return blocked("it has no host")
	case u.User != nil:
		return blocked("it has a user name in it")
	case isLoopbackHost(host) && allowed < reachLoopback:
		return blocked("it is on this machine, and the server is not")
	case u.Scheme == "http" && !isLoopbackHost(host):
		return blocked("it is not https")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if err := checkAddr(addr, allowed); err != nil {
			return blocked("%v", err)
		}
	}
	return nil
}

// parseURL parses and checks a URL that somebody else names.
func parseURL(s string, allowed reach) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, &BlockedError{URL: fmt.Sprintf("%.80q", s), Reason: "it is no URL"}
	}
	return u, checkURL(u, allowed)
}

// guarded sends requests to URLs that somebody else names. Addresses are
// checked when they are dialled, so that a name cannot change its mind between
// a check and its use. Behind a proxy names are the proxy's to resolve.
type guarded struct {
	direct, proxied *http.Transport
	reach           func() reach
}

func newGuarded(like *http.Transport, allowed func() reach) *guarded {
	if like == nil {
		like = http.DefaultTransport.(*http.Transport)
	}
	const patience = 10 * time.Second
	g := &guarded{direct: like.Clone(), proxied: like.Clone(), reach: allowed}
	g.direct.Proxy = nil
	dialer := &net.Dialer{Timeout: patience, Control: func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if err := checkAddr(ap.Addr(), allowed()); err != nil {
			return &BlockedError{URL: address, Reason: err.Error()}
		}
		return nil
	}}
	g.direct.DialContext = dialer.DialContext
	for _, t := range []*http.Transport{g.direct, g.proxied} {
		t.MaxResponseHeaderBytes = 64 << 10
		if t.TLSClientConfig != nil {
			t.TLSClientConfig.Certificates, t.TLSClientConfig.GetClientCertificate = nil, nil
		}
		t.ResponseHeaderTimeout = patience
		t.TLSHandshakeTimeout = patience
	}
	return g
}

// RoundTrip checks the URL of each request, redirects included.
func (g *guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := checkURL(req.URL, g.reach()); err != nil {
		return nil, err
	}
	if proxy := g.proxied.Proxy; proxy != nil {
		u, err := proxy(req)
		if err != nil {
			return nil, err
		}
		if u != nil {
			return g.proxied.RoundTrip(req)
		}
	}
	return g.direct.RoundTrip(req)
}

func (g *guarded) closeIdle() {
	g.direct.CloseIdleConnections()
	g.proxied.CloseIdleConnections()
}

// noRedirect is for requests that carry credentials.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// limitRedirects is for metadata.
func limitRedirects(_ *http.Request, via []*http.Request) error {
	const most = 5
	if len(via) > most {
		return fmt.Errorf("more than %d redirects", most)
	}
	return nil
}

// fetchError makes the error of an HTTP client one of ours.
func fetchError(ctx context.Context, u string, err error) error {
	var blocked *BlockedError
	var wrapped *url.Error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &blocked):
		return blocked
	case errors.As(err, &wrapped):
		err = wrapped.Err
	}
	return &FetchError{URL: redactURL(u), Err: err}
}

func redactURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "a URL"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}
