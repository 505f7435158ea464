package schema

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// guard stops the work on one schema. The library that does the work takes no
// context, so it is stopped from within: by a keyword extension that it calls
// for every schema object, and by its regular expressions. A schema that was
// stopped once for taking too long is never tried again.
type guard struct {
	once sync.Once
	done chan struct{}
}

func newGuard() *guard { return &guard{done: make(chan struct{})} }

func (g *guard) stop() { g.once.Do(func() { close(g.done) }) }

func (g *guard) stopped() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// check ends the goroutine's work by a panic that bounded catches.
func (g *guard) check() {
	if g.stopped() {
		panic(errStopped)
	}
}

var errStopped = errors.New("stopped")

// Validate makes guard a jsonschema.SchemaExt.
func (g *guard) Validate(*jsonschema.ValidatorContext, any) { g.check() }

// vocabulary is the extension through which the library calls g.
func (g *guard) vocabulary() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{
		URL: "urn:mcpq:guard",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
			g.check()
			return g, nil
		},
	}
}

// bounded runs work on its own goroutine and waits for it until it is done,
// ctx ends or the time is up. Work given up ends soon after its time is up. A
// panic in it becomes an error: the library has some for numbers and schemas
// that are out of the ordinary.
func bounded[T any](ctx context.Context, g *guard, work func() (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	tooLong := &UnsupportedError{Reason: fmt.Sprintf("it takes longer than %v", timeLimit)}
	if g.stopped() {
		return none, tooLong
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	timer := time.AfterFunc(timeLimit, g.stop)
	go func() {
		var res result
		defer func() {
			timer.Stop()
			if p := recover(); p != nil {
				res = result{err: &UnsupportedError{Reason: "the check failed", Err: fmt.Errorf("%v", p)}}
				if p == errStopped {
					res.err = tooLong
				}
			}
			done <- res
		}()
		res.value, res.err = work()
	}()
	select {
	case res := <-done:
		return res.value, res.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-g.done:
		return none, tooLong
	}
}
