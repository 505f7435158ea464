package outfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"mcpq/internal/rawjson"
)

// kept is a Sink that holds everything.
type kept struct {
	open  []*bytes.Buffer
	kinds []Kind
	got   []content
	links []string
}

type content struct {
	Block
	Data string
}

func (k *kept) Begin(kind Kind) (io.Writer, error) {
	k.open, k.kinds = append(k.open, new(bytes.Buffer)), append(k.kinds, kind)
	return k.open[len(k.open)-1], nil
}

func (k *kept) End(b Block) error {
	k.got = append(k.got, content{b, k.open[0].String()})
	k.open = k.open[1:]
	return nil
}

func (k *kept) Link(uri string) { k.links = append(k.links, uri) }

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, doc string
		want      []content
		links     []string
	}{
		{"resource", `{"contents":[{"uri":"a:b","mimeType":"x/y","blob":"aGk="},{"text":"t\u00e9\n","uri":"a:c"}]}`,
			[]content{{Block{Binary, "a:b", "", "x/y"}, "hi"}, {Block{Text, "a:c", "", ""}, "té\n"}}, nil},
		{"tool, description behind", `{"isError":false,"content":[{"data":"aGk","mimeType":"image/png","type":"image","_meta":{"data":"no","text":["no"]}},{"type":"text","text":""}]}`,
			[]content{{Block{Binary, "", "", "image/png"}, "hi"}, {Block{Text, "", "", ""}, ""}}, nil},
		{"embedded and linked", `{"content":[{"type":"resource","resource":{"uri":"r:1","text":"x"}},{"type":"resource_link","uri":"r:2","name":"n"}]}`,
			[]content{{Block{Text, "r:1", "", ""}, "x"}}, []string{"r:2"}},
		{"prompt", `{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":[{"type":"text","text":"b"},{"type":"audio","data":"AA"}]}]}`,
			[]content{{Block{Text, "", "", ""}, "a"}, {Block{Text, "", "", ""}, "b"}, {Block{Binary, "", "", ""}, "\x00"}}, nil},
		{"structured", `{"structuredContent":{"z":1e400,"a":[]},"content":[]}`, []content{{Block{Structured, "", "", "application/json"}, "{\"z\":1e400,\"a\":[]}\n"}}, nil},
		{"base64 of every spelling", `{"contents":[{"blob":"_-8="},{"blob":"\/+8"},{"blob":"_\r\n-8=\n"},{"blob":""}]}`,
			[]content{{Block{Kind: Binary}, "\xff\xef"}, {Block{Kind: Binary}, "\xff\xef"}, {Block{Kind: Binary}, "\xff\xef"}, {Block{Kind: Binary}, ""}}, nil},
		{"nothing", `{"tools":[{"text":"no"}],"content":"no","contents":[1,"x",null,{"text":5}],"structuredContent":null}`, nil, nil},
		{"no object", `["x"]`, nil, nil},
		{"pairs", `{"content":[{"text":"\ud83d\ude00 \ud83d \ude00\ud83d"}]}`, []content{{Block{Kind: Text}, "😀 � ��"}}, nil},
		{"halves", `{"content":[{"text":"\ud83d\u0041\ud83d\ud83d\ude00"}]}`, []content{{Block{Kind: Text}, "�A�😀"}}, nil},
		{"escapes", `{"content":[{"text":"\"\\\/\b\f\n\r\t\\\"\\"}]}`, []content{{Block{Kind: Text}, "\"\\/\b\f\n\r\t\\\"\\"}}, nil},
	} {
		for _, one := range []bool{false, true} {
			var k kept
			in := io.Reader(strings.NewReader(tt.doc))
			if one {
				in = iotest.OneByteReader(in)
			}
			if err := Decode(in, &k); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if diff := cmp.Diff(tt.want, k.got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
			if diff := cmp.Diff(tt.links, k.links); diff != "" {
				t.Errorf("%s, links (-want +got):\n%s", tt.name, diff)
			}
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, blob := range []string{"a", "a$bc", "aG=k", "aGk=aGk=", "é"} {
		var k kept
		err := Decode(strings.NewReader(`{"contents":[{"blob":"`+blob+`"}]}`), &k)
		var bad *Base64Error
		if !errors.As(err, &bad) {
			t.Errorf("%q: got %v", blob, err)
		}
	}
}

func TestWriterAborted(t *testing.T) {
	var k kept
	w := NewWriter(&k)
	if _, err := w.Write([]byte(`{"contents":[{"text":"ab`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("nothing was wrong, but %v", err)
	}
	if len(k.got) != 0 {
		t.Errorf("an aborted block has ended: %v", k.got)
	}
	w = NewWriter(&k)
	_, _ = w.Write([]byte(`{"contents":[{"text":"ab`))
	if err := w.Close(); err == nil {
		t.Error("a result that ends too early is no error")
	}
}

// FuzzDecode gives a result in two pieces and compares with what encoding/json
// makes of the whole of it.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`"a\ud83d\ude00\\"`, `"aGk="`, `"\u0000\/_-"`, `"\\\"\\\\"`, `""`, `"\ud800x\udc00"`} {
		f.Add(s, uint16(30))
	}
	f.Fuzz(func(t *testing.T, s string, at uint16) {
		doc := `{"a":[` + s + `],"content":[{"type":"text","text":` + s + `,"mimeType":"m"}],"contents":[{"blob":` + s + `}]}`
		raw, err := rawjson.Compact([]byte(doc))
		if err != nil {
			return
		}
		var whole struct {
			Content  []struct{ Text *string }
			Contents []struct{ Blob *string }
		}
		if json.Unmarshal(raw, &whole) != nil || len(whole.Content) != 1 || whole.Content[0].Text == nil || bytes.Contains(raw, []byte(`"Content`)) {
			return
		}
		var k kept
		w := NewWriter(&k)
		cut := min(int(at), len(raw))
		_, _ = w.Write(raw[:cut]) // an error shows at the end again
		_, _ = w.Write(raw[cut:])
		err = w.Close()
		if len(k.got) == 0 || strings.ToValidUTF8(k.got[0].Data, "") != strings.ToValidUTF8(*whole.Content[0].Text, "") && !strings.Contains(k.got[0].Data, "\xff") {
			if len(k.got) == 0 || strings.ToValidUTF8(k.got[0].Data, "\ufffd") != *whole.Content[0].Text && !strings.ContainsRune(*whole.Content[0].Text, '\ufffd') {
				t.Fatalf("%s\ngot %+v, want %q", raw, k.got, *whole.Content[0].Text)
			}
		}
		if len(whole.Contents) != 1 || whole.Contents[0].Blob == nil {
			return
		}
		if want, ok := decodeBase64(*whole.Contents[0].Blob); ok {
			if err != nil || len(k.got) < 2 || k.got[1].Data != string(want) {
				t.Fatalf("%s\ngot %+v, %v, want %q", raw, k.got, err, want)
			}
		}
	})
}

func decodeBase64(s string) ([]byte, bool) {
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(s); err == nil {
			return b, true
		}
	}
	return nil, false
}

// TestDecodeMemory decodes 64 MB and counts what was allocated on the way.
func TestDecodeMemory(t *testing.T) {
	const size = 64 << 20
	for _, tt := range []struct{ key, unit string }{{"blob", "QUJD"}, {"text", `ab\n\u00e9`}} {
		in := io.MultiReader(strings.NewReader(`{"contents":[{"`+tt.key+`":"`), io.LimitReader(&endless{unit: tt.unit}, int64(size/len(tt.unit)*len(tt.unit))), strings.NewReader(`"}]}`))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var s counter
		if err := Decode(in, &s); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if s.n < size/4 {
			t.Errorf("%s: only %d bytes came out", tt.key, s.n)
		}
		// Every escape of a text costs a few bytes, but none stays.
		if used := after.HeapInuse - min(before.HeapInuse, after.HeapInuse); used > 8<<20 {
			t.Errorf("%s: %d bytes are in use at the end", tt.key, used)
		}
		if total := after.TotalAlloc - before.TotalAlloc; tt.key == "blob" && total > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", tt.key, total)
		}
	}
}

type endless struct {
	unit string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.unit[e.at]
		e.at = (e.at + 1) % len(e.unit)
	}
	return len(p), nil
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error)   { c.n += len(p); return len(p), nil }
func (c *counter) Begin(Kind) (io.Writer, error) { return c, nil }
func (c *counter) End(Block) error               { return nil }
func (c *counter) Link(string)                   {}
