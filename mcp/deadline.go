package mcp

import (
	"context"
	"time"
)

// withLimit ends ctx with a *TimeoutError after d (never, if d is not above 0).
// The function extend starts the time anew.
func withLimit(ctx context.Context, d time.Duration, limit, doing string) (_ context.Context, extend, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if d <= 0 {
		return ctx, func() {}, func() { cancel(nil) }
	}
	timer := time.AfterFunc(d, func() { cancel(&TimeoutError{Limit: limit, After: d, Doing: doing}) })
	return ctx, func() { timer.Reset(d) }, func() { timer.Stop(); cancel(nil) }
}
