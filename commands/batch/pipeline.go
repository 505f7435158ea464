package batch

import (
	"context"
	"io"
	"sync"
)

// Pipeline works on inputs side by side and hands on what comes of them, in the
// order of the inputs or as it is ready. What is begun and not yet handed on is
// bounded, so that a slow reader of the outputs stops the reading of inputs,
// and one slow input among quick ones does not pile up what has to wait for it.
type Pipeline[In, Out any] struct {
	// Next gives an input, or io.EOF. It is called on a goroutine of its own
	// and may still be waiting when Run returns: who made it ends it.
	Next func() (In, error)

	// Work makes the output. It runs on Width goroutines, and has to heed the
	// end of its context.
	Work func(context.Context, In) Out

	// Emit takes an output. It is called by one goroutine at a time.
	Emit func(Out) error

	// Size says how many bytes an output takes.
	Size func(Out) int

	Width int // how many inputs are worked on at once

	// AsReady hands outputs on as they are ready rather than in order.
	AsReady bool

	stop     sync.Once
	stopping chan struct{}
}

// What may have been read and not been handed on: so many inputs for each
// goroutine, but some in any case. No other is read, either, while the outputs
// that wait for an earlier one have more than mostWaiting bytes.
const (
	window      = 4
	leastWindow = 64
	mostWaiting = 16 << 20
)

// New returns a Pipeline that can be stopped.
func New[In, Out any]() *Pipeline[In, Out] {
	return &Pipeline[In, Out]{stopping: make(chan struct{})}
}

// Stop lets Run begin nothing more; what has begun goes on. It may be called
// from anywhere, also by Work and Emit.
func (p *Pipeline[In, Out]) Stop() { p.stop.Do(func() { close(p.stopping) }) }

// Run returns when there are no more inputs, or it was stopped, and all that had
// begun is done. An error of Emit ends it at once, as the end of ctx does, whose
// cause is then returned; one of Next ends it when what came before is done.
func (p *Pipeline[In, Out]) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &pipelineRun[In, Out]{
		Pipeline: p,
		ctx:      ctx,
		cancel:   cancel,
		inputs:   make(chan numbered[In], p.Width),
		waiting:  make(map[int]Out),
		room:     make(chan struct{}, 1),
		over:     make(chan struct{}),
		turn:     make(chan struct{}, 1),
	}
	defer close(r.over)
	go r.read()
	var workers sync.WaitGroup
	for range p.Width {
		workers.Go(r.work)
	}
	workers.Wait()
	r.turn <- struct{}{} // and nobody else has it any more
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.failed
}

type numbered[In any] struct {
	n     int
	value In
}

// pipelineRun is one run of a Pipeline.
type pipelineRun[In, Out any] struct {
	*Pipeline[In, Out]
	ctx    context.Context
	cancel context.CancelCauseFunc
	inputs chan numbered[In]
	room   chan struct{} // says to look for room again
	over   chan struct{}

	turn    chan struct{} // full while somebody has what follows
	taken   int           // inputs that have room
	emitted int           // outputs handed on: in order, also the number of the next
	waiting map[int]Out   // for an earlier one
	bytes   int           // of those
	failed  error         // of Next
}

// read reads inputs for as long as there is room for them.
func (r *pipelineRun[In, Out]) read() {
	defer close(r.inputs)
	for n := 0; r.hasRoom(); n++ {
		value, err := r.Next()
		if err != nil {
			if err != io.EOF && r.take() {
				r.failed = err
				<-r.turn
			}
			return
		}
		select {
		case r.inputs <- numbered[In]{n, value}:
		case <-r.stopping:
			return
		case <-r.over:
			return
		}
	}
}

// take takes the turn, which Run keeps in the end; then it is false.
func (r *pipelineRun[In, Out]) take() bool {
	select {
	case r.turn <- struct{}{}:
		return true
	case <-r.over:
		return false
	}
}

// hasRoom waits until there is room for another input; false when there is no
// need for one.
func (r *pipelineRun[In, Out]) hasRoom() bool {
	most := max(window*r.Width, leastWindow)
	for {
		if !r.take() {
			return false
		}
		free := r.taken-r.emitted < most && r.bytes <= mostWaiting
		if free {
			r.taken++
		}
		<-r.turn
		if free {
			return true
		}
		select {
		case <-r.room:
		case <-r.stopping:
			return false
		case <-r.over:
			return false
		}
	}
}

// work works on one input after the other.
func (r *pipelineRun[In, Out]) work() {
	for {
		select { // which of several is chosen by chance
		case <-r.stopping:
			return
		default:
		}
		select {
		case in, ok := <-r.inputs:
			if !ok || r.ctx.Err() != nil {
				return
			}
			r.deliver(in.n, r.Work(r.ctx, in.value))
		case <-r.stopping:
			return
		case <-r.ctx.Done():
			return
		}
	}
}

// deliver hands an output on, with those that waited for it, or keeps it.
func (r *pipelineRun[In, Out]) deliver(n int, out Out) {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if !r.AsReady && n != r.emitted {
		r.waiting[n] = out
		r.bytes += r.Size(out)
		return
	}
	for ok := true; ok; {
		if !r.emit(out) || r.AsReady {
			return
		}
		if out, ok = r.waiting[r.emitted]; ok {
			delete(r.waiting, r.emitted)
			r.bytes -= r.Size(out)
		}
	}
}

// emit is false when everything is over. The caller has the turn.
func (r *pipelineRun[In, Out]) emit(out Out) bool {
	if r.ctx.Err() != nil {
		return false
	}
	if err := r.Emit(out); err != nil {
		r.cancel(err)
		return false
	}
	r.emitted++
	select {
	case r.room <- struct{}{}:
	default: // it will be looked for anyway
	}
	return true
}
