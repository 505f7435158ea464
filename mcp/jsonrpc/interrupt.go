package jsonrpc

import (
	"context"
	"io"
	"time"
)

// writeContext writes p to w and returns early when ctx ends. done is called
// with the outcome once the write is over, which may be later.
func writeContext(ctx context.Context, w io.Writer, p []byte, done func(n int, err error)) error {
	if ctx.Done() == nil {
		n, err := w.Write(p)
		done(n, err)
		return err
	}
	d, ok := w.(writeDeadliner)
	if ok && d.SetWriteDeadline(time.Time{}) == nil {
		restore := interruptWrites(ctx, d)
		n, err := w.Write(p)
		restore()
		done(n, err)
		return err
	}
	// Such a write cannot be interrupted: it goes on by itself, and later ones
	// wait for it.
	over := make(chan error, 1)
	go func() {
		n, err := w.Write(p)
		done(n, err)
		over <- err
	}()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// writeDeadliner is what network connections and pipes can do.
type writeDeadliner interface{ SetWriteDeadline(time.Time) error }

// interruptWrites lets the end of ctx stop a blocked write. The function
// returned ends this and leaves d ready for the next write.
func interruptWrites(ctx context.Context, d writeDeadliner) func() {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = d.SetWriteDeadline(time.Unix(1, 0))
		close(done)
	})
	return func() {
		if !stop() {
			<-done
			_ = d.SetWriteDeadline(time.Time{})
		}
	}
}
