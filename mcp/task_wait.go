package mcp

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"mcpq/mcp/jsonrpc"
)

// Of polling: how often it is done at most and at least, and where the server
// does not say, at first.
const (
	shortestPoll = 200 * time.Millisecond
	longestPoll  = time.Minute
	firstPoll    = time.Second
	slowestGuess = 10 * time.Second

	// A server that tells changes of itself is only asked to be sure.
	backstop = 5

	// maxLost is how often in a row a server may be out of reach.
	maxLost = 10
)

// createPatience is how long a request that makes a task is waited for after
// its context has ended: without the answer nobody knows what to cancel.
const createPatience = 2 * time.Second

// TaskWait says how a task is waited for. The zero value is useful.
type TaskWait struct {
	// Changed is told each state of the task that differs from the one before.
	Changed func(Task)

	// Lost is told when the server is out of reach and tried again.
	Lost func(error)

	// Stream and Keep are for the result; see Request.
	Stream io.Writer
	Keep   []string
}

// taskDialect is how a generation of tasks differs from the other.
type taskDialect interface {
	// settle acts on the state of a task. It returns the result of one that
	// has ended; nil if it has to be waited for further.
	settle(ctx context.Context, w *taskWait) (*Result, error)

	// complete reports whether a state is known in full: that of the answer
	// which made the task may not be.
	complete(t *Task) bool

	// told reports whether a notification gives a state that can be acted on,
	// rather than a reason to ask for it.
	told() bool
}

// taskWait is one task being waited for.
type taskWait struct {
	client *Client
	id     string
	task   *Task
	on     TaskWait
	tasks  taskDialect

	fresh   bool          // settling brought a new state
	polled  time.Time     // when the last poll was made
	guess   time.Duration // until the next one, if the server does not say
	lost    int           // polls in a row that did not reach the server
	expires time.Time     // zero: never
	heard   time.Time     // when there was news last
	stale   bool          // it has expired, and there was none for long since

	wake     chan struct{} // full when to poll sooner
	mu       sync.Mutex
	news     *Task // that came as a notification
	standing bool  // notifications can be expected

	answers map[string]*answered // by the keys of input requests
}

// WaitTask waits until a task has ended and returns its result: what the
// request that made it would have returned without one. t is a task of a Result,
// or one of which only the ID is set; it is kept up to date. The server is asked
// as often as it wants to be, within limits, and by subscription where it tells
// of changes itself. What it asks for is answered by the handlers. A server that
// cannot be reached is tried again for a while.
//
// An error that the request ended with is a *RPCError; *TaskError is a task that
// ended without any, *TaskExpiredError one that the server has given up. When ctx
// ends, or anything else fails, the task goes on, and may be waited for again.
// Options.Timeout bounds each exchange, not the whole.
func (c *Client) WaitTask(ctx context.Context, t *Task, on TaskWait) (*Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	w := &taskWait{
		client: c, id: t.ID, task: t, on: on, tasks: s.era.tasks(),
		polled: time.Now(), guess: firstPoll, wake: make(chan struct{}, 1), answers: make(map[string]*answered),
	}
	defer c.forgetToken(t.ID)
	if t.Status != "" {
		w.take(t)
	}
	if !w.tasks.complete(t) {
		if err := w.poll(ctx); err != nil {
			return nil, err
		}
	}
	if !t.Final() {
		defer w.listen(ctx)()
	}
	for {
		res, err := w.tasks.settle(ctx, w)
		if res != nil || err != nil {
			return res, err
		}
		if !w.fresh {
			err = w.next(ctx)
		}
		if w.fresh = false; err != nil {
			return nil, err
		}
	}
}

// take makes a state that is not older the task's.
func (w *taskWait) take(t *Task) {
	old := *w.task
	known := old.Raw != nil && w.task != t
	*w.task = *t
	if t.TTL == nil || *t.TTL == 0 {
		w.expires = time.Time{}
	} else if !known || old.TTL == nil || *old.TTL != *t.TTL {
		// The clocks may differ: it is counted from when it was told.
		w.expires = w.polled.Add(*t.TTL)
	}
	changed := !known || old.Status != t.Status || old.StatusMessage != t.StatusMessage
	if changed && w.on.Changed != nil {
		w.on.Changed(*t)
	}
	if known && !changed && old.LastUpdated == t.LastUpdated {
		w.guess = min(2*w.guess, slowestGuess)
		// A server may well keep a task for longer than it has to.
		silent := min(time.Since(w.expires), time.Since(w.heard))
		w.stale = !w.expires.IsZero() && silent > max(*t.TTL, longestPoll)
		return
	}
	w.heard, w.stale = time.Now(), false
}

// next waits for the next state: until it is time to ask, or it is told.
func (w *taskWait) next(ctx context.Context) error {
	if w.stale {
		return &TaskExpiredError{ID: w.id, TTL: *w.task.TTL}
	}
	timer := time.NewTimer(time.Until(w.polled.Add(w.interval())))
	defer timer.Stop()
	select {
	case <-timer.C:
		return w.poll(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-w.wake:
	}
	if news := w.takeNews(); news != nil {
		w.take(news)
		return nil
	}
	// However often it is told to, it asks no more often than that.
	if err := patientFor(ctx, time.Until(w.polled.Add(shortestPoll))); err != nil {
		return err
	}
	return w.poll(ctx)
}

// interval is the time from one poll to the next. It is a little longer than
// the server wants, so that many clients do not ask all at once.
func (w *taskWait) interval() time.Duration {
	d := w.task.PollInterval
	if d == 0 {
		d = w.guess
	}
	w.mu.Lock()
	if w.standing {
		d *= backstop
	}
	w.mu.Unlock()
	d = min(max(d, shortestPoll), longestPoll)
	if !w.expires.IsZero() {
		if left := time.Until(w.expires); left > 0 {
			d = min(d, max(left, shortestPoll))
		}
	}
	return d + rand.N(d/10)
}

// poll asks for the state of the task, again and again where the server is out
// of reach.
func (w *taskWait) poll(ctx context.Context) error {
	for {
		w.polled = time.Now()
		t, _, err := w.client.GetTask(ctx, w.id)
		if err == nil {
			w.lost = 0
			w.take(t)
			return nil
		}
		if err := w.away(ctx, err); err != nil {
			return err
		}
	}
}

// away judges an exchange that failed. It returns nil when the time has come to
// try again.
func (w *taskWait) away(ctx context.Context, err error) error {
	var rpc *RPCError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &rpc) && rpc.Err.Code == jsonrpc.CodeInvalidParams && !w.expires.IsZero() && time.Now().After(w.expires):
		return &TaskExpiredError{ID: w.id, TTL: *w.task.TTL, Err: err}
	case !unreachable(err):
		return err
	}
	if w.lost++; w.lost > maxLost {
		return err
	}
	if w.on.Lost != nil && w.lost == 1 {
		w.on.Lost(err)
	}
	return patientFor(ctx, backoff(w.lost))
}

// unreachable reports whether a server may be there again after a while.
func unreachable(err error) bool {
	var failed *HandshakeError // of the session that takes the place of a lost one
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return brokeOff(err)
}

// listen has the server tell of changes, where it does, until the function
// returned is called. Nothing depends on it.
func (w *taskWait) listen(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		want := Subscription{TaskIDs: []string{w.id}}
		err := w.client.Watch(ctx, want, Watcher{Notified: w.notified, Opened: w.opened})
		w.mu.Lock()
		if w.standing {
			wake(w.wake) // what was left to it is to be asked for
		}
		w.standing = false
		w.mu.Unlock()
		var offers *SubscriptionError
		if err != nil && ctx.Err() == nil && !errors.As(err, &offers) {
			w.client.warn(err)
		}
	}()
	return func() {
		cancel(errWatchOver)
		<-listened
	}
}

// opened polls once more, because something may have changed just before.
func (w *taskWait) opened(bool) error {
	if w.tasks.told() {
		w.mu.Lock()
		w.standing = true
		w.mu.Unlock()
		wake(w.wake)
	}
	return nil
}

// notified takes a state, or a reason to ask for one.
func (w *taskWait) notified(n Notification) error {
	if w.tasks.told() {
		t, err := parseTask(n.Method, n.Params)
		if err != nil || t.ID != w.id {
			return nil // polling finds out
		}
		w.mu.Lock()
		w.news = t
		w.mu.Unlock()
	}
	wake(w.wake)
	return nil
}

func (w *taskWait) takeNews() *Task {
	w.mu.Lock()
	defer w.mu.Unlock()
	news := w.news
	w.news = nil
	if news != nil && !w.tasks.complete(news) {
		return nil // it has to be asked for after all
	}
	return news
}

// outlast is a context that ends some time after ctx does, with its cause.
func outlast(ctx context.Context, d time.Duration) (context.Context, func()) {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		_ = patientFor(longer, d)
		cancel(context.Cause(ctx))
	})
	return longer, func() {
		stop()
		cancel(nil)
	}
}
