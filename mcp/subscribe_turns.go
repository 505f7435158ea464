package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Of taking a subscription up again after it broke: how long to wait before
// the first try and at most, how often to try in a row, and how long one has
// to last to count as one that merely had nothing to say.
const (
	firstRetry    = 250 * time.Millisecond
	longestRetry  = 8 * time.Second
	maxRetries    = 6
	steadyTurn    = 10 * time.Second
	methodListen  = "subscriptions/listen"
	listChangedAt = "listChanged"
)

// WatchError is a watch that broke and could not be taken up again.
type WatchError struct {
	Tries int
	Err   error
}

func (e *WatchError) Error() string {
	return fmt.Sprintf("the notifications broke off and could not be taken up again in %d tries: %v", e.Tries, e.Err)
}

func (e *WatchError) Unwrap() error { return e.Err }

// errRenewed ends a turn because its session is no longer the client's.
var errRenewed = errors.New("the session was opened anew")

// run keeps the subscription up, one turn after the other, until it is over.
func (w *watch) run(ctx context.Context) error {
	var done recovery
	tries := 0
	for {
		began := time.Now()
		openedBefore, toldBefore := w.progress()
		s, err := w.turn(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			return nil
		}
		opened, told := w.progress()
		if opened > openedBefore {
			done = recovery{}
		}
		if told > toldBefore || opened > openedBefore && time.Since(began) > steadyTurn {
			tries = 0
		}
		again, failed := w.mend(ctx, s, err, &done)
		if !again {
			return failed
		}
		if tries++; tries > maxRetries {
			return &WatchError{Tries: maxRetries, Err: err}
		}
		if failed == nil { // there is another session
			continue
		}
		if err := patientFor(ctx, backoff(tries)); err != nil {
			return err
		}
	}
}

// turn holds one subscription in the session that there is.
func (w *watch) turn(ctx context.Context) (*session, error) {
	s, err := w.client.current(ctx)
	if err != nil {
		return s, err
	}
	if err := w.declared(s); err != nil {
		return s, err
	}
	return s, s.era.subscribe(ctx, s, w)
}

// mend decides about the end of a turn. It reports whether to try again: at
// once, or with an error after a while.
func (w *watch) mend(ctx context.Context, s *session, err error, done *recovery) (again bool, failed error) {
	if errors.Is(err, errRenewed) {
		return true, nil
	}
	opened, _ := w.progress()
	var lost *transport.SessionError
	if errors.As(err, &lost) && done.session {
		// There is a new session, and the same answer.
		return false, &SubscriptionError{Reason: "the server offers no event stream", Err: lost.HTTPError}
	}
	switch again, failed := w.client.recover(ctx, s, &Request{Method: methodListen}, err, done); {
	case failed != nil && opened > 0 && brokeOff(failed): // it is just starting again
		*done = recovery{}
		return true, failed
	case failed != nil:
		return false, failed
	case again:
		return true, nil
	case opened > 0 && brokeOff(err):
		return true, err
	}
	var refused *RPCError
	if errors.As(err, &refused) { // of another request
		return false, err
	}
	return false, serverError(methodListen, err)
}

// brokeOff reports whether a server may be there again after a while.
func brokeOff(err error) bool {
	var connect *transport.ConnectError
	var broken *transport.BrokenError
	var status *transport.HTTPError
	return errors.As(err, &connect) || errors.As(err, &broken) ||
		errors.As(err, &status) && (status.Status >= http.StatusInternalServerError || status.Status == http.StatusTooManyRequests)
}

// backoff doubles from try to try. Half of it is left to chance, so that many
// clients do not come back at the same moment.
func backoff(try int) time.Duration {
	d := min(firstRetry<<(try-1), longestRetry)
	return d/2 + rand.N(d/2)
}

func patientFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// declared checks that the server declared what the watch asks for.
func (w *watch) declared(s *session) error {
	for _, need := range []struct {
		wanted bool
		method string
		path   []string
	}{
		{w.want.Tools, "notifications/tools/list_changed", []string{"tools", listChangedAt}},
		{w.want.Prompts, "notifications/prompts/list_changed", []string{"prompts", listChangedAt}},
		{w.want.Resources, "notifications/resources/list_changed", []string{"resources", listChangedAt}},
		{len(w.want.URIs) > 0, "notifications/resources/updated", []string{"resources", "subscribe"}},
		{w.want.Logs, "notifications/message", []string{"logging"}},
	} {
		if need.wanted && !s.info.Has(need.path...) {
			return &CapabilityError{Method: need.method, Capability: joinPath(need.path)}
		}
	}
	return nil
}

// kind tells what of a subscription a notification belongs to: "tools",
// "prompts", "resources", "updated", "logs" or "task"; "" for others.
// Some servers misspell list_changed.
func kind(method string) string {
	switch method {
	case "notifications/tools/list_changed", "notifications/tools/listChanged":
		return "tools"
	case "notifications/prompts/list_changed", "notifications/prompts/listChanged":
		return "prompts"
	case "notifications/resources/list_changed", "notifications/resources/listChanged":
		return "resources"
	case "notifications/resources/updated":
		return "updated"
	case "notifications/message":
		return "logs"
	case "notifications/tasks", "notifications/tasks/status":
		return "task"
	}
	return ""
}

// taskOf is the task that a notification is about.
func taskOf(m *jsonrpc.Message) string {
	var p struct {
		TaskID string `json:"taskId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return ""
	}
	return p.TaskID
}
