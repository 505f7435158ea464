package rawjson

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/iotest"
)

// FuzzReader compares what is accepted, and what comes out, with encoding/json.
func FuzzReader(f *testing.F) {
	for _, doc := range corpus() {
		if len(doc) < 1000 {
			f.Add([]byte(doc), uint8(len(doc)))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, size uint8) {
		if bytes.HasPrefix(doc, []byte(bom)) {
			t.Skip("a byte order mark is skipped here, unlike there")
		}
		valid := json.Valid(doc)
		var want bytes.Buffer
		if valid {
			if err := json.Compact(&want, doc); err != nil {
				t.Fatal(err)
			}
		}
		for way, read := range ways {
			for name, d := range map[string]*Reader{
				"memory": NewBytes(doc),
				"stream": withBuffer(bytes.NewReader(doc), int(size)+1),
				"bytes":  withBuffer(iotest.OneByteReader(bytes.NewReader(doc)), 9),
			} {
				got, err := readAll(d, read)
				if valid && (err != nil || !bytes.Equal(got, want.Bytes())) {
					t.Errorf("%s from %s: got %q, %v, want %q", way, name, got, err, want.Bytes())
				}
				if !valid {
					checkInvalid(t, way+" from "+name, err)
				}
			}
		}
		if !valid {
			return
		}
		compact := want.Bytes()
		if got, err := Compact(compact); err != nil || len(got) == 0 || &got[0] != &compact[0] {
			t.Errorf("Compact copies %q, or fails: %v", compact, err)
		}
		switch compact[0] {
		case '{':
			o, err := ParseObject(doc)
			if got := o.Raw(); err != nil || !bytes.Equal(got, compact) {
				t.Errorf("ParseObject: got %q, %v, want %q", got, err, compact)
			}
		case '[':
			list, err := Elements(doc)
			got := append(append([]byte{'['}, bytes.Join(asBytes(list), []byte{','})...), ']')
			if err != nil || !bytes.Equal(got, compact) {
				t.Errorf("Elements: got %q, %v, want %q", got, err, compact)
			}
		}
	})
}

func asBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}

// FuzzQuote quotes any text, and takes any text for the inside of a string.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", `"\/`, "\b\f\n\r\t\x00\x1f\x7f", "é\u2028\U0001f600", "\xff\xc3", "<&>", `\ud83d\ude00\ud83d\u0041\udc00`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := string([]rune(s)) // each byte that is not UTF-8 becomes U+FFFD
		quoted := Quote(s)
		var got string
		if err := json.Unmarshal(quoted, &got); err != nil || got != want {
			t.Errorf("Quote(%q) = %s, which encoding/json reads as %q, %v", s, quoted, got, err)
		}
		if got, ok := Unquote(quoted); !ok || got != want {
			t.Errorf("Quote(%q) = %s, which Unquote reads as %q, %t", s, quoted, got, ok)
		}

		raw := []byte(`"` + s + `"`)
		err := json.Unmarshal(raw, &got)
		text, ok := Unquote(raw)
		if ok != (err == nil) || ok && string([]rune(text)) != got {
			t.Errorf("Unquote(%q) = %q, %t, want %q, %v", raw, text, ok, got, err)
		}
	})
}
