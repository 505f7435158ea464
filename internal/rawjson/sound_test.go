package rawjson

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	type members = map[string]json.RawMessage
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, c := range []struct {
		doc  string
		want members
	}{
		{`{}`, members{}},
		{`{"a":1}`, members{"a": raw("1")}},
		{`{"a":"\\\"","b":[{"c":",}]"},2],"":{"a":[]}}`, members{"a": raw(`"\\\""`), "b": raw(`[{"c":",}]"},2]`), "": raw(`{"a":[]}`)}},
		{`{"\u0061":true,"a\"":-0.10e5}`, members{"a": raw("true"), `a"`: raw("-0.10e5")}},
		{`{"a":1,"a":null}`, members{"a": raw("null")}},
		{`[1]`, members{}},
		{`"a"`, members{}},
		{``, members{}},
	} {
		if diff := cmp.Diff(c.want, Members([]byte(c.doc))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.doc, diff)
		}
	}
}

func TestIsCompact(t *testing.T) {
	for doc, want := range map[string]bool{
		``: true, `1`: true, ` 1`: false, `" "`: true, `[" \" ",{"a b":1}]`: true,
		`["a" ,1]`: false, "[\"\\\\\",\n1]": false, `"\\" `: false, `{"a":"\\"}`: true,
	} {
		if got := IsCompact([]byte(doc)); got != want {
			t.Errorf("%q: %v", doc, got)
		}
	}
}

func TestItems(t *testing.T) {
	for doc, want := range map[string][]string{
		`[]`: {}, `[1]`: {"1"}, `["],\"",[2,{"a":[]}],null,{}]`: {`"],\""`, `[2,{"a":[]}]`, "null", "{}"},
	} {
		items, ok := Items([]byte(doc))
		got := []string{}
		for _, item := range items {
			got = append(got, string(item))
		}
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %v (-want +got):\n%s", doc, ok, diff)
		}
	}
	for _, doc := range []string{``, `{}`, `"["`, `null`} {
		if items, ok := Items([]byte(doc)); ok {
			t.Errorf("%s: %s", doc, items)
		}
	}
}

// FuzzSound holds what trusts its input to what checks it, and sees that
// unsound input does no harm.
func FuzzSound(f *testing.F) {
	f.Add([]byte(`{"a":{"b":["\"\\",1]},"b":"\\\"","a":[],"":-1e5}`))
	f.Add([]byte(` [ {"a" : 1} ] `))
	f.Add([]byte(`{"a`))
	f.Add([]byte(`{"a":1,"b`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		Members(doc)
		Items(doc)
		IsCompact(doc)
		compact, err := Compact(doc)
		if err != nil {
			return
		}
		if got := IsCompact(doc); got != (len(compact) == len(doc)) && !bytes.HasPrefix(doc, []byte(bom)) {
			t.Errorf("%q: compact is %v", doc, got)
		}
		elements, err := Elements(compact)
		if items, ok := Items(compact); ok != (err == nil) || ok && !cmp.Equal(items, elements) {
			t.Errorf("%q: items %s, elements %s", compact, items, elements)
		}
		want := map[string]json.RawMessage{}
		object, err := ParseObject(compact)
		if err != nil && compact[0] == '{' {
			return // its keys are too long
		}
		for _, m := range object {
			want[m.Key] = m.Value
		}
		if diff := cmp.Diff(want, Members(compact)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", compact, diff)
		}
	})
}
