package outfile

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafeName(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "a.txt", "日本 語.png": "日本 語.png", "": "", ".": "", "..": "", "...": "", "/": "", "___": "",
		"../../etc/passwd": "_._.._etc_passwd", `..\x`: "_._x", "/etc/passwd": "_etc_passwd", `C:\x`: "C__x", "C:x": "C_x",
		"a\x00b": "a_b", "a\x1b[31m": "a_[31m", "a\u202etxt.exe": "a_txt.exe", "a\xffb": "a_b", "a\nb": "a_b",
		".bashrc": "_bashrc", "-rf": "_rf", "~root": "_root", "a. . ": "a", "a ": "a", " a": "a",
		"CON": "_CON", "con.txt": "_con.txt", "nul": "_nul", "NUL .x": "_NUL .x", "COM1": "_COM1", "com¹.log": "_com¹.log", "COM10": "COM10", "lpt9.x.y": "_lpt9.x.y", "console": "console",
		"aux.": "_aux", "CONIN$": "_CONIN$",
		strings.Repeat("é", 200) + ".jpeg": strings.Repeat("é", 72) + ".jpeg",
	} {
		if got := SafeName(name); got != want {
			t.Errorf("SafeName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFileName(t *testing.T) {
	for _, tt := range []struct {
		b    Block
		want string
	}{
		{Block{Kind: Binary, MIME: "image/png"}, "image.png"},
		{Block{Kind: Binary, MIME: "audio/x-wav; rate=1"}, "audio.wav"},
		{Block{Kind: Binary}, "data.bin"},
		{Block{Kind: Text}, "text.txt"},
		{Block{Kind: Structured, MIME: "application/json"}, "structuredContent.json"},
		{Block{Kind: Text, URI: "demo://readme", MIME: "text/markdown"}, "readme.md"},
		{Block{Kind: Text, URI: "file:///src/Makefile", MIME: "text/plain"}, "Makefile"},
		{Block{Kind: Binary, URI: "https://x/a/b.tar.gz?x=/y#z", MIME: "application/gzip"}, "b.tar.gz"},
		{Block{Kind: Binary, URI: "https://x/a%2f..%2f..%2fetc%2fpasswd"}, "a_.._.._etc_passwd"},
		{Block{Kind: Binary, URI: "https://x/..", MIME: "image/png"}, "image.png"},
		{Block{Kind: Binary, URI: "https://x/%2e%2e/", Name: "real", MIME: "image/png"}, "real.png"},
		{Block{Kind: Text, URI: "embedded:info"}, "info"},
		{Block{Kind: Binary, URI: "x://h/%zz", MIME: "application/vnd.api+json"}, "%zz.json"},
		{Block{Kind: Text, URI: "x://h/con", MIME: "text/html"}, "_con.html"},
	} {
		if got := fileName(tt.b); got != tt.want {
			t.Errorf("fileName(%+v) = %q, want %q", tt.b, got, tt.want)
		}
	}
	for name, want := range map[string]string{"a.png": "a-2.png", "a": "a-2", "_bashrc": "_bashrc-2", "b.tar.gz": "b.tar-2.gz"} {
		if got := numbered(name, "2"); got != want {
			t.Errorf("numbered(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzSafeName holds names against what any system demands of one.
func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"a", "../x", "CON.txt", "a\\b", "x:y", "\u202e", strings.Repeat("ü", 300) + ".tar", "a. ", "com²", ".. /..", "nul.", "％2f"} {
		f.Add(s, "https://h/"+s, "image/png")
	}
	f.Fuzz(func(t *testing.T, name, uri, mime string) {
		for _, got := range []string{SafeName(name), fileName(Block{Kind: Binary, URI: uri, Name: name, MIME: mime}), numbered(fileName(Block{Kind: Text, URI: uri, MIME: mime}), "99999")} {
			if got == "" {
				continue
			}
			switch {
			case !filepath.IsLocal(got), filepath.Base(got) != got, strings.ContainsAny(got, "/\\:*?\"<>|\x00\n\x1b"):
				t.Errorf("%q is no plain name (of %q, %q)", got, name, uri)
			case len(got) > 200, !utf8.ValidString(got), strings.HasSuffix(got, "."), strings.HasSuffix(got, " "), strings.HasPrefix(got, "."), strings.HasPrefix(got, "-"):
				t.Errorf("%q is a bad name (of %q, %q)", got, name, uri)
			case reserved(got):
				t.Errorf("%q is reserved (of %q, %q)", got, name, uri)
			}
		}
	})
}
