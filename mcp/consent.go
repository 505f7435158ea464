package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// codeURLRequired is the error of a request that can only be done once a person
// has been to the web pages that it names (2025-11-25, client/elicitation).
const codeURLRequired = -32042

// consent is what has been done about that error for one request.
type consent struct {
	asked  bool
	waited bool
	ids    []string // of the elicitations that were consented to
}

// consents knows which elicitations are done, by what the server tells.
type consents struct {
	mu      sync.Mutex
	done    map[string]bool
	waiting map[string]int // ids that somebody here waits for
	changed chan struct{}  // closed when done grows
}

// expect counts in (by 1) or out (by -1) the interest in ids. Others that a
// server tells of are ignored, so that it cannot fill our memory.
func (c *consents) expect(ids []string, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting, c.done = make(map[string]int), make(map[string]bool)
		c.changed = make(chan struct{})
	}
	for _, id := range ids {
		if c.waiting[id] += by; c.waiting[id] <= 0 {
			delete(c.waiting, id)
			delete(c.done, id)
		}
	}
}

// completed takes a notifications/elicitation/complete.
func (c *consents) completed(params json.RawMessage) {
	var p struct {
		ID string `json:"elicitationId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[p.ID] == 0 || c.done[p.ID] {
		return
	}
	c.done[p.ID] = true
	close(c.changed)
	c.changed = make(chan struct{})
}

// wait returns true when all of ids are done, false when ctx ends before.
func (c *consents) wait(ctx context.Context, ids []string) bool {
	for {
		c.mu.Lock()
		open := 0
		for _, id := range ids {
			if !c.done[id] {
				open++
			}
		}
		changed := c.changed
		c.mu.Unlock()
		if open == 0 {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// consent answers the error that URLs are to be visited: the first time the
// person is asked about each, and the request tried again. Consent is not
// completion, so a second time the server's word that the visits are done is
// waited for, within the time limit of the request.
func (c *Client) consent(ctx context.Context, r *Request, rpc *jsonrpc.Error, state *consent) (again bool, err error) {
	beside := c.options.Handlers.AwaitVisits != nil
	if state.asked && !beside {
		if state.waited {
			return false, nil
		}
		state.waited = true
		return c.awaitVisits(ctx, r, state.ids)
	}
	state.asked = true
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(rpc.Data, &data) != nil || len(data.Elicitations) == 0 {
		return false, nil
	}
	var fresh []json.RawMessage
	for _, params := range data.Elicitations {
		var p struct {
			ID string `json:"elicitationId"`
		}
		if json.Unmarshal(params, &p) != nil {
			return false, nil
		}
		if slices.Contains(state.ids, p.ID) {
			continue // consented to before
		}
		// From here on: a visit may be done before the last question is answered.
		c.consents.expect([]string{p.ID}, 1)
		state.ids = append(state.ids, p.ID)
		fresh = append(fresh, params)
	}
	for _, params := range fresh {
		answer, err := c.options.Handlers.ElicitURL(ctx, params)
		var refused *RefusedError
		if errors.As(err, &refused) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		var a struct {
			Action string `json:"action"`
		}
		if json.Unmarshal(answer, &a) != nil || a.Action != "accept" {
			return false, nil // the server's error says what was not done
		}
	}
	if beside {
		return c.visitsBeside(ctx, state.ids)
	}
	return true, nil
}

// visitsBeside waits for visits together with the person who makes them.
func (c *Client) visitsBeside(ctx context.Context, ids []string) (bool, error) {
	listening, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	done := make(chan struct{})
	work.Go(func() { _ = c.conn.Listen(listening) }) // without the server's word the person decides
	work.Go(func() {
		if c.consents.wait(listening, ids) {
			close(done)
		}
	})
	return c.options.Handlers.AwaitVisits(ctx, done)
}

// visits reports whether an answer is a person's consent to visit a web page:
// then it is for that person to say how long it takes.
func (c *Client) visits(method string, params, answer json.RawMessage) bool {
	if method != methodElicit || c.options.Handlers.AwaitVisits == nil {
		return false
	}
	var asked struct {
		Mode string `json:"mode"`
	}
	var answered struct {
		Action string `json:"action"`
	}
	return json.Unmarshal(params, &asked) == nil && json.Unmarshal(answer, &answered) == nil &&
		asked.Mode == "url" && answered.Action == "accept"
}

// forget ends the interest in visits.
func (c *Client) forget(state *consent) {
	if len(state.ids) > 0 {
		c.consents.expect(state.ids, -1)
	}
}

// awaitVisits waits until the server tells that the visits are done.
func (c *Client) awaitVisits(ctx context.Context, r *Request, ids []string) (bool, error) {
	waiting, limit := newLimit(ctx, c.patience(r), "timeout", "visits to the URLs that "+r.Method+" requires")
	defer limit.stop()
	var listening sync.WaitGroup
	defer listening.Wait()
	listening.Go(func() {
		// Over HTTP the word comes on a stream of its own, or not at all.
		if err := c.conn.Listen(waiting); errors.Is(err, transport.ErrNoStream) {
			limit.stop()
		}
	})
	done := c.consents.wait(waiting, ids)
	limit.stop()
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return done, nil
}
