package commands

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// What comes out is what was written, whatever the sizes of the pieces.
func TestInterruptible(t *testing.T) {
	var want []byte
	for n := range 3 * ahead {
		want = append(want, byte(n^n>>8))
	}
	for _, size := range []int{1 << 10, 64 << 10, ahead, ahead + 1, 3 * ahead} {
		var out bytes.Buffer
		w := newInterruptible(context.Background(), &out)
		for rest := want; len(rest) > 0; {
			piece := bytes.Clone(rest[:min(size, len(rest))])
			if n, err := w.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("pieces of %d: %d bytes, %v", size, n, err)
			}
			clear(piece) // it is the caller's again
			rest = rest[min(size, len(rest)):]
		}
		if err := w.Flush(); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("pieces of %d: %d bytes of %d, %v", size, out.Len(), len(want), err)
		}
	}
}

// gate lets nothing through until it is opened.
type gate struct {
	bytes.Buffer
	began, open chan struct{}
}

func (g *gate) Write(p []byte) (int, error) {
	if g.began != nil {
		g.began <- struct{}{}
		<-g.open
	}
	return g.Buffer.Write(p)
}

// What is being written is not what the next piece is put into, also after one
// so large that it is written as it is.
func TestInterruptibleAfterLarge(t *testing.T) {
	var out gate
	w := newInterruptible(context.Background(), &out)
	put := func(p []byte) {
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{100, 100, ahead + 1} {
		put(bytes.Repeat([]byte("-"), size))
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	out.Reset()
	out.began, out.open = make(chan struct{}), make(chan struct{})
	put([]byte("one "))
	<-out.began
	put([]byte("two "))
	out.open <- struct{}{}
	<-out.began
	put([]byte("three"))
	close(out.open)
	<-out.began
	if err := w.Flush(); err != nil || out.String() != "one two three" {
		t.Errorf("%q came out, %v", out.String(), err)
	}
}

// A write that blocks does not hold up its caller before there is too much, and
// ends with the context.
func TestInterruptibleBlocked(t *testing.T) {
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	r, blocked := io.Pipe()
	defer func() { _ = r.Close() }()
	w := newInterruptible(ctx, blocked)
	if _, err := w.Write(make([]byte, ahead)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := w.Write(make([]byte, 2*ahead))
		done <- err
		done <- w.Flush()
	}()
	select {
	case err := <-done:
		t.Fatalf("it took all: %v", err)
	default:
	}
	cancel(interrupted)
	for _, what := range []string{"write", "flush"} {
		if err := <-done; !errors.Is(err, interrupted) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The error of a write is that of the next one, or of Flush.
func TestInterruptibleFails(t *testing.T) {
	full := errors.New("full")
	r, broken := io.Pipe()
	_ = r.CloseWithError(full)
	w := newInterruptible(context.Background(), broken)
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("flush: %v", err)
	}
	if _, err := w.Write([]byte("x")); !errors.Is(err, full) {
		t.Errorf("write: %v", err)
	}
}
