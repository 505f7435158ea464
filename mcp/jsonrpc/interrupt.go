package jsonrpc

import (
	"context"
	"io"
	"time"
)

// writeContext writes p to w and returns early when ctx ends. What it returns
// is up to judge, which is called with the outcome once the write is over; that
// may be later.
func writeContext(ctx context.Context, w io.Writer, p []byte, judge func(n int, err error) error) error {
	if ctx.Done() == nil {
		return judge(w.Write(p))
	}
	d, ok := w.(writeDeadliner)
	if ok && d.SetWriteDeadline(time.Time{}) == nil {
		restore := interruptWrites(ctx, d)
		n, err := w.Write(p)
		restore()
		return judge(n, err)
	}
	// Such a write cannot be interrupted: it goes on by itself, and later ones
	// wait for it.
	over := make(chan error, 1)
	go func() { over <- judge(w.Write(p)) }()
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
