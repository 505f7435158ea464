package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// maxEvents bounds what a stream keeps for a client that may come back. It is
// more than the largest number of messages any one call sends.
const maxEvents = 4096

// eventLog is one event stream of a session. Calls append to it; whichever
// connection the client has reads from it, so that a stream survives its
// connection. Event ids are "stream-number".
type eventLog struct {
	id int

	mu      sync.Mutex
	first   int      // number of events[0]
	events  [][]byte // what is kept, oldest first
	ended   bool     // nothing will be appended
	changed chan struct{}
	reader  chan struct{} // closed when another connection takes over; nil when none reads
	sent    int           // number of the first event not yet written to a connection
}

func newEventLog(id int) *eventLog {
	return &eventLog{id: id, first: 1, sent: 1, changed: make(chan struct{})}
}

// append adds a message; nil is the empty event that primes a stream. The last
// message of a stream ends it.
func (l *eventLog) append(frame any, last bool) {
	var data bytes.Buffer
	if frame != nil {
		data.WriteByte(' ')
		if err := writeFrame(&data, frame); err != nil {
			return // a buffer takes every write, and what is sent always encodes
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.events = append(l.events, data.Bytes())
	if len(l.events) > maxEvents {
		l.events = l.events[1:]
		l.first++
	}
	l.ended = last
	l.wake()
}

// prime makes sure that the next connection gets an event id at once.
func (l *eventLog) prime() {
	l.mu.Lock()
	waiting := l.sent < l.first+len(l.events)
	l.mu.Unlock()
	if !waiting {
		l.append(nil, false)
	}
}

// end ends the stream without a message.
func (l *eventLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended = true
		l.wake()
	}
}

func (l *eventLog) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// busy reports whether a connection reads the stream.
func (l *eventLog) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reader != nil
}

// keeps reports whether the events after a number are all still there.
func (l *eventLog) keeps(after int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return after+1 >= l.first && after < l.first+len(l.events)
}

// serve writes events from number next on until the stream ends, the client
// goes or another connection takes the stream over. Zero continues where the
// last connection stopped.
func (l *eventLog) serve(ctx context.Context, w http.ResponseWriter, next int) {
	me := make(chan struct{})
	l.mu.Lock()
	if l.reader != nil {
		close(l.reader)
	}
	l.reader = me
	if next == 0 {
		next = l.sent
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		if l.reader == me {
			l.reader = nil
		}
		l.mu.Unlock()
	}()
	startEvents(w)
	for {
		l.mu.Lock()
		next = max(next, l.first)
		events := l.events[min(next-l.first, len(l.events)):]
		ended, changed := l.ended, l.changed
		taken := l.reader != me
		if !taken {
			l.sent = max(l.sent, next+len(events))
		}
		l.mu.Unlock()
		if taken {
			return
		}
		for _, data := range events {
			if _, err := fmt.Fprintf(w, "id: %d-%d\ndata:%s\n\n", l.id, next, data); err != nil {
				return
			}
			next++
		}
		flush(w)
		if ended {
			return
		}
		if !waitForEvents(ctx, w, changed, me) {
			return
		}
	}
}

// waitForEvents waits for a change of the log, keeping the connection alive.
func waitForEvents(ctx context.Context, w http.ResponseWriter, changed, taken <-chan struct{}) bool {
	for {
		idle, cancel := context.WithTimeout(ctx, keepAliveEvery)
		select {
		case <-changed:
			cancel()
			return true
		case <-taken:
			cancel()
			return false
		case <-idle.Done():
			cancel()
			if ctx.Err() != nil {
				return false
			}
			if _, err := io.WriteString(w, ": keep-alive\n\n"); err != nil {
				return false
			}
			flush(w)
		}
	}
}

// parseEventID takes an event id apart.
func parseEventID(id string) (stream, number int, ok bool) {
	a, b, found := strings.Cut(id, "-")
	stream, errA := strconv.Atoi(a)
	number, errB := strconv.Atoi(b)
	return stream, number, found && errA == nil && errB == nil
}
