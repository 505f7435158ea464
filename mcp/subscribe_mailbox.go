package mcp

import (
	"context"
	"fmt"
	"sync"
)

// maxMail bounds, in bytes, what waits for a watcher that is slower than the
// server. Waiting must not hold up the connection: what the watcher waits for
// may come behind it.
const maxMail = 64 << 20

// OverflowError is a server that sent more notifications than could be held
// until they were taken.
type OverflowError struct{ Size int }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("more than %d bytes of notifications came before they could be dealt with", e.Size)
}

// mailbox hands calls from the goroutine that reads the connection to that of
// the watcher, in order.
type mailbox struct {
	wake chan struct{}

	mu    sync.Mutex
	queue []func() error
	size  int
	ended bool
	err   error
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// overhead is what one call costs beside what it brings.
const overhead = 200

// put adds a call that brings size bytes.
func (m *mailbox) put(size int, call func() error) {
	m.mu.Lock()
	switch {
	case m.ended:
	case m.size+size+overhead > maxMail:
		m.ended, m.err = true, &OverflowError{Size: maxMail}
	default:
		m.size += size + overhead
		m.queue = append(m.queue, call)
	}
	m.mu.Unlock()
	wake(m.wake)
}

// end ends the delivery with err after what is in the box.
func (m *mailbox) end(err error) {
	m.mu.Lock()
	if !m.ended {
		m.ended, m.err = true, err
	}
	m.mu.Unlock()
	wake(m.wake)
}

func (m *mailbox) take() (queue []func() error, ended bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	queue, m.queue, m.size = m.queue, nil, 0
	return queue, m.ended, m.err
}

// deliver makes the calls until one of them fails, ctx ends or the box does.
func (m *mailbox) deliver(ctx context.Context) error {
	for {
		queue, ended, err := m.take()
		for _, call := range queue {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := call(); err != nil {
				return err
			}
		}
		if ended {
			return err
		}
		select {
		case <-m.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
