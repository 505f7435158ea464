package demo

import (
	"fmt"
	"sync"
)

// changes holds the one thing that changes, the configuration, and who wants
// to hear of it.
type changes struct {
	mu       sync.Mutex
	revision int
	language string
	watchers map[*watcher]struct{}
}

// watcher is one subscriber. Its tell function must not block.
type watcher struct{ tell func(uri string) }

// config is the text of demo://config.
func (c *changes) config() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	language := c.language
	if language == "" {
		language = "en"
	}
	return fmt.Sprintf(`{"language":%q,"revision":%d}`, language, c.revision)
}

// touch makes a new revision, tells the watchers and returns its number.
func (c *changes) touch(language string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if language != "" {
		c.language = language
	}
	c.revision++
	for w := range c.watchers {
		w.tell(configURI)
	}
	return c.revision
}

// watch adds a subscriber; the returned function removes it.
func (c *changes) watch(tell func(uri string)) func() {
	w := &watcher{tell}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watchers == nil {
		c.watchers = make(map[*watcher]struct{})
	}
	c.watchers[w] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, w)
	}
}

// maxQueued bounds a mailbox whose reader is slow. What is dropped are repeats
// of "this resource changed": the reader misses no resource that is queued.
const maxQueued = 1024

// mailbox hands updates from a touch to a goroutine that may block.
type mailbox struct {
	mu    sync.Mutex
	queue []string
	wake  chan struct{}
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) put(uri string) {
	m.mu.Lock()
	if len(m.queue) < maxQueued {
		m.queue = append(m.queue, uri)
	}
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default: // a wake-up is already waiting
	}
}

func (m *mailbox) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	q := m.queue
	m.queue = nil
	return q
}
