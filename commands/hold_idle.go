package commands

import (
	"sync"
	"time"
)

// idle calls a function when no client has been there for some time.
type idle struct {
	limit time.Duration // 0: never

	mu      sync.Mutex
	clients int
	timer   *time.Timer
}

// newIdle begins to count: nobody is there yet.
func newIdle(limit time.Duration, over func()) *idle {
	i := &idle{limit: limit}
	if limit > 0 {
		i.timer = time.AfterFunc(limit, func() {
			if i.isEmpty() {
				over()
			}
		})
	}
	return i
}

func (i *idle) isEmpty() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.clients == 0
}

func (i *idle) came() { i.count(1) }
func (i *idle) left() { i.count(-1) }

func (i *idle) count(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clients += n
	switch {
	case i.timer == nil:
	case i.clients == 0:
		i.timer.Reset(i.limit)
	default:
		i.timer.Stop()
	}
}

func (i *idle) end() {
	if i.timer != nil {
		i.timer.Stop()
	}
}
