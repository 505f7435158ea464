package output

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSafe(t *testing.T) {
	tests := []struct{ in, want, line string }{
		{"", "", ""},
		{"plain é 😀 \u4e16", "plain é 😀 \u4e16", "plain é 😀 \u4e16"},
		{"a\nb\tc", "a\nb\tc", "a b c"},
		{"a\r\nb\r\n", "a\nb\n", "a b"},
		{"  indented  text  ", "  indented  text  ", "  indented  text  "},
		{"a  \n\n   b\n", "a  \n\n   b\n", "a b"},
		{"over\rwrite", `over\x0dwrite`, "over write"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"\x1b]0;title\x07", `\x1b]0;title\x07`, `\x1b]0;title\x07`},
		{"\x00\x08\x7f", `\x00\x08\x7f`, `\x00\x08\x7f`},
		{"\u009b31m\u0085", `\u009b31m\u0085`, `\u009b31m\u0085`},
		{"\x9b31m", `\x9b31m`, `\x9b31m`},
		{"\u202eabc\u2069\u200f\u061c", `\u202eabc\u2069\u200f\u061c`, `\u202eabc\u2069\u200f\u061c`},
		{"a\u2028b\u2029c", `a\u2028b\u2029c`, `a\u2028b\u2029c`},
		{"bad \xff\xe2\x82 end\xc3", `bad \xff\xe2\x82 end\xc3`, `bad \xff\xe2\x82 end\xc3`},
		{"\ufffd", "\ufffd", "\ufffd"},
		{"ad\u200bmin\ufeff\u2060\U000e0041", `ad\u200bmin\ufeff\u2060\U000e0041`, `ad\u200bmin\ufeff\u2060\U000e0041`},
		{"نمی\u200cخواهم ❤\ufe0f", "نمی\u200cخواهم ❤\ufe0f", "نمی\u200cخواهم ❤\ufe0f"},
		{"👩\u200d👧", "👩\u200d👧", "👩\u200d👧"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Safe(tt.in)); diff != "" {
			t.Errorf("Safe(%q) (-want +got):\n%s", tt.in, diff)
		}
		if diff := cmp.Diff(tt.line, SafeLine(tt.in)); diff != "" {
			t.Errorf("SafeLine(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestSafeWriter(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "listening on é 😀\n\tport 80\n", "listening on é 😀\n\tport 80\n"},
		{"no newline at the end", "prompt> ", "prompt> "},
		{"windows lines", "a\r\nb\r\n", "a\nb\n"},
		{"carriage return", "10%\r20%", `10%\x0d20%`},
		{"carriage return at the end", "10%\r", `10%\x0d`},
		{"colours", "\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mx\x1b[38:5:9my\x1b[m\n", "\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mx\x1b[38:5:9my\x1b[m\n"},
		{"colour left on", "\x1b[31merror\n", "\x1b[31merror\n\x1b[0m"},
		{"clear screen", "\x1b[2J\x1b[H", `\x1b[2J\x1b[H`},
		{"private mode", "\x1b[?25lm", `\x1b[?25lm`},
		{"title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
		{"escape then colour", "\x1b\x1b[31mx\x1b[0m", `\x1b` + "\x1b[31mx\x1b[0m"},
		{"sequence cut by newline", "\x1b[31\nm", `\x1b[31` + "\nm"},
		{"sequence at the end", "a\x1b[3", `a\x1b[3`},
		{"escape at the end", "a\x1b", `a\x1b`},
		{"endless parameters", "\x1b[" + strings.Repeat("1;", 500) + "m", `\x1b[` + strings.Repeat("1;", 500) + "m"},
		{"C1", "\u009b31m\x9b31m", `\u009b31m\x9b31m`},
		{"bidi", "\u202etxt", `\u202etxt`},
		{"not UTF-8", "\xff\xe2\x82x\xf0\x9f", `\xff\xe2\x82x\xf0\x9f`},
		{"nul and delete", "\x00\x7f", `\x00\x7f`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 7, len(tt.in)} {
				if diff := cmp.Diff(tt.want, throughSafeWriter(t, tt.in, size)); diff != "" {
					t.Errorf("in pieces of %d (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}

// Text must not wait for more text: a server may be asking something.
func TestSafeWriterHoldsOnlyWhatIsIncomplete(t *testing.T) {
	var out bytes.Buffer
	w := NewSafeWriter(&out)
	for _, step := range []struct{ in, want string }{
		{"password: ", "password: "},
		{"\xc3", "password: "},
		{"\xa9\x1b[3", "password: é"},
		{"1m!", "password: é\x1b[31m!"},
	} {
		if n, err := w.Write([]byte(step.in)); n != len(step.in) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", step.in, n, err)
		}
		if out.String() != step.want {
			t.Errorf("after %q: %q, want %q", step.in, out.String(), step.want)
		}
	}
}

func TestPlainWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewPlainWriter(&out)
	for _, b := range []byte("\x1b[31mred\x1b[0m\tplain é\r\n\u202e\xff") {
		if _, err := w.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := `\x1b[31mred\x1b[0m` + "\tplain é\n" + `\u202e\xff`; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func throughSafeWriter(t *testing.T, in string, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := NewSafeWriter(&out)
	for rest := []byte(in); len(rest) > 0; {
		n := min(max(size, 1), len(rest))
		if m, err := w.Write(rest[:n]); m != n || err != nil {
			t.Fatalf("Write = %d, %v", m, err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{"", "a\r\nb", "\x1b[31mx\x1b[0m", "\x1b[2J", "\u202e\u009b", "\xff\xe2\x82", "\x1b[3\x1b[1mm", "é\x00\x7f"} {
		f.Add(s, 1)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		check := func(what, out, allowed string) {
			bad := strings.IndexFunc(out, func(r rune) bool { return steers(r) && !strings.ContainsRune(allowed, r) })
			if bad >= 0 || !utf8.ValidString(out) {
				t.Errorf("%s of %q lets a control through: %q", what, s, out)
			}
		}
		check("Safe", Safe(s), "\n\t")
		check("SafeLine", SafeLine(s), "")
		if again := Safe(Safe(s)); again != Safe(s) {
			t.Errorf("what is safe is escaped again: %q", again)
		}
		pieces := throughSafeWriter(t, s, size)
		if whole := throughSafeWriter(t, s, len(s)); whole != pieces {
			t.Errorf("the writer's output depends on the pieces: %q, %q", whole, pieces)
		}
		check("SafeWriter", stripped(strings.ReplaceAll(pieces, ":", ";")), "\n\t")
	})
}
