package output

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

func TestYAML(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"order and numbers", `{"z":1e400,"a":0.10,"m":12345678901234567890}`, "z: 1e400\na: 0.10\nm: 12345678901234567890\n"},
		{"empty", `{"a":{},"b":[],"c":""}`, "a: {}\nb: []\nc: \"\"\n"},
		{"nested", `{"a":[{"b":1,"c":[2,[3]]},4]}`, "a:\n- b: 1\n  c:\n  - 2\n  - - 3\n- 4\n"},
		{"words that are no strings", `["no","null","12","1.5","~","true"]`, "- \"no\"\n- \"null\"\n- \"12\"\n- \"1.5\"\n- \"~\"\n- \"true\"\n"},
		{"words that are literals", `[true,false,null]`, "- true\n- false\n- null\n"},
		{"lines", `{"t":"a\nb\n","u":"a\n\nb","v":"a\nb\n\n"}`, "t: |\n  a\n  b\nu: |-\n  a\n\n  b\nv: |+\n  a\n  b\n\n"},
		{"lines that a block cannot hold", `[" a\nb","a\r\nb"]`, "- \" a\\nb\"\n- \"a\\x0d\\nb\"\n"},
		{"control characters", `{"\u001b[2J":"\u0007\u202e"}`, "\"\\x1b[2J\": \"\\x07\\u202e\"\n"},
		{"surrogates", `["\ud83d\ude00","日本"]`, "- \"😀\"\n- 日本\n"},
		{"repeated members", `{"a":1,"b":2,"a":3}`, "b: 2\na: 3\n"},
	} {
		if diff := cmp.Diff(tt.want, string(AppendYAML(nil, []byte(tt.doc)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// FuzzYAML reads what was written with a YAML reader of others.
func FuzzYAML(f *testing.F) {
	for _, doc := range nasty() {
		if len(doc) < 1000 {
			f.Add([]byte(doc))
		}
	}
	f.Add([]byte(`{"a":"x: y","b":"- z","c":"# d","e":"a #b","f":"'q'","g":"a\n  b\n c\n","h":"!t","i":"&a *b","":"0x1f","j":"a\n\n\nb\n\n"}`))
	f.Add([]byte(`["a\n\t b\n","\ta","x\n ","a:","a: b","|","%","@x","1:2","a\n#b","...","---","a\n---\nb",[[["x\ny"]]]]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		var want any
		if json.Unmarshal(doc, &want) != nil || !strings.HasPrefix(string(doc), "[") && !strings.HasPrefix(string(doc), "{") {
			return
		}
		out := AppendYAML(nil, compact(doc))
		for _, r := range string(out) {
			if r != '\n' && r != '\t' && steers(r) {
				t.Fatalf("%q may steer a terminal: %q", r, out)
			}
		}
		if texts := stringsIn(want, nil); !cmp.Equal(texts, readStrings(t, doc, out, texts)) {
			t.Fatalf("%s\n\n%s\ngot  %q\nwant %q", doc, out, readStrings(t, doc, out, texts), texts)
		}
	})
}

func readStrings(t *testing.T, doc, out []byte, fallback []string) []string {
	t.Helper()
	var got any
	if err := yaml.Unmarshal(out, &got); err != nil {
		if !plainASCII(doc) {
			return fallback // the reader is stricter, or wrong, with strange characters
		}
		t.Fatalf("%s\n\n%s\n%v", doc, out, err)
	}
	return stringsIn(got, nil)
}

func plainASCII(doc []byte) bool {
	for _, c := range doc {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return !strings.Contains(string(doc), `\u`) && !strings.Contains(string(doc), `\r`)
}

// stringsIn are the texts of a value that are no keys, in the order of keys.
func stringsIn(v any, found []string) []string {
	switch v := v.(type) {
	case string:
		if json.Valid([]byte(v)) { // the reader takes 1e0 for a text
			return found
		}
		return append(found, v)
	case []any:
		for _, item := range v {
			found = stringsIn(item, found)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			found = stringsIn(v[key], found)
		}
	}
	return found
}
