package uritemplate

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	values := map[string]string{
		"var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": "1024", "y": "768", "half": "50%",
		"base": "http://example.com/home/", "who": "fred", "v": "6", "city": "Kraków", "cjk": "一丁日", "face": "😀👩", "nul": "\x00", "done": "a%2fb%zz",
		"semi": ";",
	}
	tests := []struct{ template, want string }{
		{"", ""},
		{"plain://text?a=b#c", "plain://text?a=b#c"},
		{"{var}", "value"},
		{"{hello}", "Hello%20World%21"},
		{"{half}", "50%25"},
		{"O{empty}X", "OX"},
		{"O{undef}X", "OX"},
		{"{x,y}", "1024,768"},
		{"{x,hello,y}", "1024,Hello%20World%21,768"},
		{"?{x,empty}", "?1024,"},
		{"?{x,undef}", "?1024"},
		{"?{undef,y}", "?768"},
		{"{var:3}", "val"},
		{"{var:30}", "value"},
		{"{+var}", "value"},
		{"{+hello}", "Hello%20World!"},
		{"{+half}", "50%25"},
		{"{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"},
		{"{+base}index", "http://example.com/home/index"},
		{"{+path}/here", "/foo/bar/here"},
		{"{+path:6}/here", "/foo/b/here"},
		{"up{+path}{var}/here", "up/foo/barvalue/here"},
		{"{+x,hello,y}", "1024,Hello%20World!,768"},
		{"{#var}", "#value"},
		{"{#path,x}/here", "#/foo/bar,1024/here"},
		{"foo{#empty}", "foo#"},
		{"foo{#undef}", "foo"},
		{"{.who,who}", ".fred.fred"},
		{"X{.empty}", "X."},
		{"X{.undef}", "X"},
		{"{/who,who}", "/fred/fred"},
		{"{/half,who}", "/50%25/fred"},
		{"{/var,empty}", "/value/"},
		{"{/var:1,var}", "/v/value"},
		{"{;who}", ";who=fred"},
		{"{;empty}", ";empty"},
		{"{;v,empty,who}", ";v=6;empty;who=fred"},
		{"{;hello:5}", ";hello=Hello"},
		{"{?x,y}", "?x=1024&y=768"},
		{"{?x,y,empty}", "?x=1024&y=768&empty="},
		{"{?x,y,undef}", "?x=1024&y=768"},
		{"?fixed=yes{&x}", "?fixed=yes&x=1024"},
		{"{&x,y,empty}", "&x=1024&y=768&empty="},
		{"{semi}{;semi}", "%3B;semi=%3B"},
		{"{var*}{?var*}", "value?var=value"},
		// UTF-8, whatever the characters.
		{"{city}", "Krak%C3%B3w"},
		{"{+city}{?city}", "Krak%C3%B3w?city=Krak%C3%B3w"},
		{"{city:5}", "Krak%C3%B3"},
		{"{cjk:1}", "%E4%B8%80"},
		{"{face:1}", "%F0%9F%98%80"},
		{"{nul}", "%00"},
		{"{+done}", "a%2fb%25zz"},
		{"{done}", "a%252fb%25zz"},
		{"файл://{var}", "%D1%84%D0%B0%D0%B9%D0%BB://value"},
		{"a b{var}", "a%20bvalue"},
	}
	for _, tt := range tests {
		template, err := Parse(tt.template)
		if err != nil {
			t.Errorf("%s: %v", tt.template, err)
			continue
		}
		if got := template.Expand(values); got != tt.want {
			t.Errorf("%s became %s, want %s", tt.template, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	template, err := Parse("x:{a,b:3}/{a}{?c.d*,_e%20}")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c.d", "_e%20"}, template.Names()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"{", "a{b", "{}", "a}b", "{a}}", "{=a}", "{!a}", "{+}", "{a,}", "{,a}", "{a b}", "{a:0}", "{a:10000}", "{a:x}", "{a:+1}",
		"{a:3*}", "{.}", "{a.}", "{a..b}", "{%2}", "{ключ}", "{a{b}}"} {
		var wrong *Error
		if _, err := Parse(text); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzExpand checks that an expansion is ASCII without spaces, and that the
// value is in it.
func FuzzExpand(f *testing.F) {
	f.Add("x:{a}", "Kraków/50%")
	f.Add("{+a:2}{?a*}", "一\x00\xff")
	f.Fuzz(func(t *testing.T, text, value string) {
		template, err := Parse(text)
		if err != nil {
			t.Skip()
		}
		uri := template.Expand(map[string]string{"a": value})
		if i := strings.IndexFunc(uri, func(r rune) bool { return r <= ' ' || r >= 0x7f }); i >= 0 {
			t.Errorf("%q with %q is %q", text, value, uri)
		}
		if text == "{a}" {
			if back, err := url.PathUnescape(uri); err != nil || back != value {
				t.Errorf("%q came back as %q, %v", value, back, err)
			}
		}
	})
}
