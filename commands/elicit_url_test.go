package commands

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckPage(t *testing.T) {
	tests := []struct {
		name, url string
		shown     string // before|host|after
		doubts    string // a word of each
		refused   string // a word of why
	}{
		{"plain", "https://example.com/a?b=c#d", "https://|example.com|/a?b=c#d", "", ""},
		{"upper case", "HTTPS://Example.com", "https://|Example.com|", "", ""},
		{"this machine", "http://localhost:8080/x", "http://|localhost:8080|/x", "machine", ""},
		{"loopback address", "http://127.0.0.1/", "http://|127.0.0.1|/", "machine", ""},
		{"loopback of IPv6", "http://[::1]:80/", "http://|[::1]:80|/", "machine", ""},
		{"port", "https://example.com:8443/", "https://|example.com:8443|/", "port", ""},
		{"usual port", "https://example.com:443/", "https://|example.com:443|/", "", ""},
		{"Punycode", "https://www.XN--80ak6aa92e.com/", "https://|www.XN--80ak6aa92e.com|/", "Punycode", ""},
		{"letters of another script", "https://exаmple.com/", "https://|ex%D0%B0mple.com|/", "ASCII", ""},
		{"a user that looks like a host", "https://example.com@evil.example/", "https://example.com@|evil.example|/", "user", ""},
		{"the same host twice", "https://e.example@e.example/e.example", "https://e.example@|e.example|/e.example", "user", ""},
		{"an at sign in the path", "https://evil.example/@example.com", "https://|evil.example|/@example.com", "", ""},
		{"a bare address", "https://203.0.113.5/", "https://|203.0.113.5|/", "address", ""},
		{"a query that reorders", "https://example.com/?a=\u202eb", "https://|example.com|/?a=%E2%80%AEb", "", ""},
		{"long", "https://example.com/?" + strings.Repeat("a", 600), "https://|example.com|/?" + strings.Repeat("a", 600), "long", ""},
		{"not encrypted", "http://example.com/", "", "", "not encrypted"},
		{"nearly this machine", "http://localhost.evil.example/", "", "", "not encrypted"},
		{"a file", "file:///etc/passwd", "", "", "not the URL"},
		{"a script", "javascript:alert(1)", "", "", "not the URL"},
		{"another scheme", "ftp://example.com/", "", "", `"ftp"`},
		{"no host", "https:///x", "", "", "not the URL"},
		{"nothing", "", "", "", "not the URL"},
		{"control characters", "https://example.com/\x1b[2J", "", "", "not the URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := checkPage(tt.url)
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Fatalf("got %v, want an error with %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.shown, p.before+"|"+p.host+"|"+p.after); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
			doubts := strings.Join(p.doubts, "; ")
			if (tt.doubts == "") != (doubts == "") || !strings.Contains(doubts, tt.doubts) {
				t.Errorf("doubts %q, want %q", doubts, tt.doubts)
			}
		})
	}
}

func TestBrowserCommands(t *testing.T) {
	const url = "https://example.com/?a=b&c=$(d)"
	tests := []struct {
		goos, browser string
		want          [][]string
	}{
		{"linux", "", [][]string{{"xdg-open", url}, {"wslview", url}, {"sensible-browser", url}}},
		{"freebsd", "", [][]string{{"xdg-open", url}, {"wslview", url}, {"sensible-browser", url}}},
		{"darwin", "", [][]string{{"open", url}}},
		{"windows", "", [][]string{{"rundll32", "url.dll,FileProtocolHandler", url}}},
		{"linux", "firefox", [][]string{{"firefox", url}}},
		{"darwin", "open -a 'My Browser'", [][]string{{"open", "-a", "My Browser", url}}},
		{"linux", "w3m -o x=%s:lynx", [][]string{{"w3m", "-o", "x=" + url}, {"lynx", url}}},
		{"linux", "::'", [][]string{{"xdg-open", url}, {"wslview", url}, {"sensible-browser", url}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, browserCommands(tt.goos, tt.browser, url)); diff != "" {
			t.Errorf("%s with BROWSER=%s (-want +got):\n%s", tt.goos, tt.browser, diff)
		}
	}
}

func TestFileURI(t *testing.T) {
	tests := []struct{ path, want string }{
		{"/", "file:///"},
		{"/home/a b/100%/#x?y", "file:///home/a%20b/100%25/%23x%3Fy"},
		{"/héllo", "file:///h%C3%A9llo"},
		{"/a\xff", "file:///a%FF"},
		{"C:/Users/a b", "file:///C:/Users/a%20b"},
		{"//host/share/x y", "file://host/share/x%20y"},
		{"//host/share", "file://host/share"},
		{"//?/C:/Users/a b", "file:///C:/Users/a%20b"},
		{"//?/UNC/host/share/ü", "file://host/share/%C3%BC"},
	}
	for _, tt := range tests {
		if got := fileURI(tt.path); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.path, got, tt.want)
		}
	}
}
