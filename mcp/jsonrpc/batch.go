package jsonrpc

import (
	"context"
	"sync"
)

// batch gathers the answers to the requests of one batch.
type batch struct {
	mu      sync.Mutex
	left    int
	answers []*Message
	send    func(answers []*Message)
}

// add takes an answer, nil for a request that gets none. The last one sends
// them all, unless there are none at all.
func (b *batch) add(answer *Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left--
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	if b.left == 0 && len(b.answers) > 0 {
		b.send(b.answers)
	}
}

// ServeBatch starts to answer requests that came as one batch. Their answers go
// to ReplyAll together.
func (s *Server) ServeBatch(ctx context.Context, requests []*Message) {
	b := &batch{left: len(requests), send: func(answers []*Message) { s.ReplyAll(ctx, answers) }}
	for _, m := range requests {
		s.serve(ctx, m, func(_ context.Context, answer *Message) { b.add(answer) })
	}
}

// AppendBatch appends the encoding of a batch on one line.
func AppendBatch(dst []byte, messages []*Message) []byte {
	dst = append(dst, '[')
	for i, m := range messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.Append(dst)
	}
	return append(dst, ']')
}

// SplitBatch passes what came as one batch on to each, but for the requests,
// which it returns if they are to be answered as one.
func (h *Handler) SplitBatch(messages []*Message, each func(*Message)) (requests []*Message) {
	together := h.Batches != nil && h.Batches()
	for _, m := range messages {
		if together && m.IsRequest() {
			requests = append(requests, m)
		} else {
			each(m)
		}
	}
	return requests
}
