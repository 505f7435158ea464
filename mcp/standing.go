package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	"mcpq/mcp/transport"
)

// standingPatience is how long a server may take to begin the stream on which
// it asks; some begin it with the first question only.
const standingPatience = time.Second

// standing holds the stream open on which a server of the stateful era may ask
// outside of any reply: over HTTP many a server asks there even what belongs
// to a call. It is only held by a client that has answers.
type standing struct {
	stop  context.CancelFunc
	once  sync.Once
	ready chan struct{} // closed once the stream is open
	done  chan struct{}
}

func (h *Handlers) answers() bool {
	return h.Roots != nil || h.Sample != nil || h.Elicit != nil || h.ElicitURL != nil
}

// stand begins to hold the stream, and waits until it is open, or known not to
// be offered.
func (c *Client) stand(ctx context.Context) {
	if !c.options.Handlers.answers() || !c.session.Load().era.features().serverRequests {
		return
	}
	listening, stop := context.WithCancel(context.Background())
	s := &standing{stop: stop, ready: make(chan struct{}), done: make(chan struct{})}
	c.standing.Store(s)
	go func() {
		defer close(s.done)
		c.keepStanding(listening)
	}()
	timer := time.NewTimer(standingPatience)
	defer timer.Stop()
	select {
	case <-s.ready:
	case <-s.done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// keepStanding listens until ctx ends, again after the stream has broken.
func (c *Client) keepStanding(ctx context.Context) {
	for try := 1; try <= maxRetries; try++ {
		err := c.conn.Listen(ctx)
		if ctx.Err() != nil || errors.Is(err, transport.ErrNoStream) {
			return
		}
		if patientFor(ctx, backoff(try)) != nil {
			return
		}
	}
}

// listening is told by the transport that the stream is open.
func (c *Client) listening(resumed bool) {
	if s := c.standing.Load(); s != nil {
		s.opened()
	}
	c.watches.listening(resumed)
}

func (s *standing) opened() { s.once.Do(func() { close(s.ready) }) }

// end lets go of the stream.
func (s *standing) end() {
	s.stop()
	<-s.done
}
