package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// longText is a message with a result of about size bytes in one string; eol is
// what its lines end with.
func longText(size int, eol string) []byte {
	line := strings.Repeat("The quick brown fox jumps over it. ", 2) + eol
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%s"}]}}`,
		strings.Repeat(line, size/len(line)))
}

// tools is a list of n small tool objects.
func tools(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":2,"result":{"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","description":"Does thing %d","inputSchema":{"type":"object",`+
			`"properties":{"a":{"type":"number"},"b":{"type":"string","maxLength":%d}},"required":["a"]},`+
			`"annotations":{"readOnlyHint":true,"title":null}}`, i, i, i)
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

func benchmarkCopy(b *testing.B, doc []byte) {
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			d := NewReader(bytes.NewReader(doc))
			if _, err := io.Copy(io.Discard, d.Value()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		buf := make([]byte, 32<<10)
		for b.Loop() {
			v := NewReader(bytes.NewReader(doc)).Value()
			for {
				if _, err := v.Read(buf); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("memory", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Compact(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCopyString(b *testing.B)   { benchmarkCopy(b, longText(50<<20, "")) }
func BenchmarkCopyLines(b *testing.B)    { benchmarkCopy(b, longText(50<<20, `\n`)) }
func BenchmarkCopyTools(b *testing.B)    { benchmarkCopy(b, tools(10000)) }
func BenchmarkCopyIndented(b *testing.B) { benchmarkCopy(b, indented(b, tools(10000))) }

func indented(tb testing.TB, doc []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, doc, "", "  "); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkWalkTools visits every member of every tool.
func BenchmarkWalkTools(b *testing.B) {
	doc := tools(10000)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		d := NewReader(bytes.NewReader(doc))
		err := d.Object(func(key string, v *Value) error {
			if key != "result" {
				return nil
			}
			return v.Object(func(_ string, v *Value) error {
				return v.Array(func(_ int, v *Value) error {
					return v.Object(func(key string, v *Value) error {
						n += len(key)
						return nil
					})
				})
			})
		})
		if err != nil || n == 0 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkStandardCompact is the measure: encoding/json over the same list.
func BenchmarkStandardCompact(b *testing.B) {
	doc := tools(10000)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		var out bytes.Buffer
		if err := json.Compact(&out, doc); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkItems splits a list that has been checked.
func BenchmarkItems(b *testing.B) {
	list := Members(Members(tools(100))["result"])["tools"]
	b.SetBytes(int64(len(list)))
	for b.Loop() {
		if items, ok := Items(list); !ok || len(items) != 100 {
			b.Fatal(len(items))
		}
	}
}
