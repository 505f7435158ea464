package output

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestLayoutAndColor(t *testing.T) {
	const (
		plain        = `{"a":[1,"b",true,null]}`
		pretty       = "{\n  \"a\": [\n    1,\n    \"b\",\n    true,\n    null\n  ]\n}"
		colour       = "{\x1b[1;34m\"a\"\x1b[0m:[\x1b[36m1\x1b[0m,\x1b[32m\"b\"\x1b[0m,\x1b[33mtrue\x1b[0m,\x1b[90mnull\x1b[0m]}"
		prettyColour = "{\n  \x1b[1;34m\"a\"\x1b[0m: [\n    \x1b[36m1\x1b[0m,\n    \x1b[32m\"b\"\x1b[0m,\n    \x1b[33mtrue\x1b[0m,\n    \x1b[90mnull\x1b[0m\n  ]\n}"
	)
	tests := []struct {
		name    string
		opts    Options
		tty     bool
		want    string
		streams bool
	}{
		{"pipe", Options{}, false, plain, true},
		{"terminal", Options{}, true, prettyColour, false},
		{"terminal, auto by name", Options{Color: ColorAuto}, true, prettyColour, false},
		{"terminal, NO_COLOR", Options{NoColorEnv: true}, true, pretty, false},
		{"terminal, never", Options{Color: ColorNever}, true, pretty, false},
		{"terminal, always beats NO_COLOR", Options{Color: ColorAlways, NoColorEnv: true}, true, prettyColour, false},
		{"terminal, compact", Options{Layout: LayoutCompact}, true, colour, false},
		{"terminal, compact, never", Options{Layout: LayoutCompact, Color: ColorNever}, true, plain, true},
		{"pipe, pretty", Options{Layout: LayoutPretty}, false, pretty, false},
		{"pipe, always", Options{Color: ColorAlways}, false, colour, false},
		{"pipe, pretty, always", Options{Layout: LayoutPretty, Color: ColorAlways}, false, prettyColour, false},
		{"pipe, never", Options{Color: ColorNever}, false, plain, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var one, two bytes.Buffer
			p := NewPrinter(&one, tt.tty, tt.opts)
			if p.Streams() != tt.streams {
				t.Errorf("Streams() = %v", p.Streams())
			}
			if err := p.Stream(context.Background(), strings.NewReader(plain)); err != nil {
				t.Fatal(err)
			}
			if err := NewPrinter(&two, tt.tty, tt.opts).JSON(context.Background(), []byte(" "+pretty+"\r\n")); err != nil {
				t.Fatal(err)
			}
			for _, got := range []string{one.String(), two.String()} {
				if diff := cmp.Diff(tt.want+"\n", got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestStatusWithoutFilter(t *testing.T) {
	tests := []struct{ doc, want string }{
		{`null`, "the last value is null"}, {`false`, "the last value is false"}, {``, "no value at all"},
		{`true`, ""}, {`0`, ""}, {`{}`, ""}, {`""`, ""}, {`"null"`, ""}, {`[null]`, ""},
	}
	for _, tt := range tests {
		for _, o := range []Options{{ExitStatus: true}, {ExitStatus: true, Layout: LayoutPretty}} {
			p := NewPrinter(io.Discard, false, o)
			if err := p.Stream(context.Background(), iotest.OneByteReader(strings.NewReader(tt.doc))); err != nil {
				t.Fatal(err)
			}
			err := p.Status()
			if text(err) != tt.want {
				t.Errorf("%q: status %q, want %q", tt.doc, text(err), tt.want)
			}
			var no *NoError
			if err != nil && !errors.As(err, &no) {
				t.Errorf("%q: status has type %T", tt.doc, err)
			}
		}
	}
}

func TestNoDocumentPrintsNothing(t *testing.T) {
	for _, o := range []Options{{}, {Layout: LayoutPretty}} {
		var out bytes.Buffer
		if err := NewPrinter(&out, false, o).Stream(context.Background(), strings.NewReader("")); err != nil || out.Len() > 0 {
			t.Errorf("printed %q, error %v", out.String(), err)
		}
	}
}

// A document that breaks off is not printed, unless part of it is out already.
func TestBrokenStream(t *testing.T) {
	broken := errors.New("connection reset")
	for _, tt := range []struct {
		name string
		size int
		opts Options
		want bool // whether bytes may be out
	}{
		{"small", 100, Options{}, false},
		{"large", 3 * bufferSize, Options{}, true},
		{"large and pretty", 3 * bufferSize, Options{Layout: LayoutPretty}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := NewPrinter(&out, false, tt.opts)
			if err := p.JSON(context.Background(), []byte(`1`)); err != nil {
				t.Fatal(err)
			}
			r := io.MultiReader(strings.NewReader(`"`+strings.Repeat("x", tt.size)), iotest.ErrReader(broken))
			if err := p.Stream(context.Background(), r); err != broken {
				t.Errorf("got error %v, want the reader's own", err)
			}
			if err := p.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := out.Len() > len("1\n"); got != tt.want {
				t.Errorf("%d bytes are out", out.Len())
			}
		})
	}
}

func TestWriteErrors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	filter, err := CompileFilter(".")
	if err != nil {
		t.Fatal(err)
	}
	long := `"` + strings.Repeat("x", 2*bufferSize) + `"`
	for _, o := range []Options{{}, {Layout: LayoutPretty}, {Filter: filter}} {
		for _, doc := range []string{`1`, long} {
			p := NewPrinter(w, false, o)
			err := p.Stream(context.Background(), strings.NewReader(doc))
			if !errors.Is(err, syscall.EPIPE) {
				t.Errorf("%+v: got %v, want EPIPE", o, err)
			}
			var werr *WriteError
			if !errors.As(err, &werr) || !strings.HasPrefix(err.Error(), "stdout: ") {
				t.Errorf("%+v: %T does not name the stream: %v", o, err, err)
			}
		}
	}
	hold := NewPrinter(w, false, Options{Hold: true})
	if err := hold.JSON(context.Background(), []byte(`1`)); err != nil {
		t.Errorf("a held document was written: %v", err)
	}
	if err := hold.Flush(); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("Flush: got %v, want EPIPE", err)
	}
}

// Each document is out when the call returns, or only on Flush if held.
func TestHold(t *testing.T) {
	for _, hold := range []bool{false, true} {
		var out bytes.Buffer
		p := NewPrinter(&out, false, Options{Hold: hold})
		for range 2 {
			if err := p.JSON(context.Background(), []byte(`{"a": 1}`)); err != nil {
				t.Fatal(err)
			}
		}
		const want = "{\"a\":1}\n{\"a\":1}\n"
		if got := out.String() == want; got == hold {
			t.Errorf("hold %v: out before Flush: %q", hold, out.String())
		}
		if err := p.Flush(); err != nil || out.String() != want {
			t.Errorf("hold %v: out after Flush: %q, error %v", hold, out.String(), err)
		}
	}
}

func TestCancelledBeforePrinting(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	var out bytes.Buffer
	p := NewPrinter(&out, false, Options{})
	if err := p.JSON(ctx, []byte(`1`)); err != cause {
		t.Errorf("JSON: %v", err)
	}
	if err := p.Stream(ctx, strings.NewReader(`1`)); err != cause {
		t.Errorf("Stream: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
}

// A large result passes through in constant memory.
func TestStreamMemory(t *testing.T) {
	const size = 50 << 20
	for _, tty := range []bool{false, true} {
		p := NewPrinter(discard{}, tty, Options{Layout: LayoutCompact, Color: ColorNever})
		r := io.LimitReader(letters{}, size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := p.Stream(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("terminal %v: %d bytes allocated for %d", tty, got, size)
		}
	}
}

// letters is an endless text with characters of several bytes in it.
type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := 0; i < len(b); {
		i += copy(b[i:], "abcdefghijklmnopqrstuvwxyz é 😀 ")
	}
	return len(b), nil
}

func TestSystemStreams(t *testing.T) {
	s := SystemStreams()
	if s.In != io.Reader(os.Stdin) || s.Out != io.Writer(os.Stdout) || s.Err != io.Writer(os.Stderr) {
		t.Error("not the streams of the process")
	}
}
