package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

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

// TestSequenceWalked has values that need nothing between them.
func TestSequenceWalked(t *testing.T) {
	for name, d := range sources(`1[2]-3{"a":4}[]true"x"`) {
		var got []string
		for {
			raw, err := walk(d.Value())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, string(raw))
		}
		if diff := cmp.Diff([]string{`1`, `[2]`, `-3`, `{"a":4}`, `[]`, `true`, `"x"`}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
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

// TestHoldsNothingBack checks that what has come is passed on before more is
// waited for, also when white space is the last of it.
func TestHoldsNothingBack(t *testing.T) {
	for _, doc := range []string{`[1, {"a" : `, `[1`, "[ \"x", "[1,\n\n"} {
		want := strings.Join(strings.Fields(doc), "")
		v := NewReader(io.MultiReader(strings.NewReader(doc), waits{t})).Value()
		p := make([]byte, 100)
		n, err := v.Read(p)
		if got := string(p[:n]); got != want || err != nil {
			t.Errorf("%q: Read %q, %v", doc, got, err)
		}

		var out bytes.Buffer
		asked := false
		more := readerFunc(func([]byte) (int, error) {
			asked = true
			if out.String() != want {
				t.Errorf("%q: WriteTo waits having written %q", doc, out.String())
			}
			return 0, io.EOF
		})
		v = NewReader(io.MultiReader(strings.NewReader(doc), more)).Value()
		if n, err := v.WriteTo(&out); n != int64(len(want)) || err != io.ErrUnexpectedEOF || !asked {
			t.Errorf("%q: WriteTo %d, %v, asked for more: %t", doc, n, err, asked)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestWriterFails checks that an error of the destination comes back as it is.
func TestWriterFails(t *testing.T) {
	boom := errors.New("boom")
	for _, doc := range [][]byte{tools(2), tools(500), indented(t, tools(500)), longText(bufferSize*2, "")} {
		r, w := io.Pipe()
		r.CloseWithError(boom)
		if n, err := NewReader(bytes.NewReader(doc)).Value().WriteTo(w); n != 0 || err != boom {
			t.Errorf("%d bytes: wrote %d, %v", len(doc), n, err)
		}
	}
}

// TestConstantMemory streams much more than a Reader may hold.
func TestConstantMemory(t *testing.T) {
	const most = largeBuffer + 2*bufferSize
	for name, doc := range map[string][]byte{"text": longText(4<<20, `\n`), "list": tools(5000), "indented": indented(t, tools(5000))} {
		got := allocated(func() {
			d := NewReader(bytes.NewReader(doc))
			if n, err := io.Copy(io.Discard, d.Value()); err != nil || n < 512<<10 {
				t.Errorf("%s: copied %d bytes, %v", name, n, err)
			}
		})
		if got > most {
			t.Errorf("%s: copying allocates %d bytes", name, got)
		}
		got = allocated(func() {
			if n, err := walkCount(NewReader(bytes.NewReader(doc))); err != nil || n < 6 {
				t.Errorf("%s: walked %d values, %v", name, n, err)
			}
		})
		if got > most {
			t.Errorf("%s: walking allocates %d bytes", name, got)
		}
	}
}

func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
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

// TestOutOfTurn reads values where they do not stand any more.
func TestOutOfTurn(t *testing.T) {
	for name, d := range sources(`{"a":{"b":{"c":1}},"d":2} 3`) {
		err := d.Object(func(_ string, outer *Value) error {
			return outer.Object(func(_ string, v *Value) error {
				return outer.Skip()
			})
		})
		if err != errConsumed {
			t.Errorf("%s: a walk whose ground was read away: %v", name, err)
		}
		if raw, _, err := d.Value().Raw(0); string(raw) != "3" || err != nil {
			t.Errorf("%s: behind it: %s, %v", name, raw, err)
		}
		v := d.Value()
		if err := v.Object(nil); err != errConsumed && err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
	d := NewBytes([]byte(`[[1,2],3]`))
	v := d.Value()
	if raw, complete, err := v.Raw(2); string(raw) != "[[" || complete || err != nil {
		t.Fatalf("got %s, %t, %v", raw, complete, err)
	}
	if err := v.Array(nil); err != errConsumed {
		t.Errorf("walking a value that was begun: %v", err)
	}
	if raw, complete, err := v.Raw(7); string(raw) != "1,2],3]" || !complete || err != nil {
		t.Errorf("the rest: %s, %t, %v", raw, complete, err)
	}
}
