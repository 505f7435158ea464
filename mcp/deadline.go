package mcp

import (
	"context"
	"sync"
	"time"
)

// limit ends a context with a *TimeoutError when its time has run out. One
// that is not above 0 never does.
type limit struct {
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer // nil: no limit, or it is over
	err   TimeoutError
	held  int
}

// newLimit starts a limit. Its stop must be called in the end.
func newLimit(ctx context.Context, d time.Duration, name, doing string) (context.Context, *limit) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &limit{cancel: cancel, err: TimeoutError{Limit: name, After: d, Doing: doing}}
	if d > 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.timer = time.AfterFunc(d, l.expire)
	}
	return ctx, l
}

func (l *limit) expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held > 0 || l.timer == nil {
		return
	}
	l.timer = nil
	err := l.err
	l.cancel(&err)
}

// step says what is being done from now on.
func (l *limit) step(doing string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err.Doing = doing
}

// extend starts the time anew.
func (l *limit) extend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && l.held == 0 {
		l.timer.Reset(l.err.After)
	}
}

// hold stops the clock until release, which starts the time anew: what a
// person takes to answer the server is not the server's time.
func (l *limit) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held++
	if l.timer != nil {
		l.timer.Stop()
	}
}

func (l *limit) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held--
	if l.timer != nil && l.held == 0 {
		l.timer.Reset(l.err.After)
	}
}

func (l *limit) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.cancel(nil)
}
