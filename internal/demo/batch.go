package demo

import (
	"context"
	"encoding/json"
)

// Batches, arrays of messages, are part of 2025-03-26 only.

// splitBatch takes a batch apart. A member that is no message becomes the error
// response it is owed.
func splitBatch(r *rules, data []byte) (members []*message, owed batch, err error) {
	if r == nil || !r.batches {
		return nil, nil, rpcErrorf(codeInvalidRequest, "batches belong to protocol version %s", version2025March)
	}
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) != nil {
		return nil, nil, rpcErrorf(codeParse, "the batch is not JSON")
	}
	if len(raw) == 0 {
		return nil, nil, rpcErrorf(codeInvalidRequest, "the batch is empty")
	}
	for _, one := range raw {
		m, err := decodeMessage(one)
		if err == nil && m.isRequest() && m.method() == "initialize" {
			err = rpcErrorf(codeInvalidRequest, "initialize must not be in a batch")
		}
		if err != nil {
			owed = append(owed, response{id: m.ID, nullID: true, err: asRPCError(err)})
			continue
		}
		members = append(members, m)
	}
	return members, owed, nil
}

// pending is a registered request of a batch.
type pending struct {
	ctx  context.Context
	done func()
	m    *message
}

// beginBatch registers the requests of a batch, so that any of them can be
// cancelled, and takes its other members.
func beginBatch(ctx context.Context, s *session, members []*message, owed batch) ([]pending, batch) {
	var requests []pending
	for _, m := range members {
		if !m.isRequest() {
			s.accept(m)
			continue
		}
		callCtx, done, err := s.inflight.begin(ctx, m.ID)
		if err != nil {
			owed = append(owed, response{id: m.ID, err: asRPCError(err)})
			continue
		}
		requests = append(requests, pending{callCtx, done, m})
	}
	return requests, owed
}

// answerBatch answers the requests of a batch one after the other.
func answerBatch(s *session, requests []pending, owed batch, newCall func() *call) batch {
	for _, p := range requests {
		r, ok := s.answer(p.ctx, p.m, newCall())
		p.done()
		if ok {
			owed = append(owed, r)
		}
	}
	return owed
}

func (c *conn) receiveBatch(ctx context.Context, line []byte) {
	var r *rules
	if c.session != nil {
		r = &c.session.rules
	}
	members, owed, err := splitBatch(r, line)
	if err != nil {
		c.refuse(nil, err)
		return
	}
	requests, owed := beginBatch(ctx, c.session, members, owed)
	c.calls.Go(func() {
		if all := answerBatch(c.session, requests, owed, func() *call { return &call{send: c.send} }); len(all) > 0 {
			c.send(all)
		}
	})
}
