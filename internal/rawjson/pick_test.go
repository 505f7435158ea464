package rawjson

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pick writes doc to a Picker in pieces of n bytes.
func pick(doc []byte, n int, limit func(string) int) map[string]string {
	p := NewPicker(limit)
	for len(doc) > 0 {
		piece := bytes.Clone(doc[:min(n, len(doc))])
		if written, err := p.Write(piece); written != len(piece) || err != nil {
			panic("a picker takes everything")
		}
		clear(piece) // it must not be kept
		doc = doc[min(n, len(doc)):]
	}
	members := map[string]string{}
	for key, value := range p.Members() {
		members[key] = string(value)
	}
	return members
}

// pickSpans gives a Picker the spans of a value, of at most n bytes, as
// [Value.WriteTo] does, and reports how many of them lay inside of strings.
func pickSpans(t *testing.T, doc []byte, n int, limit func(string) int) (map[string]string, int) {
	p := NewPicker(limit)
	v := NewBytes(doc).Value()
	inside := 0
	for {
		piece, err := v.d.span(0, n)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if v.d.within {
			inside++
			_, _ = p.WriteText(piece)
		} else {
			_, _ = p.Write(piece)
		}
	}
	members := map[string]string{}
	for key, value := range p.Members() {
		members[key] = string(value)
	}
	return members, inside
}

func TestPicker(t *testing.T) {
	limit := func(key string) int {
		switch key {
		case "a":
			return 1 << 20
		case "b":
			return 8
		}
		return 0
	}
	long := strings.Repeat("x", maxKey)
	for _, c := range []struct {
		doc  string
		want map[string]string
	}{
		{`{}`, nil},
		{`{"a":1}`, map[string]string{"a": "1"}},
		{`{"a":-1.50e+400,"c":"x"}`, map[string]string{"a": "-1.50e+400"}},
		{`{"a":"","b":null}`, map[string]string{"a": `""`, "b": "null"}},
		{`{"x":[{"a":1},"a",{"b":2}],"a":{"a":[2,{}],"b":"}"}}`, map[string]string{"a": `{"a":[2,{}],"b":"}"}`}},
		{`{"x":"\"a\":1,\\","a":"\\\"\\\\","y":"\\\\\",\"b\":2"}`, map[string]string{"a": `"\\\"\\\\"`}},
		{`{"\u0061":true}`, map[string]string{"a": "true"}},
		{`{"a\"":1,"a\\":2,"":3}`, nil},
		{`{"b":"12345678"}`, nil},
		{`{"b":"123456"}`, map[string]string{"b": `"123456"`}},
		{`{"a":1,"a":[2]}`, map[string]string{"a": "[2]"}},
		{`{"b":1,"b":"too long for it"}`, map[string]string{"b": "1"}},
		{`{"` + long + `":1,"a":2}`, map[string]string{"a": "2"}},
		{`[{"a":1}]`, nil},
		{`"a"`, nil},
		{`1`, nil},
	} {
		want := c.want
		if want == nil {
			want = map[string]string{}
		}
		for n := 1; n < 10; n++ {
			if diff := cmp.Diff(want, pick([]byte(c.doc), n, limit)); diff != "" {
				t.Errorf("%.60s in pieces of %d (-want +got):\n%s", c.doc, n, diff)
			}
			got, _ := pickSpans(t, []byte(c.doc), n, limit)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%.60s in spans of %d (-want +got):\n%s", c.doc, n, diff)
			}
		}
	}
}

// TestWriteText looks at what is taken for text, the more of it the longer the
// strings are.
func TestWriteText(t *testing.T) {
	text := strings.Repeat(`\"Quoted\" and \\u00e9`, 100)
	for _, c := range []struct {
		doc    string
		n      int
		inside int
	}{
		{`{"a":"` + text + `"}`, 64, len(text)/64 - 1},
		{`{"a":"xy","b":"zz"}`, 4, 0},
		{`{"` + text + `":1}`, 8, 0}, // a key
		{`["\\\\\\\\\\\\"]`, 3, 0},   // cut in the middle of an escape
		{`["\\\\\\\\\\\\"]`, 2, 6},
	} {
		all := func(string) int { return 1 << 20 }
		got, inside := pickSpans(t, []byte(c.doc), c.n, all)
		if diff := cmp.Diff(pick([]byte(c.doc), len(c.doc), all), got); diff != "" {
			t.Errorf("%.40s (-whole +spans):\n%s", c.doc, diff)
		}
		if inside < c.inside/2 || c.inside == 0 && inside > 0 {
			t.Errorf("%.40s: %d spans of %d were inside of strings, want about %d", c.doc, inside, c.n, c.inside)
		}
	}
}

// FuzzPicker compares a Picker with a Reader.
func FuzzPicker(f *testing.F) {
	f.Add([]byte(`{"a":{"b":["\"\\",1]},"b":"\\\"","c":[],"a":-1e5}`), uint8(3), uint8(20))
	f.Add([]byte(` [ {"a" : 1} ] `), uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, doc []byte, size, limit uint8) {
		doc, err := Compact(doc)
		if err != nil {
			return
		}
		want := map[string]string{}
		err = NewBytes(doc).Object(func(key string, v *Value) error {
			raw, _, err := v.Raw(0)
			if len(raw) <= int(limit) {
				want[key] = string(raw)
			}
			return err
		})
		if len(doc) > maxKey || err != nil && doc[0] == '{' {
			return
		}
		keep := func(string) int { return int(limit) }
		if diff := cmp.Diff(want, pick(doc, int(size)+1, keep)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", doc, diff)
		}
		spans, _ := pickSpans(t, doc, int(size)+1, keep)
		if diff := cmp.Diff(want, spans); diff != "" {
			t.Errorf("%q in spans (-want +got):\n%s", doc, diff)
		}
	})
}

func BenchmarkPicker(b *testing.B) {
	for name, doc := range map[string][]byte{
		"string":  longText(50<<20, ""),
		"lines":   longText(50<<20, `\n`),
		"escapes": longText(50<<20, ` \"said\" it.\n`),
		"tools":   tools(10000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				p := NewPicker(func(string) int { return 0 })
				for from := 0; from < len(doc); from += bufferSize {
					_, _ = p.Write(doc[from:min(from+bufferSize, len(doc))])
				}
			}
		})
		b.Run(name+"/reader", func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := io.Copy(io.Discard, NewReader(bytes.NewReader(doc)).Value()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
