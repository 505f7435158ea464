package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// maxMessage bounds one message from a client.
const maxMessage = 64 << 20

// flushGrace is how long calls may take to write their last words when the
// context ends before a blocked output is torn down.
const flushGrace = time.Second

// ServeStream serves one client over a byte stream with a message a line. It
// returns nil at the end of in and when ctx ends, after every goroutine it
// started has gone. At the end of in, calls that wait are given up; what they
// answer then is still written.
//
// When ctx ends, in and out are unblocked by a deadline or by closing them,
// whichever they support. An [os.File] that is no pipe or socket may support
// neither: then the goroutine that is blocked in it stays behind.
func (s *Server) ServeStream(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.alive, cancel)()

	lines := make(chan []byte)
	var readErr error // written before lines is closed
	go func() {
		defer close(lines)
		readErr = readLines(ctx, in, lines)
	}()
	c := &conn{server: s, out: bufio.NewWriter(out)}
	served := make(chan error, 1)
	go func() { served <- c.run(ctx, lines) }()

	ended, err := awaitStream(ctx, served, out)
	if !ended {
		return nil
	}
	if err == nil && ctx.Err() == nil { // the end of in
		if readErr != nil {
			return fmt.Errorf("reading messages: %w", readErr)
		}
		return nil
	}
	stopped := ctx.Err() != nil
	cancel()
	if interrupt(in) {
		for range lines { // until the reader has gone
		}
	}
	if stopped {
		return nil
	}
	return err
}

// awaitStream waits for a stream's end. When ctx ends first and nobody reads
// the last words, out is torn down; false means that even this is impossible.
func awaitStream(ctx context.Context, served <-chan error, out io.Writer) (bool, error) {
	select {
	case err := <-served:
		return true, err
	case <-ctx.Done():
	}
	timer := time.NewTimer(flushGrace)
	defer timer.Stop()
	select {
	case err := <-served:
		return true, err
	case <-timer.C:
	}
	if !interrupt(out) {
		return false, nil
	}
	return true, <-served
}

// interrupt makes a blocked Read or Write of v return, and reports whether it could.
func interrupt(v any) bool {
	if d, ok := v.(interface{ SetDeadline(time.Time) error }); ok && d.SetDeadline(time.Now()) == nil {
		return true
	}
	if _, isFile := v.(*os.File); isFile {
		return false // closing a blocking file waits for the Read it should end
	}
	c, ok := v.(io.Closer)
	return ok && c.Close() == nil
}

// readLines hands each line of in to lines until the end of in or of ctx.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	r := bufio.NewReaderSize(in, 32<<10)
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxMessage {
			return fmt.Errorf("a message is larger than %d bytes", maxMessage)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			select {
			case lines <- text:
			case <-ctx.Done():
				return nil
			}
			line = nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// conn is one client on a byte stream. Both eras share it.
type conn struct {
	server   *Server
	session  *session // nil until initialize; used by the reading goroutine
	inflight inflight
	calls    sync.WaitGroup

	mu       sync.Mutex
	out      *bufio.Writer
	writeErr error
}

// run serves messages and returns when the calls they started have ended.
func (c *conn) run(ctx context.Context, lines <-chan []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	err := c.serve(ctx, lines)
	cancel()
	c.calls.Wait()
	if c.session != nil {
		c.session.close()
	}
	return err
}

// serve takes messages until they end, the context ends or writing fails.
func (c *conn) serve(ctx context.Context, lines <-chan []byte) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			c.receive(ctx, line)
			if err := c.failure(); err != nil {
				return fmt.Errorf("writing messages: %w", err)
			}
		}
	}
}

func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeErr
}

// send writes one message. After a failure the stream is lost: what comes
// later is dropped and serve ends.
func (c *conn) send(frame any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writeErr != nil {
		return
	}
	err := writeFrame(c.out, frame)
	if err == nil {
		err = c.out.WriteByte('\n')
	}
	if err == nil {
		err = c.out.Flush()
	}
	c.writeErr = err
}

// refuse answers a message that cannot be taken as it is.
func (c *conn) refuse(m *message, err error) {
	r := response{err: asRPCError(err)}
	if m != nil {
		r.id = m.ID
	}
	r.nullID = c.session != nil && c.session.rules.nullIDErrors
	c.send(r)
}

func (c *conn) receive(ctx context.Context, line []byte) {
	if line[0] == '[' {
		c.receiveBatch(ctx, line)
		return
	}
	m, err := decodeMessage(line)
	if err != nil {
		c.refuse(m, err)
		return
	}
	if !m.isRequest() {
		c.accept(m)
		return
	}
	if m.method() == "initialize" && c.session == nil && !speaksStateless(m) {
		c.open(ctx, m)
		return
	}
	callCtx, done, err := c.inflight.begin(ctx, m.ID)
	if err != nil {
		c.refuse(m, err)
		return
	}
	run := func() {
		r, ok := c.answer(callCtx, m)
		done()
		if ok {
			c.send(r)
		}
	}
	if c.server.runsLong(m) {
		c.calls.Go(run)
		return
	}
	run()
}

// open starts the session of this stream.
func (c *conn) open(ctx context.Context, m *message) {
	sess, res, err := c.server.initialize(m)
	if err != nil {
		c.refuse(m, err)
		return
	}
	box := newMailbox()
	sess.inflight, sess.tell, sess.push = &c.inflight, box.put, c.send
	c.session = sess
	c.calls.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-box.wake:
				for _, uri := range box.take() {
					c.send(updatedNotification(uri))
				}
			}
		}
	})
	c.send(response{id: m.ID, result: res})
}

// accept takes a notification or a response.
func (c *conn) accept(m *message) {
	switch {
	case c.session != nil:
		c.session.accept(m)
	case m.method() == "notifications/cancelled":
		c.inflight.cancel(m.Params)
	}
}

// answer answers a request by the rules of the era it speaks.
func (c *conn) answer(ctx context.Context, m *message) (response, bool) {
	refused := func(err error) (response, bool) { return response{id: m.ID, err: asRPCError(err)}, true }
	if speaksStateless(m) {
		call, err := c.server.openStateless(m)
		if err != nil {
			return refused(err)
		}
		h := c.server.statelessHandler(m.method())
		if h == nil {
			return refused(rpcErrorf(codeMethodNotFound, "unknown method %q", m.method()))
		}
		call.send = c.send
		return answer(ctx, call, h)
	}
	if c.session != nil {
		return c.session.answer(ctx, m, &call{send: c.send})
	}
	if m.method() == "ping" {
		return response{id: m.ID, result: &empty{}}, true
	}
	return refused(rpcErrorf(codeInvalidParams, "%s needs params._meta[%q], or an initialize before it", m.method(), metaVersion))
}
