package demo

import (
	"context"
	"net/http"
	"sync"
)

// postInitialize opens a session.
func (s *Server) postInitialize(w http.ResponseWriter, r *http.Request, m *message) {
	if _, ok := headerValue(r.Header, headerSession); ok {
		reject(w, http.StatusBadRequest, m, rpcErrorf(codeInvalidRequest, "initialize opens a session and belongs to none: send it without %s", headerSession))
		return
	}
	sess, res, err := s.initialize(m)
	if err != nil {
		reject(w, http.StatusBadRequest, m, err)
		return
	}
	h := s.sessions.add(s.alive, sess)
	w.Header().Set(headerSession, h.id)
	respond(w, http.StatusOK, response{id: m.ID, result: res})
}

// sessionOf finds the session of a request, or answers why there is none.
func (s *Server) sessionOf(w http.ResponseWriter, r *http.Request, m *message) *httpSession {
	id, ok := headerValue(r.Header, headerSession)
	if !ok {
		reject(w, http.StatusBadRequest, m, rpcErrorf(codeInvalidRequest, "the %s header is missing", headerSession))
		return nil
	}
	h := s.sessions.get(id)
	if h == nil {
		reject(w, http.StatusNotFound, m, rpcErrorf(codeInvalidRequest, "unknown session"))
		return nil
	}
	// Without the header the version is known from the session.
	if v, ok := headerValue(r.Header, headerVersion); ok && v != h.rules.version {
		reject(w, http.StatusBadRequest, m, rpcErrorf(codeInvalidRequest, "%s is %q, the session agreed on %q", headerVersion, v, h.rules.version))
		return nil
	}
	return h
}

// postStateful takes one message of a session.
func (s *Server) postStateful(w http.ResponseWriter, r *http.Request, m *message) {
	h := s.sessionOf(w, r, m)
	if h == nil {
		return
	}
	if !m.isRequest() {
		h.accept(m)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	ctx, done, err := h.busy.begin(h.ctx, m.ID)
	if err != nil {
		reject(w, http.StatusBadRequest, m, err)
		return
	}
	h.serveCall(w, r, func(send func(any)) any {
		defer done()
		res, ok := h.answer(ctx, m, &call{send: send, header: r.Header})
		if !ok {
			return nil
		}
		return res
	})
}

// postBatch takes an array of messages, where the session's version has them.
func (s *Server) postBatch(w http.ResponseWriter, r *http.Request, body []byte) {
	if statelessHeader(r.Header) {
		reject(w, http.StatusBadRequest, nil, rpcErrorf(codeInvalidRequest, "batches belong to protocol version %s", version2025March))
		return
	}
	h := s.sessionOf(w, r, nil)
	if h == nil {
		return
	}
	members, owed, err := splitBatch(&h.rules, body)
	if err != nil {
		reject(w, http.StatusBadRequest, nil, err)
		return
	}
	requests, owed := beginBatch(h.ctx, h.session, members, owed)
	if len(requests) == 0 && len(owed) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	h.serveCall(w, r, func(send func(any)) any {
		all := answerBatch(h.session, requests, owed, func() *call { return &call{send: send, header: r.Header} })
		if len(all) == 0 {
			return nil
		}
		return all
	})
}

// serveCall runs a call and carries its answer. The reply is JSON, or an event
// stream from the moment the call sends something else first. The call outlives
// its connection: in these versions a lost connection does not cancel.
func (h *httpSession) serveCall(w http.ResponseWriter, r *http.Request, run func(send func(any)) any) {
	var once sync.Once
	var log *eventLog
	streaming := make(chan struct{})
	answered := make(chan any, 1)
	send := func(frame any) {
		once.Do(func() {
			log = h.newStream()
			close(streaming)
		})
		log.append(frame, false)
	}
	started := h.run(func() {
		frame := run(send)
		switch {
		case log == nil:
			answered <- frame
		case frame == nil:
			log.end()
		default:
			log.append(frame, true)
		}
	})
	if !started {
		http.Error(w, "the session has ended", http.StatusNotFound)
		return
	}
	select {
	case frame := <-answered:
		if frame == nil {
			// Cancelled before anything was said: an event stream may end
			// without a response, a JSON reply may not.
			startEvents(w)
			return
		}
		respond(w, http.StatusOK, frame)
	case <-streaming:
		log.serve(r.Context(), w, 1)
	case <-r.Context().Done():
	}
}

// get opens the session's standing stream, or resumes any of its streams.
func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list text/event-stream", http.StatusNotAcceptable)
		return
	}
	h := s.sessionOf(w, r, nil)
	if h == nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()

	lastID, resume := headerValue(r.Header, "Last-Event-Id")
	if !resume {
		standing := h.stream(standingStream)
		if standing.busy() {
			http.Error(w, "the session has a standing stream already", http.StatusConflict)
			return
		}
		if h.rules.primedStreams {
			standing.prime()
		}
		standing.serve(ctx, w, 0)
		return
	}
	stream, number, ok := parseEventID(lastID)
	log := h.stream(stream)
	if !ok || log == nil || !log.keeps(number) {
		http.Error(w, "the Last-Event-ID is not of this session, or too old", http.StatusBadRequest)
		return
	}
	log.serve(ctx, w, number+1)
}

// delete ends a session.
func (s *Server) delete(w http.ResponseWriter, r *http.Request) {
	h := s.sessionOf(w, r, nil)
	if h == nil {
		return
	}
	s.sessions.remove(h)
	w.WriteHeader(http.StatusNoContent)
}
