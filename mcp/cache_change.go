package mcp

import (
	"strconv"
	"sync"
	"time"
)

// What notifications are about.
const (
	subjectTools     = "tools"
	subjectPrompts   = "prompts"
	subjectResources = "resources"
	subjectContents  = "contents" // of resources
)

// subjectOf tells what a notification makes stale; "" for nothing. An update of
// one resource makes all contents stale: what it names may be a part of one that
// was read under another URI.
func subjectOf(notification string) string {
	switch notification {
	case "notifications/tools/list_changed":
		return subjectTools
	case "notifications/prompts/list_changed":
		return subjectPrompts
	case "notifications/resources/list_changed":
		return subjectResources
	case "notifications/resources/updated":
		return subjectContents
	}
	return ""
}

// changeTimes remembers up to when changes were noted in the cache.
type changeTimes struct {
	mu    sync.Mutex
	noted map[string]time.Time
}

// crowded is how close to each other changes are noted as one: a server may
// send thousands a second, and noting one costs a file.
const crowded = 100 * time.Millisecond

// changed notes that what is kept of a subject is stale from now on, for every
// slot of the server, whatever capabilities and credentials it belongs to.
func (m *memory) changed(subject string) {
	if m == nil || subject == "" {
		return
	}
	now := time.Now()
	until := now
	m.changes.mu.Lock()
	defer m.changes.mu.Unlock()
	last, before := m.changes.noted[subject]
	switch {
	case before && now.Before(last):
		return // noted in advance
	case before && now.Sub(last) < crowded:
		until = now.Add(crowded)
	}
	if m.changes.noted == nil {
		m.changes.noted = make(map[string]time.Time)
	}
	m.changes.noted[subject] = until
	m.cache.Put(m.key("changed", subject), strconv.AppendInt(nil, until.UnixNano(), 10))
}

// changedSince reports whether a change of the subject was told after a request
// was made: its answer may be from before.
func (m *memory) changedSince(subject string, asked int64) bool {
	if subject == "" {
		return false
	}
	value, ok := m.cache.Get(m.key("changed", subject))
	if !ok {
		return false
	}
	at, err := strconv.ParseInt(string(value), 10, 64)
	return err != nil || asked <= at
}
