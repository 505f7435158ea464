package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// readFrames reads all frames of r; a frame cut off is marked with "!".
func readFrames(t *testing.T, r FrameReader) []string {
	t.Helper()
	var frames []string
	for {
		frame, err := r.Next()
		if err == io.EOF {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(frame)
		if err == io.ErrUnexpectedEOF {
			data = append(data, '!')
		} else if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, string(data))
	}
}

func TestNewlineReader(t *testing.T) {
	long := strings.Repeat("x", 3*readBuffer)
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"\n \r\n\t\n", nil},
		{"a\nb\n", []string{"a", "b"}},
		{"a\r\n\n  b c\n", []string{"a\r", "b c"}},
		{"a\nhalf", []string{"a", "half!"}},
		{long + "\n" + long + "\n", []string{long, long}},
	} {
		if diff := cmp.Diff(tt.want, readFrames(t, NewNewlineReader(strings.NewReader(tt.in)))); diff != "" {
			t.Errorf("%.40q: (-want +got)\n%s", tt.in, diff)
		}
	}
}

// What the reader of a frame leaves is dropped by the next call.
func TestFramesLeftUnread(t *testing.T) {
	long := strings.Repeat("x", 3*readBuffer)
	for name, frames := range map[string]FrameReader{
		"newline":        NewNewlineReader(strings.NewReader(long + "\nab\ncd\nef")),
		"content length": NewContentLengthReader(strings.NewReader("Content-Length:" + strconv.Itoa(len(long)) + "\n\n" + long + "Content-Length:2\n\nabContent-Length:2\n\ncdContent-Length:3\n\nef")),
	} {
		var got []string
		for {
			frame, err := frames.Next()
			if err == io.EOF {
				break
			}
			var b [1]byte
			if _, err := frame.Read(b[:]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, string(b[:]))
		}
		if diff := cmp.Diff([]string{"x", "a", "c", "e"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// FuzzNewline checks that the frames do not depend on how the bytes arrive.
func FuzzNewline(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n \nhalf"), uint(1))
	f.Add([]byte("{\"a\":1}\n\n[]"), uint(3))
	f.Fuzz(func(t *testing.T, in []byte, split uint) {
		var want []string
		lines := strings.SplitAfter(string(in), "\n")
		for _, line := range lines {
			body, ended := strings.CutSuffix(line, "\n")
			body = strings.TrimLeft(body, " \t\r")
			if body == "" {
				continue
			}
			if !ended {
				body += "!"
			}
			want = append(want, body)
		}
		split %= uint(len(in) + 1)
		for _, r := range []io.Reader{
			iotest.OneByteReader(bytes.NewReader(in)),
			iotest.DataErrReader(bytes.NewReader(in)),
			io.MultiReader(bytes.NewReader(in[:split]), bytes.NewReader(in[split:])),
		} {
			if diff := cmp.Diff(want, readFrames(t, NewNewlineReader(r))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
	})
}

func TestContentLengthReader(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"Content-Length: 2\r\n\r\nab", []string{"ab"}},
		{"content-length:3\n\n\xc3\xa4bCONTENT-LENGTH : 0\n\nContent-Length: 1\n\nc", []string{"\xc3\xa4b", "", "c"}},
		{"Content-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\nX: y\r\n\r\na\n", []string{"a\n"}},
		{"\r\n\nContent-Length: 2\r\n\r\nab\r\nContent-Length: 1\r\n\r\nc\r\n", []string{"ab", "c"}},
		{"Content-Length: 9\r\n\r\nab", []string{"ab!"}},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
			if diff := cmp.Diff(tt.want, readFrames(t, NewContentLengthReader(r))); diff != "" {
				t.Errorf("%.40q: (-want +got)\n%s", tt.in, diff)
			}
		}
	}
}

func TestContentLengthHeaders(t *testing.T) {
	for _, tt := range []struct{ in, reason string }{
		{"hello\n", "a line without colon"},
		{"Content-Length: -1\n\n", "no number of bytes"},
		{"Content-Length: 1e3\n\n", "no number of bytes"},
		{"Content-Length: 99999999999999999999\n\n", "no number of bytes"},
		{"Content-Length: 1\nContent-Length: 2\n\n", "two values"},
		{"Content-Type: x\n\n{}", "no Content-Length"},
		{strings.Repeat("x", 1<<20), "too long"},
		{strings.Repeat("x:y\n", 1<<18), "too long"},
	} {
		_, err := NewContentLengthReader(strings.NewReader(tt.in)).Next()
		var header *HeaderError
		if !errors.As(err, &header) || !strings.Contains(header.Reason, tt.reason) || len(header.Line) > 200 {
			t.Errorf("%.30q: error is %v, want %q", tt.in, err, tt.reason)
		}
	}
	if _, err := NewContentLengthReader(strings.NewReader("Content-Le")).Next(); err != io.ErrUnexpectedEOF {
		t.Errorf("half a header: error is %v", err)
	}
}

// FuzzContentLength checks that a written frame is read again, whatever comes
// behind it.
func FuzzContentLength(f *testing.F) {
	f.Add([]byte("{}"), []byte("Content-Length: 7\r\n\r\nhalf"))
	f.Fuzz(func(t *testing.T, message, behind []byte) {
		in := append(prependContentLength(message), behind...)
		r := NewContentLengthReader(iotest.OneByteReader(bytes.NewReader(in)))
		frame, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(frame); err != nil || !bytes.Equal(got, message) {
			t.Fatalf("%q came back as %q, %v", message, got, err)
		}
		for err == nil {
			if frame, err = r.Next(); err == nil {
				_, _ = io.Copy(io.Discard, frame)
			}
		}
	})
}

func TestStreamWrites(t *testing.T) {
	for name, tt := range map[string]struct {
		framing Framing
		want    string
	}{
		"newline":        {NewStream, "{}\n[]\n"},
		"content length": {NewContentLengthStream, "Content-Length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n[]"},
	} {
		var out bytes.Buffer
		closed := 0
		s := tt.framing(strings.NewReader(""), &out, func() error { closed++; return io.ErrClosedPipe })
		for _, m := range []string{"{}", "[]"} {
			if err := s.Write(t.Context(), []byte(m)); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != tt.want {
			t.Errorf("%s: wrote %q, want %q", name, out.String(), tt.want)
		}
		first, second := s.Close(), s.Close()
		if first != io.ErrClosedPipe || second != io.ErrClosedPipe || closed != 1 {
			t.Errorf("%s: closed %d times", name, closed)
		}
	}
}

// The end of a context stops a blocked write. What had nothing of it written
// leaves the stream sound.
func TestStreamWriteInterrupted(t *testing.T) {
	enough := errors.New("enough")
	for _, tt := range []struct {
		name string
		size int  // of the message
		ok   bool // the stream can still be written to
	}{
		{"before it began", 0, true},
		{"half-way", 1 << 20, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			s := NewStream(r, w, w.Close)
			defer func() { _ = s.Close() }()
			ctx, cancel := context.WithCancelCause(t.Context())
			if tt.size == 0 {
				cancel(enough)
			} else {
				go func() {
					_, _ = io.ReadFull(r, make([]byte, 10)) // it has begun
					cancel(enough)
				}()
			}
			err = s.Write(ctx, bytes.Repeat([]byte("x"), tt.size))
			var unsent *UnsentError
			if !errors.Is(err, enough) || errors.As(err, &unsent) != tt.ok {
				t.Errorf("error is %#v, want the cause of the context", err)
			}
			if err := s.Write(t.Context(), []byte("y")); (err == nil) != tt.ok {
				t.Errorf("a later write: %v", err)
			}
		})
	}
}

// Where a write cannot be interrupted it is left behind, and nothing is mixed
// into it.
func TestStreamWriteLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s := NewStream(r, w, w.Close)
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		failed := make(chan error, 1)
		go func() { failed <- s.Write(ctx, []byte("first")) }()
		synctest.Wait()
		cancel(enough)
		if err := <-failed; err != enough {
			t.Errorf("error is %v, want the cause of the context", err)
		}
		second := make(chan error, 1)
		go func() { second <- s.Write(t.Context(), []byte("second")) }()
		synctest.Wait()
		for _, want := range []string{"first", "second"} {
			frame, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := io.ReadAll(frame); string(got) != want {
				t.Errorf("read %q, want %q", got, want)
			}
		}
		if err := <-second; err != nil {
			t.Error(err)
		}
		_ = s.Close()
	})
}

func TestStreamWriteAfterEnd(t *testing.T) {
	a, b := net.Pipe()
	_ = b.Close()
	s := NewStream(a, a, a.Close)
	first := s.Write(t.Context(), []byte("x"))
	if first == nil {
		t.Error("writing to nobody succeeded")
	}
	if err := s.Write(t.Context(), []byte("x")); err != first {
		t.Errorf("then: %v, want %v", err, first)
	}
	_ = s.Close()
}
