package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// A session has one standing stream, however many listen: it is opened by the
// first and closed when the last has gone.
func TestStandingStreamIsShared(t *testing.T) {
	var opened atomic.Int32
	closed := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		opened.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": open\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(closed)
	}))
	defer server.Close()
	begun := make(chan struct{}, 2)
	conn, err := HTTP{URL: server.URL}.Dial(t.Context(), Peer{Listening: func(bool) { begun <- struct{}{} }})
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	listen := func() (context.CancelCauseFunc, chan error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- conn.Listen(ctx) }()
		<-begun
		return cancel, ended
	}
	leave1, ended1 := listen()
	leave2, ended2 := listen()
	leave1(gone)
	if err := <-ended1; err != gone {
		t.Errorf("first: %v", err)
	}
	select {
	case <-closed:
		t.Error("closed while one still listens")
	default:
	}
	leave2(gone)
	if err := <-ended2; err != gone {
		t.Errorf("second: %v", err)
	}
	<-closed
	if n := opened.Load(); n != 1 {
		t.Errorf("opened %d times", n)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := conn.Listen(t.Context()); err == nil {
		t.Error("listening on a closed connection")
	}
}
