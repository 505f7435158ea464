package rawjson

import (
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObject(t *testing.T) {
	const doc = ` { "b\u0061" : 1e400, "a":[ 0.10 ,{ } ], "ba":"\u00e9", "z": null } `
	tests := []struct {
		name string
		edit func(o Object) Object
		want string
	}{
		{"as it is", func(o Object) Object { return o }, `{"b\u0061":1e400,"a":[0.10,{}],"ba":"\u00e9","z":null}`},
		{"set the last of two", func(o Object) Object { return o.Set("ba", []byte(`2`)) }, `{"b\u0061":1e400,"a":[0.10,{}],"ba":2,"z":null}`},
		{"set a new one", func(o Object) Object { return o.Set("\n", Quote("<x>")) }, `{"b\u0061":1e400,"a":[0.10,{}],"ba":"\u00e9","z":null,"\n":"<x>"}`},
		{"delete both", func(o Object) Object { return o.Delete("ba") }, `{"a":[0.10,{}],"z":null}`},
		{"delete none", func(o Object) Object { return o.Delete("x") }, `{"b\u0061":1e400,"a":[0.10,{}],"ba":"\u00e9","z":null}`},
		{"from nothing", func(Object) Object { return Object(nil).Set("k", nil) }, `{"k":null}`},
	}
	for _, tt := range tests {
		o, err := ParseObject([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, string(tt.edit(o).Raw())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}

	o, err := ParseObject([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := o.Get("ba"); !ok || string(got) != `"\u00e9"` {
		t.Errorf("Get: got %s, %t", got, ok)
	}
	if got, ok := o.Get("none"); ok || got != nil {
		t.Errorf("Get of none: got %s, %t", got, ok)
	}
	if got := string(o.Append([]byte("x"))); got[:2] != "x{" {
		t.Errorf("Append: got %s", got)
	}
}

// TestNoRoomToSpare checks that appending to a part does not write into its
// neighbour.
func TestNoRoomToSpare(t *testing.T) {
	doc := []byte(`[1,[2],"3"]`)
	list, err := Elements(doc)
	if err != nil {
		t.Fatal(err)
	}
	if &list[1][0] != &doc[3] {
		t.Error("a compact element was copied")
	}
	for _, raw := range list {
		_ = append(raw, "overwritten"...)
	}
	if diff := cmp.Diff(`[1,[2],"3"]`, string(doc)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMemoryErrors(t *testing.T) {
	parse := map[string]func(raw []byte) error{
		"ParseObject": func(raw []byte) error { _, err := ParseObject(raw); return err },
		"Elements":    func(raw []byte) error { _, err := Elements(raw); return err },
		"Compact":     func(raw []byte) error { _, err := Compact(raw); return err },
	}
	for name, fn := range parse {
		for _, doc := range []string{``, ` `, `{`, `[`, `{"a":1`, `[1`, `{"a":[}]}`, `[[1,]]`, `{} x`, `[] x`, `"`, `1 1`} {
			err := fn([]byte(doc))
			var syntax *SyntaxError
			var kind *KindError
			if err != io.ErrUnexpectedEOF && !errors.As(err, &syntax) && !errors.As(err, &kind) {
				t.Errorf("%s(%q): got error %v", name, doc, err)
			}
		}
	}
	var kind *KindError
	if _, err := Elements([]byte(` {}`)); !errors.As(err, &kind) || kind.Offset != 1 {
		t.Errorf("Elements of an object: %v", err)
	} else if diff := cmp.Diff("json at byte 1: want an array, found an object", err.Error()); diff != "" {
		t.Error(diff)
	}
	if _, err := ParseObject([]byte(`[]`)); !errors.As(err, &kind) {
		t.Errorf("ParseObject of an array: %v", err)
	}
}

func TestUnquote(t *testing.T) {
	tests := []struct {
		raw, want string
		ok        bool
	}{
		{`"a"`, "a", true},
		{" \"a\\u00e9\"\n", "aé", true},
		{`"\ud83d\ude00"`, "\U0001f600", true},
		{`"\ud83dx\ude00"`, "\ufffdx\ufffd", true},
		{`"\ud83d\u0041"`, "\ufffdA", true},
		{`"\ud83d\ud83d\ude00"`, "\ufffd\U0001f600", true},
		{"\"\xff\"", "\xff", true},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"a`, "", false}, {`a"`, "", false}, {`"`, "", false}, {``, "", false}, {`"a"b"`, "", false}, {`"\"`, "", false},
		{`"\u00`, "", false}, {`"\ud83d\u00"`, "", false}, {`"\x"`, "", false}, {"\"\n\"", "", false}, {`1`, "", false},
	}
	for _, tt := range tests {
		if got, ok := Unquote([]byte(tt.raw)); got != tt.want || ok != tt.ok {
			t.Errorf("Unquote(%q) = %q, %t, want %q, %t", tt.raw, got, ok, tt.want, tt.ok)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                       `""`,
		"<a & b>\u2028":          "\"<a & b>\u2028\"",
		"\"\\\b\f\n\r\t\x00\x1f": `"\"\\\b\f\n\r\t\u0000\u001f"`,
		"a\xffb\xc3":             "\"a\ufffdb\ufffd\"",
	} {
		if got := Quote(s); string(got) != want || !json.Valid(got) {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}
