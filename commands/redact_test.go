package commands

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/output"
)

func TestSecretsInText(t *testing.T) {
	var s secrets
	if got := s.text("nothing to hide"); got != "nothing to hide" {
		t.Errorf("without secrets %q", got)
	}
	s.hide("abc", "", "sesame", "sesame-open", `say "so"`)
	for in, want := range map[string]string{
		"abc":                     "abc", // too short to be told from ordinary text
		"sesame!":                 redacted + "!",
		"sesame-open":             redacted, // not only the secret that it begins with
		`{"x":"say \"so\""}`:      `{"x":"` + redacted + `"}`,
		"sesame sesame-open seam": redacted + " " + redacted + " seam",
	} {
		if got := s.text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// However the text of a server process is cut, nothing of a secret is seen.
func TestSecretsInPieces(t *testing.T) {
	var s secrets
	s.hide("sesame-open", "abab")
	const said = "ask: sesame-open xabab! sesame- ab"
	const want = "ask: " + redacted + " x" + redacted + "! sesame- ab"
	for size := 1; size <= len(said); size++ {
		var out bytes.Buffer
		m := output.NewMessages(&out)
		m.Redact(output.Redaction{Text: s.text, Begun: s.begun})
		w := m.Writer()
		for rest := said; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, out.String(), want)
		}
	}
}

func TestSecretsInJSON(t *testing.T) {
	var s secrets
	s.hide("sesame", "true", "2025", `":1,"`, `a"b\`)
	for in, want := range map[string]string{
		`{"a":1,"b":[true,null]}`:     `{"a":1,"b":[true,null]}`,
		`{"a":"sesame","sesame":0}`:   `{"a":"[redacted]","[redacted]":0}`,
		`{"a":"\u0073esame\/"}`:       `{"a":"[redacted]/"}`, // however it is spelled
		`{"a":"\/\u0041", "b":1e400}`: `{"a":"\/\u0041", "b":1e400}`,
		`[120256,-2025,1e400]`:        `["1[redacted]6","-[redacted]",1e400]`,
		`{"a":"x a\"b\\ y","true":1}`: `{"a":"x [redacted] y","[redacted]":1}`,
		`"sesame"`:                    `"[redacted]"`,
	} {
		got := string(s.json([]byte(in)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s became %s, which is no JSON", in, got)
		}
	}
}

// FuzzSecretsInJSON checks that a document stays one, whatever the secret is.
func FuzzSecretsInJSON(f *testing.F) {
	f.Add(`{"a":[1,"x\"y",-2.5e+10,true],"b":{}}`, `":[1`)
	f.Add(`["\ud800", "a" , 12345]`, "2345")
	f.Add(`{"key":"\\"}`, `\\"`)
	f.Fuzz(func(t *testing.T, doc, secret string) {
		if !json.Valid([]byte(doc)) {
			t.Skip()
		}
		var s secrets
		s.hide(secret)
		if got := s.json([]byte(doc)); !json.Valid(got) {
			t.Errorf("%q hidden from %s: %s", secret, doc, got)
		}
	})
}
