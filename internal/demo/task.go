package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"
)

// Statuses of a task; the last three are final.
const (
	taskWorking   = "working"
	taskInput     = "input_required"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskCancelled = "cancelled"
)

const (
	taskPoll = 200 * time.Millisecond // how often clients should ask
	maxTasks = 1000                   // the oldest that has ended makes room for a new one
)

// taskStore holds tasks: those of a session, or those of the server in the
// stateless era.
type taskStore struct {
	work sync.WaitGroup

	mu       sync.Mutex
	all      []*task
	watchers map[*watcher]struct{} // told the id of a task that changed
}

// task is a call of a tool that goes on when its request has been answered.
type task struct {
	store   *taskStore
	id      string
	created time.Time
	ttl     time.Duration
	cancel  context.CancelCauseFunc
	failsBy func(result) bool // whether a result makes the task a failed one

	// Guarded by store.mu.
	updated         time.Time
	status, message string
	result          result
	err             *rpcError
	question        *openQuestion // what the tool waits for
	changed         chan struct{} // closed, and replaced, with every change
}

// openQuestion is what a task wants of its client.
type openQuestion struct {
	key    string
	method string
	params any
	taken  bool // somebody is asking it
	answer chan json.RawMessage
}

func (t *task) final() bool {
	return t.status == taskCompleted || t.status == taskFailed || t.status == taskCancelled
}

// start begins a task that ends with ctx. run is the tool's work.
func (s *taskStore) start(ctx context.Context, t *task, run func(context.Context, *task) (result, error)) {
	ctx, t.cancel = context.WithCancelCause(ctx)
	now := time.Now()
	t.store, t.id, t.created, t.updated = s, rand.Text(), now, now
	t.status, t.changed = taskWorking, make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld(now)
	s.all = append(s.all, t)
	s.work.Go(func() {
		defer t.cancel(nil)
		t.end(run(ctx, t))
	})
}

// forgetOld drops tasks whose time is over, and ended ones when there are too
// many.
func (s *taskStore) forgetOld(now time.Time) {
	for i, t := range s.all {
		if len(s.all)-i < maxTasks {
			break
		}
		if t.final() {
			s.all = slices.Delete(s.all, i, i+1)
			break
		}
	}
	s.all = slices.DeleteFunc(s.all, func(t *task) bool {
		old := now.Sub(t.created) > t.ttl
		if old {
			t.cancel(errors.New("the task has expired"))
		}
		return old
	})
}

// find finds a task and calls use with the store locked.
func (s *taskStore) find(id string, use func(*task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld(time.Now())
	for _, t := range s.all {
		if t.id == id {
			use(t)
			return nil
		}
	}
	return rpcErrorf(codeInvalidParams, "there is no task %q", id)
}

// touched tells of a change. The store is locked.
func (t *task) touched() {
	t.updated = time.Now()
	close(t.changed)
	t.changed = make(chan struct{})
	for w := range t.store.watchers {
		w.tell(t.id)
	}
}

// say sets the status message.
func (t *task) say(text string) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if !t.final() {
		t.message = text
		t.touched()
	}
}

// end keeps what the tool came to.
func (t *task) end(res result, err error) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if t.final() {
		return
	}
	t.question = nil
	switch {
	case err != nil:
		t.status, t.err = taskFailed, asRPCError(err)
		t.message = t.err.Message
	case t.failsBy(res):
		t.status, t.result = taskFailed, res
	default:
		t.status, t.result = taskCompleted, res
	}
	t.touched()
}

// stop cancels a task; it reports whether that was still possible.
func (t *task) stop() bool {
	if t.final() {
		return false
	}
	t.status, t.question, t.message = taskCancelled, nil, "cancelled by the client"
	t.cancel(errCancelled)
	t.touched()
	return true
}

// ask waits for the client's answer to a question.
func (t *task) ask(ctx context.Context, key, method string, params any) (json.RawMessage, error) {
	q := &openQuestion{key: key, method: method, params: params, answer: make(chan json.RawMessage, 1)}
	t.store.mu.Lock()
	if t.final() {
		t.store.mu.Unlock()
		return nil, errCancelled
	}
	t.question, t.status = q, taskInput
	t.touched()
	t.store.mu.Unlock()
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// answered hands an answer to the tool. The store is locked.
func (t *task) answered(q *openQuestion, answer json.RawMessage) {
	if t.question != q {
		return
	}
	q.answer <- answer
	t.question = nil
	if !t.final() {
		t.status = taskWorking
		t.touched()
	}
}

// watch has tell called with the id of each task that changes; it must not
// block. The returned function ends that.
func (s *taskStore) watch(tell func(id string)) func() {
	w := &watcher{tell}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		s.watchers = make(map[*watcher]struct{})
	}
	s.watchers[w] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, w)
	}
}

// close ends all tasks and returns when their work has ended.
func (s *taskStore) close() {
	s.mu.Lock()
	for _, t := range s.all {
		t.cancel(errors.New("the server or the session is ending"))
	}
	s.mu.Unlock()
	s.work.Wait()
}
