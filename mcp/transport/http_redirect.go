package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// checkRedirect follows only what repeats the request at the same origin.
func checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1]
	refuse := func(reason string) error {
		return &RedirectError{From: from.URL.Redacted(), To: to.URL.Redacted(), Reason: reason}
	}
	status := to.Response.StatusCode
	switch {
	case !sameOrigin(from.URL, to.URL):
		return refuse("it is another origin; name that URL if you trust it")
	case status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect:
		return refuse(fmt.Sprintf("its status %d does not repeat the request", status))
	case len(via) > maxRedirects:
		return refuse(fmt.Sprintf("more than %d in a row", maxRedirects))
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// redacted is a URL, or what was given for one, without its password.
func redacted(s string) string {
	if u, err := url.Parse(s); err == nil {
		return u.Redacted()
	}
	return "server URL" // nobody knows what is in it
}
