package batch

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// read gives all lines, "!" for one that is too long.
func read(r io.Reader, most int64) (lines map[int]string, err error) {
	lines = make(map[int]string)
	for l := NewLines(r, most); ; {
		line, err := l.Next()
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines[line.Number] = string(line.Text)
		if line.Err != nil {
			lines[line.Number] = "!"
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*lineBuffer)
	for _, c := range []struct {
		in   string
		most int64
		want map[int]string
	}{
		{"", 9, map[int]string{}},
		{"\n \r\n\t", 9, map[int]string{}},
		{"a\nb\n", 9, map[int]string{1: "a\n", 2: "b\n"}},
		{"a\n\n \nb", 9, map[int]string{1: "a\n", 4: "b"}},
		{"a\r\nb", 9, map[int]string{1: "a\r\n", 2: "b"}},
		{"123\n1234\n12\n", 3, map[int]string{1: "123\n", 2: "!", 3: "12\n"}},
		{"123\r\n1234", 3, map[int]string{1: "123\r\n", 2: "!"}},
		{long + "\na", int64(len(long)), map[int]string{1: long + "\n", 2: "a"}},
		{long + "\na", int64(len(long) - 1), map[int]string{1: "!", 2: "a"}},
		{long, 5, map[int]string{1: "!"}},
	} {
		for name, r := range map[string]io.Reader{
			"whole":    strings.NewReader(c.in),
			"in bytes": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			got, err := read(r, c.most)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%.20q, %s (-want +got):\n%.500s", c.in, name, diff)
			}
		}
	}
}

func TestLinesFail(t *testing.T) {
	broken := errors.New("broken")
	got, err := read(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 9)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[int]string{1: "a\n"}, got); diff != "" {
		t.Errorf("before it (-want +got):\n%s", diff)
	}
}
