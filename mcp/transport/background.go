package transport

import (
	"context"
	"io"
	"sync"
	"time"
)

// background keeps count of goroutines, and starts no more once it is waited
// for. Its zero value is ready for use.
type background struct {
	mu     sync.Mutex
	wg     sync.WaitGroup
	closed bool
}

func (b *background) spawn(f func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.wg.Go(f)
	}
	return !b.closed
}

func (b *background) wait() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.wg.Wait()
}

// drain reads what follows a reply, so that the connection can be used again;
// it does not wait long for a server that keeps the stream open.
func (c *httpConn) drain(body io.ReadCloser, done func()) {
	drained := make(chan struct{})
	began := c.work.spawn(func() {
		timer := time.AfterFunc(drainPatience, done)
		_, _ = io.CopyN(io.Discard, body, errorBody)
		_ = body.Close()
		timer.Stop()
		done()
		close(drained)
	})
	if !began {
		_ = body.Close()
		done()
		return
	}
	c.draining.Store(&drained)
}

// awaitDrain gives the last reply the moment that its end trails its response,
// rather than have the next request open another connection.
func (c *httpConn) awaitDrain(ctx context.Context) {
	drained := c.draining.Load()
	if drained == nil {
		return
	}
	select {
	case <-*drained:
		return
	default:
	}
	timer := time.NewTimer(reusePatience)
	defer timer.Stop()
	select {
	case <-*drained:
	case <-timer.C:
	case <-ctx.Done():
	}
}
