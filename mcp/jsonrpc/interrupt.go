package jsonrpc

import (
	"context"
	"io"
	"time"
)

// interruptWrites lets the end of ctx stop a blocked write to w, where w can
// do that (network connections and pipes). The function returned ends this and
// leaves w ready for the next write.
func interruptWrites(ctx context.Context, w io.Writer) func() {
	d, ok := w.(interface{ SetWriteDeadline(time.Time) error })
	if !ok || ctx.Done() == nil {
		return func() {}
	}
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
