package mcptest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// write is a body that is written when it is wanted, so that it need never be held.
type write func(w io.Writer) error

// sink is where the output of a rule goes: stdout, an HTTP response, or the
// event stream of the 2024-11-05 transport.
type sink interface {
	// message writes one framed message. news: it is not the answer.
	message(t *turn, body write, news bool) error
	// raw writes bytes with no framing.
	raw(t *turn, body write) error
	// hang waits until the client can expect no answer any more.
	hang(t *turn) error
}

// paced writes at most size bytes a time, with a flush and a pause after each.
type paced struct {
	ctx   context.Context
	w     io.Writer
	flush func() error
	pace  pace
}

func (p *paced) Write(b []byte) (n int, err error) {
	for n < len(b) {
		end := min(n+p.pace.size, len(b))
		m, err := p.w.Write(b[n:end])
		n += m
		if err != nil {
			return n, err
		}
		if err := p.flush(); err != nil {
			return n, err
		}
		if err := pause(p.ctx, p.pace.delay); err != nil {
			return n, err
		}
	}
	return n, nil
}

// writeThrough writes body to w: at the pace given, or buffered and then flushed.
func writeThrough(ctx context.Context, w io.Writer, flush func() error, p pace, body write) error {
	if p.size > 0 {
		return body(&paced{ctx: ctx, w: w, flush: flush, pace: p})
	}
	b := bufio.NewWriterSize(w, repeatBlock)
	if err := body(b); err != nil {
		// What was written before a body broke off belongs on the wire.
		_ = b.Flush()
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return flush()
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// streamSink frames messages on a byte stream: stdout.
type streamSink struct {
	mu            sync.Mutex // one message at a time
	w             io.Writer
	contentLength bool
	lineEnd       string
}

func (s *streamSink) message(t *turn, body write, _ bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return writeThrough(t.ctx, s.w, noFlush, t.pace, func(w io.Writer) error {
		if s.contentLength {
			var n counter
			if err := body(&n); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", n); err != nil {
				return err
			}
			return body(w)
		}
		if err := body(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, s.lineEnd)
		return err
	})
}

func (s *streamSink) raw(t *turn, body write) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return writeThrough(t.ctx, s.w, noFlush, t.pace, body)
}

func (s *streamSink) hang(t *turn) error {
	<-t.ctx.Done()
	return t.ctx.Err()
}

func noFlush() error { return nil }

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// batchSink gathers the answers to the members of a batch.
type batchSink struct {
	sink
	answers []write
}

func (b *batchSink) message(t *turn, body write, news bool) error {
	if news {
		return b.sink.message(t, body, true)
	}
	b.answers = append(b.answers, body)
	return nil
}

// flush sends the answers as one array, if there are any.
func (b *batchSink) flush(t *turn) error {
	if len(b.answers) == 0 {
		return nil
	}
	return b.sink.message(t, func(w io.Writer) error {
		for i, body := range b.answers {
			separator := ","
			if i == 0 {
				separator = "["
			}
			if _, err := io.WriteString(w, separator); err != nil {
				return err
			}
			if err := body(w); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "]")
		return err
	}, false)
}
