package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// corpus is JSON and nearly JSON; encoding/json says which is which.
func corpus() []string {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	deepObject := func(n int) string {
		return strings.Repeat(`{"a":[`, n) + "1" + strings.Repeat("]}", n)
	}
	docs := []string{
		``, ` `, `{}`, `[]`, ` { } `, "\t[\r\n]\n", `null`, `true`, `false`, `""`, `"a"`, `0`, `-0`, `12`,
		`1e400`, `0.10`, `12345678901234567890`, `-1.5E+10`, `1e-7`, `0e0`, `-`, `-a`, `01`, `-01`, `1.`, `.5`, `1.e1`, `1e`,
		`1e+`, `+1`, `1.5.5`, `0x10`, `1a`, `1 2`, `1"a"`, `NaN`, `Infinity`, `[1,2`, `[1,]`, `[,1]`, `[1 2]`, `[1]]`, `[}`, `{]`,
		`[01]`, `[1.]`, `[-]`, `[1e5,1E5,-0.0]`, `tru`, `trux`, `truee`, `[true,false,null]`, `[nul]`, `nullnull`, `True`,
		`{"a":1}`, `{"a":1,"a":2}`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1,2}`, `{1:2}`, `{"a"::1}`,
		`{"a":{"b":{"c":[{},[],{"d":[[[]]]}]}}}`, `{"":""}`, `{"a":1}{"b":2}`, `{"a":1} x`, `[1],`, `,`, `:`, `}`, `]`,
		`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `"\ud800"`, `"\udc00\ud800x"`, `"\u12"`, `"\u12G4"`, `"\x"`, `"\`, `"\u`, `"a`,
		"\"a\nb\"", "\"a\x00b\"", "\"\x1f\"", "\"\x7f\"", "\"\x80\xff\xc3\"", "\"\u2028\u00e9\U0001f600\"", `"<&>"`, `"!#[]{},:"`,
		`{"a\u0062\n":1}`, "{\"\xff\":1}", "{\"a\tb\":1}", "\v1", "\u00a01", "1\x00", `'a'`, `/* */1`, `[1//x` + "\n]",
		" [ 1 , { \"a b\" : \" x  y \" , \"c\" : [ ] } , { } , \"\" ] ",
		deep(63), deep(64), deep(65), deep(129), deep(MaxDepth), deep(MaxDepth + 1), deepObject(100), deepObject(MaxDepth/2 + 1),
		strings.Repeat("[", 200) + strings.Repeat("]", 199) + "}", strings.Repeat(`[{"a":`, 70) + "1" + strings.Repeat("}]", 70),
		string(tools(3)), string(longText(300, `\n`)),
	}
	// A special byte at every place relative to the words that are scanned.
	for n := range 70 {
		pad := strings.Repeat("x", n)
		docs = append(docs, `"`+pad+`"`, `"`+pad+`\n`+pad+`"`, `"`+pad+"\x01"+pad+`"`, `"`+pad+"\xe9"+`"`+pad, `{"`+pad+`":"`+pad+`"}`)
	}
	return docs
}

// readAll reads the one value of d and expects nothing behind it.
func readAll(d *Reader, read func(v *Value) ([]byte, error)) ([]byte, error) {
	out, err := read(d.Value())
	if err != nil {
		return nil, err
	}
	return out, d.End()
}

// ways are all the ways to get the bytes of a value.
var ways = map[string]func(v *Value) ([]byte, error){
	"read":  func(v *Value) ([]byte, error) { return io.ReadAll(struct{ io.Reader }{v}) },
	"byte":  func(v *Value) ([]byte, error) { return io.ReadAll(iotest.OneByteReader(v)) },
	"write": func(v *Value) ([]byte, error) { var b bytes.Buffer; _, err := v.WriteTo(&b); return b.Bytes(), err },
	"raw":   func(v *Value) ([]byte, error) { raw, _, err := v.Raw(0); return bytes.Clone(raw), err },
	"parts": func(v *Value) ([]byte, error) {
		var out []byte
		for {
			raw, complete, err := v.Raw(3)
			if len(raw) > 3 {
				return nil, fmt.Errorf("Raw(3) returned %q", raw)
			}
			if out = append(out, raw...); complete || err != nil {
				return out, err
			}
		}
	},
	"walk": walk,
}

// walk takes a value apart with callbacks and puts it together again.
func walk(v *Value) ([]byte, error) {
	kind, err := v.Kind()
	if err != nil {
		return nil, err
	}
	out := []byte{}
	switch kind {
	case '{':
		out = append(out, '{')
		if err = v.take(); err == nil {
			err = v.d.open('{')
		}
		v.d.level++
		for err == nil {
			var rawKey, part []byte
			if rawKey, err = v.d.nextKey(); err != nil || rawKey == nil {
				break
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, rawKey...), ':')
			part, err = walk(v.d.value())
			out = append(out, part...)
		}
		v.d.level--
		out = append(out, '}')
	case '[':
		out = append(out, '[')
		err = v.Array(func(i int, v *Value) error {
			if i > 0 {
				out = append(out, ',')
			}
			part, err := walk(v)
			out = append(out, part...)
			return err
		})
		out = append(out, ']')
	default:
		out, _, err = v.Raw(0)
	}
	return out, err
}

func sources(doc string) map[string]*Reader {
	return map[string]*Reader{
		"memory": NewBytes([]byte(doc)),
		"stream": withBuffer(strings.NewReader(doc), 1<<10),
		"bytes":  withBuffer(iotest.OneByteReader(strings.NewReader(doc)), 16),
		"halves": withBuffer(iotest.HalfReader(strings.NewReader(doc)), 37),
		"eof":    withBuffer(iotest.DataErrReader(strings.NewReader(doc)), 8),
	}
}

// withBuffer is NewReader with a small buffer, which puts its edge everywhere.
func withBuffer(r io.Reader, size int) *Reader {
	return &Reader{r: r, buf: make([]byte, size)}
}

// check compares every way to read doc with encoding/json.
func check(t *testing.T, doc string) {
	t.Helper()
	var want bytes.Buffer
	valid := json.Valid([]byte(doc))
	if valid {
		if err := json.Compact(&want, []byte(doc)); err != nil {
			t.Fatal(err)
		}
	}
	for way, read := range ways {
		if way == "walk" && strings.Count(doc, "[") > 1000 {
			continue // it appends at every level: quadratic
		}
		for name, d := range sources(doc) {
			got, err := readAll(d, read)
			if valid && (err != nil || !bytes.Equal(got, want.Bytes())) {
				t.Errorf("%.80q, %s from %s: got %.80q, %v, want %.80q", doc, way, name, got, err, want.Bytes())
			}
			if !valid {
				checkInvalid(t, fmt.Sprintf("%.80q, %s from %s", doc, way, name), err)
			}
		}
	}
}

func checkInvalid(t *testing.T, what string, err error) {
	t.Helper()
	var syntax *SyntaxError
	if err != io.EOF && err != io.ErrUnexpectedEOF && !errors.As(err, &syntax) {
		t.Errorf("%s: got error %v, want a syntax error or the end of the input", what, err)
	}
}

func TestAgreesWithStandardLibrary(t *testing.T) {
	for _, doc := range corpus() {
		check(t, doc)
	}
}

func TestTruncated(t *testing.T) {
	for _, doc := range corpus() {
		if len(doc) > 250 || !json.Valid([]byte(doc)) {
			continue
		}
		for n := range len(doc) {
			check(t, doc[:n])
		}
	}
}

// TestBufferEdge moves tokens over the edge of the buffer of a Reader.
func TestBufferEdge(t *testing.T) {
	tail := `\u00e9","key":[true,-1.5e+3, {"a\n":null }] }`
	for shift := range len(tail) + 2 {
		doc := `{"s":"` + strings.Repeat("x", bufferSize-6-shift) + tail
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(doc)); err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{"read", "write", "raw", "walk"} {
			got, err := readAll(NewReader(strings.NewReader(doc)), ways[way])
			if err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("shift %d, %s: error %v, or other bytes", shift, way, err)
			}
		}
	}
}

func TestSyntaxErrorOffset(t *testing.T) {
	tests := []struct {
		doc  string
		want SyntaxError
	}{
		{`[1,]`, SyntaxError{3, `"]" where a value must be`}},
		{`{"a" 1}`, SyntaxError{5, `"1" where ':' must be`}},
		{`{"a":1,}`, SyntaxError{7, `"}" where a key must be`}},
		{`[1}`, SyntaxError{2, `"}" after a value`}},
		{"\"ab\n\"", SyntaxError{3, `"\n" in a string`}},
		{`"\q"`, SyntaxError{2, `"q" in an escape`}},
		{`"\u00g0"`, SyntaxError{5, `"g" in a \u escape`}},
		{`-x`, SyntaxError{1, `"x" in a number`}},
		{`nulL`, SyntaxError{3, `"L" in a literal`}},
		{`1x`, SyntaxError{1, `"x" after a value`}},
		{`{} []`, SyntaxError{3, `"[" after the end of the value`}},
		{strings.Repeat("[", MaxDepth+1), SyntaxError{MaxDepth, `nested too deep`}},
	}
	for _, tt := range tests {
		for _, way := range []string{"raw", "read", "write"} {
			_, err := readAll(NewReader(iotest.OneByteReader(strings.NewReader(tt.doc))), ways[way])
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Errorf("%.20q, %s: got error %v", tt.doc, way, err)
			} else if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("%.20q, %s (-want +got):\n%s", tt.doc, way, diff)
			}
		}
	}
}

func TestSequence(t *testing.T) {
	const doc = "\xef\xbb\xbf{\"a\" :1}[2] 3\n\"4\"5 null\n"
	for name, d := range sources(doc) {
		var got []string
		for {
			raw, complete, err := d.Value().Raw(0)
			if err == io.EOF {
				break
			}
			if err != nil || !complete {
				t.Fatal(name, complete, err)
			}
			got = append(got, string(raw))
		}
		if diff := cmp.Diff([]string{`{"a":1}`, `[2]`, `3`, `"4"`, `5`, `null`}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if kind, err := d.Kind(); err != io.EOF {
			t.Errorf("%s: kind %q, %v at the end", name, kind, err)
		}
		if err := d.End(); err != nil {
			t.Errorf("%s: %v at the end", name, err)
		}
	}
}

func TestEmptyInput(t *testing.T) {
	for _, doc := range []string{"", " \n", "\xef\xbb\xbf"} {
		d := NewBytes([]byte(doc))
		if err := d.Object(nil); err != io.EOF {
			t.Errorf("%q: Object: %v", doc, err)
		}
		if err := d.Value().Skip(); err != io.EOF {
			t.Errorf("%q: Skip: %v", doc, err)
		}
		if n, err := d.Value().Read(make([]byte, 9)); n != 0 || err != io.ErrUnexpectedEOF {
			t.Errorf("%q: Read: %d, %v", doc, n, err)
		}
		if err := d.End(); err != nil {
			t.Errorf("%q: End: %v", doc, err)
		}
	}
	for _, doc := range []string{"\xef", "\xef\xbb", "\xef\xbb1", " \xef\xbb\xbf1", "1\xef\xbb\xbf"} {
		_, err := Compact([]byte(doc))
		if err == nil {
			t.Errorf("%q is taken for JSON", doc)
		}
		checkInvalid(t, doc, err)
	}
}

// TestLeftovers leaves values untouched, half read and abandoned.
func TestLeftovers(t *testing.T) {
	errStop := errors.New("stop")
	const doc = `{"skip":{"x":[1,{"y":"\u00e9"}]},"half":[1,2,"abc"],"num":12345,"stop":{"a":[{"b":1},2],"c":3},"last":"z"} "next"`
	for name, d := range sources(doc) {
		got := map[string]string{}
		err := d.Object(func(key string, v *Value) error {
			switch key {
			case "half", "num":
				raw, complete, err := v.Raw(4)
				if complete {
					t.Errorf("%s: %q is not all of %s", name, raw, key)
				}
				got[key] = string(raw)
				if err != nil {
					return err
				}
				if _, err := d.Kind(); err == nil {
					t.Errorf("%s: there is a value behind a half read member", name)
				}
			case "stop":
				err := v.Object(func(_ string, v *Value) error {
					return v.Array(func(_ int, v *Value) error {
						return v.Object(func(key string, v *Value) error {
							got["inner"] = key
							return errStop
						})
					})
				})
				if err != errStop {
					t.Errorf("%s: got %v", name, err)
				}
			case "last":
				raw, _, err := d.Value().Raw(0)
				got[key] = string(raw)
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(name, err)
		}
		d.Value() // not read: the next call skips it
		if _, err := d.Kind(); err != io.EOF {
			t.Errorf("%s: got %v at the end", name, err)
		}
		want := map[string]string{"half": `[1,2`, "num": "1234", "inner": "b", "last": `"z"`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestKinds(t *testing.T) {
	d := NewBytes([]byte(`{} [] "" -1 2 true false null`))
	for _, want := range []byte(`{["00tfn`) {
		for range 2 {
			if got, err := d.Kind(); got != want || err != nil {
				t.Fatalf("got %q, %v, want %q", got, err, want)
			}
		}
		v := d.Value()
		if want != '{' {
			var kind *KindError
			if err := v.Object(nil); !errors.As(err, &kind) || kind.Got != want || kind.Want != '{' {
				t.Errorf("%q as an object: %v", want, err)
			}
		}
		if err := v.Skip(); err != nil {
			t.Fatal(err)
		}
		if got, err := v.Kind(); got != want || err != nil {
			t.Errorf("afterwards got %q, %v, want %q", got, err, want)
		}
	}
}

func TestKeys(t *testing.T) {
	long := strings.Repeat("k", maxKey-2)
	doc := fmt.Sprintf(`{"a":1,"\u0061\n\ud83d\ude00":2,"":3,"%s":4,"a" :5, "%s" : 6}`, long, strings.Repeat("x", 40))
	want := []string{"a", "a\n\U0001f600", "", long, "a", strings.Repeat("x", 40)}
	for name, d := range sources(doc) {
		var got []string
		err := d.Object(func(key string, v *Value) error {
			got = append(got, key)
			return nil
		})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for name, d := range sources(`{"` + long + `k":1}`) {
		var syntax *SyntaxError
		if err := d.Object(nil); !errors.As(err, &syntax) || syntax.Offset != 1 {
			t.Errorf("%s: a key that is too long: %v", name, err)
		}
	}
}

func TestSourceFails(t *testing.T) {
	boom := errors.New("boom")
	for way, read := range ways {
		src := io.MultiReader(strings.NewReader(`{"a":[1,"bc`), iotest.ErrReader(boom))
		if _, err := readAll(NewReader(src), read); !errors.Is(err, boom) {
			t.Errorf("%s: got %v", way, err)
		}
	}
	d := NewReader(emptyReader{})
	if _, err := d.Kind(); err != io.ErrNoProgress {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

// TestReadsNothingBehind checks that a value ends without waiting for more: the
// peer may be silent until it has got an answer.
func TestReadsNothingBehind(t *testing.T) {
	for _, doc := range []string{`{"a":[1]}`, `[]`, `"x"`, `true`} {
		for way, read := range ways {
			d := NewReader(io.MultiReader(strings.NewReader(doc), waits{t}))
			if got, err := read(d.Value()); err != nil || string(got) != doc {
				t.Errorf("%s, %s: %q, %v", doc, way, got, err)
			}
		}
	}
}

type waits struct{ t *testing.T }

func (w waits) Read([]byte) (int, error) {
	w.t.Error("read beyond the value")
	return 0, io.EOF
}

// TestConstantMemory streams much more than a Reader may hold.
func TestConstantMemory(t *testing.T) {
	doc := longText(8<<20, `\n`)
	perRun := testing.AllocsPerRun(3, func() {
		d := NewReader(bytes.NewReader(doc))
		if _, err := io.Copy(io.Discard, d.Value()); err != nil {
			t.Error(err)
		}
	})
	if perRun > 10 {
		t.Errorf("%v allocations for one value", perRun)
	}
	list := tools(2000)
	d := NewReader(nil)
	perRun = testing.AllocsPerRun(3, func() {
		*d = Reader{r: bytes.NewReader(list), buf: d.buf, values: d.values, keys: d.keys}
		if _, err := walkCount(d); err != nil {
			t.Error(err)
		}
	})
	if perRun > 10 {
		t.Errorf("%v allocations for a list", perRun)
	}
}

// walkCount counts the members and elements of the next value, all levels.
func walkCount(d *Reader) (n int, err error) {
	var object func(string, *Value) error
	var array func(int, *Value) error
	visit := func(v *Value) error {
		n++
		switch kind, err := v.Kind(); {
		case err != nil:
			return err
		case kind == '{':
			return v.Object(object)
		case kind == '[':
			return v.Array(array)
		}
		return nil
	}
	object = func(_ string, v *Value) error { return visit(v) }
	array = func(_ int, v *Value) error { return visit(v) }
	return n, visit(d.Value())
}
