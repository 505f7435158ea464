package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counting gives the numbers below n.
func counting(n int) func() (int, error) {
	var next atomic.Int64
	return func() (int, error) {
		if i := int(next.Add(1)) - 1; i < n {
			return i, nil
		}
		return 0, io.EOF
	}
}

// upTo gives the numbers below n.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// of is a Pipeline of numbers; what it emits is appended to got.
func of(width, inputs int, got *[]int) *Pipeline[int, int] {
	p := New[int, int]()
	p.Width = width
	p.Next = counting(inputs)
	p.Work = func(_ context.Context, i int) int { return i }
	p.Emit = func(i int) error {
		*got = append(*got, i)
		return nil
	}
	p.Size = func(int) int { return 1 }
	return p
}

// The order is that of the inputs, however long each takes.
func TestPipelineOrder(t *testing.T) {
	for _, width := range []int{1, 2, 7, 100} {
		synctest.Test(t, func(t *testing.T) {
			const inputs = 500
			var got []int
			p := of(width, inputs, &got)
			p.Work = func(_ context.Context, i int) int {
				time.Sleep(time.Duration(i*7919%13) * time.Millisecond)
				return i
			}
			if err := p.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(upTo(inputs), got); diff != "" {
				t.Errorf("width %d (-want +got):\n%s", width, diff)
			}
		})
	}
}

func TestPipelineAsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		p := of(3, 3, &got)
		p.AsReady = true
		p.Work = func(_ context.Context, i int) int {
			time.Sleep(time.Duration(3-i) * time.Second)
			return i
		}
		if err := p.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{2, 1, 0}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// At most Width are worked on at once.
func TestPipelineWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const width = 5
		var now, most atomic.Int64
		var got []int
		p := of(width, 200, &got)
		p.Work = func(_ context.Context, i int) int {
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(time.Second)
			now.Add(-1)
			return i
		}
		began := time.Now()
		if err := p.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if most.Load() != width || time.Since(began) != 200/width*time.Second {
			t.Errorf("%d at once, %s in all", most.Load(), time.Since(began))
		}
	})
}

// One slow input holds up what comes behind it, and only so much of it is read;
// the same is true when it is the outputs that are not taken.
func TestPipelineBackPressure(t *testing.T) {
	const width = 4
	for _, c := range []struct {
		name   string
		size   int
		slow   bool // the first input; else the first output
		within [2]int
	}{
		{"a slow input", 1, true, [2]int{leastWindow, leastWindow + 1}},
		{"a slow input before large outputs", mostWaiting / 2, true, [2]int{3, 3 + 3*width}},
		{"a slow reader", 1, false, [2]int{1, leastWindow + 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var reads atomic.Int64
				var got []int
				p := of(width, 1000, &got)
				next := p.Next
				p.Next = func() (int, error) {
					reads.Add(1)
					return next()
				}
				p.Size = func(int) int { return c.size }
				wait := func(i int) {
					if i == 0 {
						<-release
					}
				}
				if c.slow {
					p.Work = func(_ context.Context, i int) int {
						wait(i)
						return i
					}
				} else {
					emit := p.Emit
					p.Emit = func(i int) error {
						wait(i)
						return emit(i)
					}
				}
				over := make(chan error)
				go func() { over <- p.Run(context.Background()) }()
				synctest.Wait()
				if n := int(reads.Load()); n < c.within[0] || n > c.within[1] {
					t.Errorf("%d inputs were read, want %d to %d", n, c.within[0], c.within[1])
				}
				close(release)
				if err := <-over; err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(upTo(1000), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// What comes is worked on and handed on at once: nothing waits for the next
// input.
func TestPipelineStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := make(chan int), make(chan int)
		p := New[int, int]()
		p.Width = 8
		p.Next = func() (int, error) {
			i, ok := <-in
			if !ok {
				return 0, io.EOF
			}
			return i, nil
		}
		p.Work = func(_ context.Context, i int) int { return i }
		p.Emit = func(i int) error {
			out <- i
			return nil
		}
		p.Size = func(int) int { return 1 }
		over := make(chan error)
		go func() { over <- p.Run(context.Background()) }()
		for i := range 10 {
			in <- i
			if got := <-out; got != i {
				t.Fatalf("%d came for %d", got, i)
			}
		}
		close(in)
		if err := <-over; err != nil {
			t.Fatal(err)
		}
	})
}

// After Stop nothing is begun; what has begun comes out, in order.
func TestPipelineStop(t *testing.T) {
	for _, width := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var begun, got []int
			p := of(width, 1000, &got)
			p.Work = func(_ context.Context, i int) int {
				mu.Lock()
				begun = append(begun, i)
				mu.Unlock()
				time.Sleep(time.Duration(1000-i) * time.Millisecond)
				if i == 20 {
					p.Stop()
				}
				return i
			}
			if err := p.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			slices.Sort(begun)
			if diff := cmp.Diff(begun, got); diff != "" {
				t.Errorf("(-begun +got):\n%s", diff)
			}
			// Each of the others may have begun one more before it came to that.
			if n := len(begun); n < 21 || n > 21+2*(width-1) {
				t.Errorf("width %d: %d were begun", width, n)
			}
		})
	}
}

// Stop does not wait for an input that may never come; if one comes after all,
// that or its failure is let go, and the reading ends.
func TestPipelineStopWhileReading(t *testing.T) {
	for _, late := range []error{nil, io.EOF, errors.New("broken")} {
		synctest.Test(t, func(t *testing.T) {
			var got []int
			p := of(2, 0, &got)
			never := make(chan struct{})
			var reads atomic.Int64
			p.Next = func() (int, error) {
				if reads.Add(1) == 1 {
					return 0, nil
				}
				<-never
				return 0, late
			}
			p.Emit = func(int) error {
				p.Stop()
				return nil
			}
			if err := p.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			close(never)
			synctest.Wait()
			if n := reads.Load(); n != 2 {
				t.Errorf("%v: %d reads", late, n)
			}
		})
	}
}

func TestPipelineEnds(t *testing.T) {
	broken := errors.New("broken")
	t.Run("inputs fail", func(t *testing.T) {
		var got []int
		p := of(3, 10, &got)
		next := p.Next
		p.Next = func() (int, error) {
			i, err := next()
			if err == io.EOF {
				err = broken
			}
			return i, err
		}
		if err := p.Run(context.Background()); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(upTo(10), got); diff != "" {
			t.Errorf("before it (-want +got):\n%s", diff)
		}
	})
	t.Run("outputs fail", func(t *testing.T) {
		var got []int
		p := of(3, 1_000_000, &got)
		emit := p.Emit
		p.Emit = func(i int) error {
			if i == 5 {
				return fmt.Errorf("output: %w", broken)
			}
			return emit(i)
		}
		if err := p.Run(context.Background()); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(upTo(5), got); diff != "" {
			t.Errorf("before it (-want +got):\n%s", diff)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			var got []int
			p := of(3, 1_000_000, &got)
			p.Work = func(ctx context.Context, i int) int {
				if i >= 3 {
					<-ctx.Done()
				}
				return i
			}
			over := make(chan error)
			go func() { over <- p.Run(ctx) }()
			synctest.Wait()
			cancel(broken)
			if err := <-over; !errors.Is(err, broken) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(upTo(3), got); diff != "" {
				t.Errorf("before it (-want +got):\n%s", diff)
			}
		})
	})
}
