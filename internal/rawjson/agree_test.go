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
		if len(doc) > 60 || !json.Valid([]byte(doc)) {
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
