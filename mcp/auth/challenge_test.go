package auth

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseChallenges(t *testing.T) {
	type params = map[string]string
	for _, c := range []struct {
		in   []string
		want []Challenge
	}{
		{[]string{`Bearer`}, []Challenge{{"bearer", params{}}}},
		{[]string{`Bearer resource_metadata="https://a/b", scope="x y"`}, []Challenge{{"bearer", params{"resource_metadata": "https://a/b", "scope": "x y"}}}},
		{[]string{`Basic realm="a, \"b\"", Bearer scope=x`}, []Challenge{{"basic", params{"realm": `a, "b"`}}, {"bearer", params{"scope": "x"}}}},
		{[]string{`Negotiate YWJj==, Bearer error="e"`}, []Challenge{{"negotiate", params{}}, {"bearer", params{"error": "e"}}}},
		{[]string{`Bearer`, `DPoP algs="ES256", error = "use_dpop_nonce"`}, []Challenge{{"bearer", params{}}, {"dpop", params{"algs": "ES256", "error": "use_dpop_nonce"}}}},
		{[]string{`Bearer scope="a", scope="b"`}, []Challenge{{"bearer", params{"scope": "a"}}}},
		{[]string{`Bearer Resource_Metadata=https://a/b?c=d`}, []Challenge{{"bearer", params{"resource_metadata": "https://a/b?c=d"}}}},
		{[]string{`, ,Bearer realm="x",,`}, []Challenge{{"bearer", params{"realm": "x"}}}},
		{[]string{`Bearer scope="never closed`}, []Challenge{{"bearer", params{}}}},
		{[]string{`"quoted", Bearer scope=x`}, []Challenge{{"bearer", params{"scope": "x"}}}},
		{[]string{``}, nil},
		{[]string{`=,;(`}, nil},
	} {
		if diff := cmp.Diff(c.want, ParseChallenges(c.in)); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

func FuzzParseChallenges(f *testing.F) {
	f.Add(`Bearer resource_metadata="https://a/b", scope="x \"y", Basic YQ==`)
	f.Add("DPoP algs=ES256 ,,= \"")
	f.Fuzz(func(t *testing.T, in string) {
		for _, c := range ParseChallenges([]string{in}) {
			if c.Scheme == "" || c.Scheme != strings.ToLower(c.Scheme) {
				t.Errorf("scheme %q", c.Scheme)
			}
			for name := range c.Params {
				if name == "" || !strings.Contains(strings.ToLower(in), name) {
					t.Errorf("parameter %q out of nothing", name)
				}
			}
		}
	})
}

func TestOurs(t *testing.T) {
	got := ours(ParseChallenges([]string{`Bearer realm="a"`, `Basic x="y"`, `DPoP resource_metadata="https://m"`}))
	if got.Scheme != "dpop" {
		t.Errorf("got %v", got)
	}
}

func TestScopes(t *testing.T) {
	challenge := Challenge{Params: map[string]string{"scope": "b a"}}
	for _, c := range []struct {
		configured []string
		challenge  Challenge
		resource   []string
		want       []string
	}{
		{[]string{"u"}, challenge, []string{"r"}, []string{"u"}},
		{nil, challenge, []string{"r"}, []string{"b", "a"}},
		{nil, Challenge{}, []string{"r", "r", "s"}, []string{"r", "s"}},
		{nil, Challenge{}, nil, nil},
	} {
		if diff := cmp.Diff(c.want, initialScopes(c.configured, c.challenge, c.resource)); diff != "" {
			t.Error(diff)
		}
	}
	if got := withOffline(nil, []string{offlineAccess}); got != nil {
		t.Errorf("got %v", got)
	}
	if got := withOffline([]string{"a"}, []string{offlineAccess}); !covers(got, []string{"a", offlineAccess}) {
		t.Errorf("got %v", got)
	}
}
