package demo

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
)

const (
	maxSessions = 1000 // the oldest makes room for a new one
	maxStreams  = 64   // kept for a client that comes back; the oldest ended ones go first
)

// standingStream is the number of the stream that a plain GET opens.
const standingStream = 0

// httpSession is a session reached by its id over many requests.
type httpSession struct {
	*session
	id    string
	ctx   context.Context // ends with the session, which no single request spans
	end   context.CancelFunc
	calls sync.WaitGroup
	busy  inflight

	mu      sync.Mutex
	closed  bool
	last    int
	streams []*eventLog // the standing one first
}

func (h *httpSession) stream(id int) *eventLog {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.streams {
		if l.id == id {
			return l
		}
	}
	return nil
}

// newStream opens the event stream of one POST.
func (h *httpSession) newStream() *eventLog {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	l := newEventLog(h.last)
	if h.rules.primedStreams {
		l.append(nil, false)
	}
	h.streams = append(h.streams, l)
	if len(h.streams) > maxStreams {
		for i, old := range h.streams[1:] {
			old.mu.Lock()
			done := old.ended
			old.mu.Unlock()
			if done {
				h.streams = slices.Delete(h.streams, i+1, i+2)
				break
			}
		}
	}
	return l
}

// run starts a call of the session; one that has ended starts none.
func (h *httpSession) run(call func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.calls.Go(call)
	return true
}

// close ends the session, its calls and its streams.
func (h *httpSession) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.end()
	h.session.close()
	h.calls.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.streams {
		l.end()
	}
}

// sessions holds the HTTP sessions by id.
type sessions struct {
	mu    sync.Mutex
	byID  map[string]*httpSession
	order []string
}

func (t *sessions) add(ctx context.Context, s *session) *httpSession {
	h := &httpSession{session: s, id: rand.Text()}
	h.ctx, h.end = context.WithCancel(ctx)
	s.inflight = &h.busy
	standing := newEventLog(standingStream)
	if s.rules.primedStreams {
		standing.append(nil, false)
	}
	h.streams = []*eventLog{standing}
	s.push = func(frame any) { standing.append(frame, false) }
	s.tell = func(uri string) { standing.append(updatedNotification(uri), false) }

	t.mu.Lock()
	var evicted *httpSession
	if t.byID == nil {
		t.byID = make(map[string]*httpSession)
	}
	if len(t.order) >= maxSessions {
		evicted = t.byID[t.order[0]]
		delete(t.byID, t.order[0])
		t.order = t.order[1:]
	}
	t.byID[h.id] = h
	t.order = append(t.order, h.id)
	t.mu.Unlock()
	if evicted != nil {
		evicted.close()
	}
	return h
}

func (t *sessions) get(id string) *httpSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id]
}

// remove ends a session.
func (t *sessions) remove(h *httpSession) {
	t.mu.Lock()
	delete(t.byID, h.id)
	t.order = slices.DeleteFunc(t.order, func(id string) bool { return id == h.id })
	t.mu.Unlock()
	h.close()
}

func (t *sessions) closeAll() {
	t.mu.Lock()
	all := t.byID
	t.byID, t.order = nil, nil
	t.mu.Unlock()
	for _, h := range all {
		h.close()
	}
}
