package schema

import "context"

// Bounds on what is read. They are far above what real servers send, and low
// enough that no schema within them can exhaust time, memory or stack.
const (
	maxSchemaBytes  = 4 << 20
	maxSchemaValues = 100_000
	maxSchemaDepth  = 256

	maxInstanceBytes  = 64 << 20
	maxInstanceValues = 4_000_000
	maxInstanceDepth  = 512

	// maxExponent and maxDigits bound numbers, which multipleOf writes out in
	// full: 1e999999999 would be a gigabyte.
	maxExponent = 9_999
	maxDigits   = 10_000

	// baseSteps is the work allowed for any validation, a few tenths of a
	// second; each byte of the value adds one step. What a real schema needs is
	// a few steps for each value; only one built to take for ever runs out.
	baseSteps = 2_000_000

	// textPerStep is how many bytes of text are one step to look at.
	textPerStep = 64

	// maxNested bounds the schemas that are within one another while a value is
	// checked: a stack overflow could not be recovered from.
	maxNested = 20_000

	// stepsBetween is how often a context is looked at.
	stepsBetween = 2_048
)

// budget counts work, so that it ends. Once it has failed it stays so, which
// lets the work unwind without an error in every result.
type budget struct {
	done <-chan struct{} // of the caller's context
	left int
	next int // what left will be when done is looked at again
	err  error
}

// stopped stands for the cause of the context, which the caller knows.
type stopped struct{}

func (stopped) Error() string { return "stopped" }

func newBudget(ctx context.Context, steps int) budget {
	return budget{done: ctx.Done(), left: steps, next: steps}
}

// spend takes n steps. It is false when the work has to end.
func (b *budget) spend(n int) bool {
	b.left -= n
	return b.left > b.next || b.look()
}

func (b *budget) look() bool {
	if b.err != nil {
		return false
	}
	b.next = max(b.left-stepsBetween, 0)
	if b.left <= 0 {
		return b.stop(&UnsupportedError{Reason: "it takes too long"})
	}
	select {
	case <-b.done:
		return b.stop(stopped{})
	default:
		return true
	}
}

// stop ends the work for a reason; the first one counts.
func (b *budget) stop(err error) bool {
	if b.err == nil {
		b.err = err
	}
	b.next = b.left + 1<<30 // every later step looks, and finds the error
	return false
}

// failure gives what ended the work, if anything did.
func (b *budget) failure(ctx context.Context) error {
	if _, ok := b.err.(stopped); ok {
		return context.Cause(ctx)
	}
	return b.err
}
