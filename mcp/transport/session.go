package transport

import "sync/atomic"

// SessionID holds the id of a session with a Streamable HTTP server beyond its
// connection; "" is none. It is safe for concurrent use. The zero value is
// ready for use.
type SessionID struct{ id atomic.Pointer[string] }

// Get returns the id.
func (s *SessionID) Get() string {
	if id := s.id.Load(); id != nil {
		return *id
	}
	return ""
}

// Set makes id that of the session.
func (s *SessionID) Set(id string) {
	if id == "" {
		s.id.Store(nil)
		return
	}
	s.id.Store(&id)
}

// drop ends the session if it still has the id given.
func (s *SessionID) drop(id string) {
	if now := s.id.Load(); now != nil && *now == id {
		s.id.CompareAndSwap(now, nil)
	}
}
