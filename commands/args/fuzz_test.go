package args

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzTokens looks for words that crash, are read differently than they were
// written, or give an error that is not one line.
func FuzzTokens(f *testing.F) {
	for _, word := range []string{"a=1", "a:=1", "a[b][0][]=x", `a\[b\]\==x`, "=", ":=", "a[=", "a]]=[", `\`, "a:b:=@-", "\xff=", "é[\u2028]=\\@"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		tok, err := parseToken(word)
		if err != nil {
			oneSafeLine(t, err)
			return
		}
		sep := "="
		if tok.json {
			sep = ":="
		}
		if tok.name+sep+tok.value != word {
			t.Errorf("%q came apart as %q %s %q", word, tok.name, sep, tok.value)
		}
		// Any name can be written: what was read, escaped, reads the same.
		escape := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `=`, `\=`, `:`, `\:`)
		again := escape.Replace(tok.path[0].name)
		for _, st := range tok.path[1:] {
			again += "[" + escape.Replace(st.name) + "]"
		}
		if tok.path[0].name == "" {
			t.Fatalf("%q has a path without a name", word)
		}
		other, err := parseToken(again + sep + tok.value)
		if err != nil {
			t.Fatalf("%q was read, %q not: %v", word, again, err)
		}
		for i := range tok.path {
			if tok.path[i].name != other.path[i].name || tok.path[i].push != other.path[i].push {
				t.Errorf("%q and %q differ: %v, %v", word, again, tok.path, other.path)
			}
		}
	})
}

// FuzzBuild looks for input that crashes or gives anything but a JSON object.
func FuzzBuild(f *testing.F) {
	f.Add(`{"a":{"b":[1]}}`, "a[b][]=2", "i=5", `{"properties":{"i":{"type":"integer"}}}`)
	f.Add("", "obj[k]=1", "tree[kids][0][v]=7", kitchen)
	f.Add("@x", "a:=@-", "b=@x", `{"anyOf":[{"$ref":"#"},{"enum":[1,"1"]}]}`)
	f.Add("-", `a\[=`, "level=2.0", kitchen)
	f.Fuzz(func(t *testing.T, base, first, second, schema string) {
		src := Source{Stdin: strings.NewReader(second), ReadFile: func(string) ([]byte, error) { return []byte(first), nil }}
		raw, err := Build(t.Context(), base, []string{first, second}, json.RawMessage(schema), src)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("got %T %v", err, err)
			}
			oneSafeLine(t, err)
			return
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil || object == nil {
			t.Errorf("got %q: %v", raw, err)
		}
	})
}

func oneSafeLine(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsAny(err.Error(), "\n\r\x1b\x00\u0085\u009b") {
		t.Errorf("not one line that is safe to show: %q", err)
	}
}
