package commands

import (
	"context"
	"io"
	"sync"
)

// ahead is how much may be waiting to be written. It is large enough that a
// large result costs few changes between who reads it and who writes it.
const ahead = 256 << 10

// interruptible is standard output, written to behind the back of its caller:
// a large result is read on while its last piece is being written, and a reader
// that has stopped reading does not keep Ctrl-C from working, because the end of
// the context ends all waiting. After such an end nothing may be written any
// more. It is for one caller.
type interruptible struct {
	ctx context.Context
	w   io.Writer

	mu      sync.Mutex
	waiting []byte
	spare   []byte        // what waiting becomes while its bytes are written
	writing bool          // a goroutine is at it
	err     error         // of w; stays
	taken   chan struct{} // says that waiting has been taken, or writing has ended
}

func newInterruptible(ctx context.Context, w io.Writer) *interruptible {
	return &interruptible{ctx: ctx, w: w, taken: make(chan struct{}, 1)}
}

// Write takes p. An error may be that of an earlier write; Flush tells about the
// last one.
func (i *interruptible) Write(p []byte) (int, error) {
	if len(p) > ahead {
		return i.writeThrough(p)
	}
	for n := 0; ; {
		taken, err := i.take(p[n:])
		if n += taken; err != nil || n == len(p) {
			return n, err
		}
		if err := i.wait(); err != nil {
			return n, err
		}
	}
}

// Flush returns when everything has been written.
func (i *interruptible) Flush() error {
	for {
		i.mu.Lock()
		over, err := !i.writing, i.err
		i.mu.Unlock()
		if over {
			return err
		}
		if err := i.wait(); err != nil {
			return err
		}
	}
}

// writeThrough returns when p has been written, which spares it a copy.
func (i *interruptible) writeThrough(p []byte) (int, error) {
	if err := i.Flush(); err != nil {
		return 0, err
	}
	i.mu.Lock()
	i.waiting = p
	i.begin()
	i.mu.Unlock()
	if err := i.Flush(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// take takes as much of p as there is room for.
func (i *interruptible) take(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err != nil {
		return 0, i.err
	}
	n := min(len(p), ahead-len(i.waiting))
	if need := len(i.waiting) + n; need > cap(i.waiting) {
		room := max(need, min(2*cap(i.waiting), ahead))
		i.waiting = append(make([]byte, 0, room), i.waiting...)
	}
	i.waiting = append(i.waiting, p[:n]...)
	i.begin()
	return n, nil
}

func (i *interruptible) begin() {
	if !i.writing && len(i.waiting) > 0 {
		i.writing = true
		go i.write()
	}
}

// write writes until nothing is waiting.
func (i *interruptible) write() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for len(i.waiting) > 0 && i.err == nil {
		p := i.waiting
		i.waiting, i.spare = i.spare[:0], nil // never both the same
		i.tell()
		i.mu.Unlock()
		n, err := i.w.Write(p)
		i.mu.Lock()
		if err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		if i.err = err; cap(p) <= ahead { // else it is the caller's
			i.spare = p
		}
	}
	i.writing = false
	i.tell()
}

// tell wakes who waits. One message is enough for one caller, who looks again.
func (i *interruptible) tell() {
	select {
	case i.taken <- struct{}{}:
	default:
	}
}

func (i *interruptible) wait() error {
	select {
	case <-i.taken:
		return nil
	case <-i.ctx.Done():
	}
	select { // what was not blocked counts
	case <-i.taken:
		return nil
	default:
	}
	return context.Cause(i.ctx)
}
