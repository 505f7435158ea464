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
