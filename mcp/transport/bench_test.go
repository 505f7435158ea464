package transport

import (
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"mcpq/mcp/jsonrpc"
)

// What a result of 50 MB costs on its way to io.Discard, beside the cost of
// the pipe alone.
func BenchmarkHugeResult(b *testing.B) {
	b.Run("pipe alone", func(b *testing.B) {
		b.SetBytes(hugeResult)
		for b.Loop() {
			r, w, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			go func() {
				writeHuge(w, 1)
				_ = w.Close()
			}()
			// Neither side may shorten the copy by a method of its own.
			if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, 64<<10)); err != nil {
				b.Fatal(err)
			}
			_ = r.Close()
		}
	})
	discard := func(r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	}
	b.Run("stdio", func(b *testing.B) {
		b.SetBytes(hugeResult)
		for b.Loop() {
			inR, inW, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			outR, outW, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			m := jsonrpc.NewMux(jsonrpc.NewStream(outR, inW, func() error { return errors.Join(inW.Close(), outR.Close()) }), jsonrpc.Handler{}, 0)
			go func() {
				_, _ = inR.Read(make([]byte, 100))
				writeHuge(outW, 1)
				_, _ = outW.Write([]byte("\n"))
			}()
			if _, err := m.Call(b.Context(), &jsonrpc.Request{Method: "m", Result: discard}); err != nil {
				b.Fatal(err)
			}
			_ = m.Close()
			_, _ = inR.Close(), outW.Close()
		}
	})
	for name, kind := range map[string]string{"http json": jsonType, "http events": eventType} {
		b.Run(name, func(b *testing.B) {
			id := 0
			s := serve(b, func(w io.Writer, h http.Header, r *http.Request) {
				w = w.(flushing).ResponseWriter
				id++
				h.Set("Content-Type", kind)
				if kind == eventType {
					_, _ = io.WriteString(w, "data: ")
					defer func() { _, _ = io.WriteString(w, "\n\n") }()
				}
				writeHuge(w, id)
			})
			c, err := (HTTP{URL: s.URL}).Dial(b.Context(), Peer{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(hugeResult)
			for b.Loop() {
				if _, err := c.Call(b.Context(), &Outgoing{Method: "m", Result: discard}); err != nil {
					b.Fatal(err)
				}
			}
			_ = c.Close(b.Context())
		})
	}
}
