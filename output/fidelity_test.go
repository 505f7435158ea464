package output

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// nasty are documents that a decoder and encoder would change.
func nasty() map[string]string {
	docs := map[string]string{
		"deep arrays":   strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"deep objects":  strings.Repeat(`{"a":`, 5000) + "0" + strings.Repeat("}", 5000),
		"deep mixed":    strings.Repeat(`[{"a":`, 150) + "null" + strings.Repeat("}]", 150),
		"deep and wide": strings.Repeat(`[1,{"b":[2]},`, 100) + "3" + strings.Repeat("]", 100),
		"long string":   `"` + strings.Repeat("x", 200_000) + `"`,
		"long escapes":  `["` + strings.Repeat(`\\`, 8_000) + `","` + strings.Repeat(`\"`, 8_000) + `"]`,
		"long number":   strings.Repeat("9", 100_000),
		"long array":    "[" + strings.Repeat("1,", 8_000) + "1]",
		"buffer edge":   `"` + strings.Repeat("é", bufferSize/2) + `"`,
	}
	for _, doc := range []string{
		`1e400`, `-1e400`, `1E400`, `1e-400`, `0.10`, `1.0`, `1.00e+02`, `100E-2`, `-0`, `-0.0`, `0`, `0e0`,
		`12345678901234567890`, `-12345678901234567890`, `9007199254740993`, `18446744073709551616`,
		`3.141592653589793238462643383279`, `0.1e1`, `[1,1.0,1.00,1e0]`,
		`true`, `false`, `null`, `""`, `{}`, `[]`, `[[]]`, `[{}]`, `{"a":{}}`, `{"a":[]}`, `{"":""}`, `[[],[],{}]`,
		`"\u0000"`, `"\u001b[31m"`, `"\u001B"`, `"\/"`, `"/"`, `"\"\\\/\b\f\n\r\t"`, `"\\"`, `"\\\\"`, `"\\\""`, `"\\n"`, `"\\u0041"`,
		`"\u0041"`, `"\u00e9"`, `"é"`, `"\ud83d\ude00"`, `"😀"`, `"\ud800"`, `"\udc00\ud800"`, `"\uFFFF"`,
		`"<script>&amp;"`, `"\u003c"`, "\"\u2028\u2029\"", "\"\u202e abc\"", "\"\x7f\u0080\u009f\"", "\"\ufeff\"", "\"\u200b\U000e0041\"", "\"e\u0301\"",
		`{"a":1,"a":2}`, `{"a":{"x":1},"a":{"y":2},"a":3}`, `{"z":1,"a":2,"m":3}`, `{"1":1,"10":2,"2":3}`,
		`{"\u0061":1,"a":2}`, `{"a\"b":1}`, `{"{":"}","[":"]",",":":"}`, `["{","}","[","]",":",",","\"{"]`,
		`[1,[2,[3,[4,{"a":[5]}]]]]`, `[true,false,null]`, `["a  b","\t","  "]`, `{"a b":" c : d , e "}`,
		`{"true":true,"null":null}`, `[-1,-1.5e-10]`, `{"k":"{\"inner\":[1, 2]}"}`,
	} {
		docs[doc] = doc
	}
	return docs
}

func TestFidelity(t *testing.T) {
	docs := nasty()
	if len(docs) < 60 {
		t.Fatalf("only %d documents", len(docs))
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			checkFidelity(t, []byte(doc))
		})
	}
}

// checkFidelity prints a document in every way and compares the bytes with what
// encoding/json makes of it without decoding.
func checkFidelity(t *testing.T, doc []byte) {
	t.Helper()
	var compacted bytes.Buffer
	if err := json.Compact(&compacted, doc); err != nil {
		t.Skip(err)
	}
	want := compacted.String()
	var indented bytes.Buffer
	if indentBytes([]byte(want)) <= maxIndentBytes {
		if err := json.Indent(&indented, []byte(want), "", "  "); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range [][]byte{doc, indented.Bytes()} {
		if len(in) == 0 {
			continue
		}
		before := bytes.Clone(in)
		same(t, "compact", printed(t, in, false, Options{}), want)
		same(t, "compact, coloured", stripped(printed(t, in, false, Options{Color: ColorAlways})), want)
		p := printed(t, in, false, Options{Layout: LayoutPretty})
		same(t, "pretty, compacted", recompacted(t, p), want)
		if indented.Len() > 0 {
			same(t, "pretty", p, indented.String())
		}
		same(t, "pretty, coloured", stripped(printed(t, in, false, Options{Layout: LayoutPretty, Color: ColorAlways})), p)
		if !bytes.Equal(in, before) {
			t.Error("printing changed the caller's bytes")
		}
		checkTerminal(t, in)
	}
	checkDecode(t, doc)
	same(t, "stream", streamed(t, want, false), want)
	same(t, "stream to a terminal", streamed(t, want, true), printed(t, []byte(want), true, Options{Layout: LayoutCompact, Color: ColorNever}))
}

// checkTerminal checks that what a terminal shows has the same value and
// nothing in it that the terminal would act on.
func checkTerminal(t *testing.T, doc []byte) {
	t.Helper()
	shown := printed(t, doc, true, Options{Color: ColorNever})
	if i := strings.IndexFunc(shown, func(r rune) bool { return r != '\n' && steers(r) }); i >= 0 || !utf8.ValidString(shown) {
		t.Errorf("a terminal gets an unsafe character at byte %d", i)
	}
	if got, want := parsed(t, []byte(shown)), parsed(t, doc); !reflect.DeepEqual(got, want) {
		t.Error("the document on a terminal has another value")
	}
}

// checkDecode checks that a filter gets the same values as encoding/json reads,
// and gives back the bytes of objects that it leaves alone.
func checkDecode(t *testing.T, doc []byte) {
	t.Helper()
	from := origins{}
	got, err := decode(doc, from)
	if err != nil {
		t.Fatal(err)
	}
	want := parsed(t, doc)
	if !reflect.DeepEqual(got, want) {
		t.Error("a filter gets another value")
	}
	if again := parsed(t, origins{}.encode(nil, got)); !reflect.DeepEqual(again, want) {
		t.Error("a filter's output has another value")
	}
	if _, ok := got.(map[string]any); ok {
		same(t, "through a filter", string(from.encode(nil, got)), string(compact(doc)))
	}
}

func parsed(t *testing.T, doc []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// same compares documents that may be too large to show whole.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, at-20):min(len(s), at+40)] }
	t.Errorf("%s: differs at byte %d: got …%q, want …%q", what, at, cut(got), cut(want))
}

func printed(t *testing.T, doc []byte, tty bool, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := NewPrinter(&out, tty, o).JSON(context.Background(), doc); err != nil {
		t.Fatal(err)
	}
	return chomp(t, out.String())
}

func streamed(t *testing.T, doc string, tty bool) string {
	t.Helper()
	var out bytes.Buffer
	p := NewPrinter(&out, tty, Options{Layout: LayoutCompact, Color: ColorNever})
	if !p.Streams() {
		t.Fatal("compact output without a filter is not streamed")
	}
	r := iotest.HalfReader(strings.NewReader(doc))
	if len(doc) < 100_000 {
		r = iotest.OneByteReader(strings.NewReader(doc))
	}
	if err := p.Stream(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	return chomp(t, out.String())
}

func chomp(t *testing.T, s string) string {
	t.Helper()
	line, ok := strings.CutSuffix(s, "\n")
	if !ok || strings.HasSuffix(line, "\n") {
		t.Fatalf("output does not end with exactly one newline: %.60q", s)
	}
	return line
}

func stripped(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")
}

func recompacted(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestInvalidUTF8(t *testing.T) {
	doc := []byte("[\"a\xffb\xe2\x82\",\"\xc2\x9b\"]")
	if got := printed(t, doc, false, Options{}); got != string(doc) {
		t.Errorf("a pipe got %q, want the bytes as they came", got)
	}
	const want = `["a\ufffdb\ufffd\ufffd","\u009b"]`
	if got := printed(t, doc, true, Options{Layout: LayoutCompact, Color: ColorNever}); got != want {
		t.Errorf("a terminal got %q, want %q", got, want)
	}
	if got := streamed(t, string(doc), true); got != want {
		t.Errorf("a terminal got %q of a stream, want %q", got, want)
	}
}

func TestIndentationIsBounded(t *testing.T) {
	bomb := strings.Repeat("[", 2000) + strings.Repeat("0,", 100_000) + "0" + strings.Repeat("]", 2000)
	if got := printed(t, []byte(bomb), false, Options{Layout: LayoutPretty}); got != bomb {
		t.Errorf("%d bytes became %d", len(bomb), len(got))
	}
}

func FuzzPretty(f *testing.F) {
	for name, doc := range nasty() {
		if len(doc) < 200 {
			f.Add([]byte(doc))
		} else {
			f.Logf("%s is too long to fuzz", name)
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		checkFidelity(t, doc)
	})
}
