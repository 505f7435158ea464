package mcp

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		name string
		d    time.Duration
		do   func(l *limit)
		want time.Duration // at which it runs out; 0 for never
	}{
		{"alone", 5 * time.Second, func(*limit) {}, 5 * time.Second},
		{"none", 0, func(l *limit) { l.extend(); l.hold(); l.release() }, 0},
		{"extended", 5 * time.Second, func(l *limit) { time.Sleep(4 * time.Second); l.extend() }, 9 * time.Second},
		{"held", 5 * time.Second, func(l *limit) { time.Sleep(4 * time.Second); l.hold(); time.Sleep(time.Minute); l.release() }, 69 * time.Second},
		{"held twice", 5 * time.Second, func(l *limit) { l.hold(); l.hold(); l.release(); time.Sleep(time.Minute); l.release() }, 65 * time.Second},
		{"extended while held", 5 * time.Second, func(l *limit) { l.hold(); l.extend(); time.Sleep(time.Minute) }, 0},
		{"extended too late", 5 * time.Second, func(l *limit) { time.Sleep(6 * time.Second); l.extend(); l.hold(); l.release() }, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ctx, l := newLimit(context.Background(), c.d, "timeout", "one")
				defer l.stop()
				var ended time.Duration
				defer context.AfterFunc(ctx, func() { ended = time.Since(began) })()
				l.step("another")
				c.do(l)
				time.Sleep(time.Hour)
				synctest.Wait()
				if ended != c.want {
					t.Errorf("ran out after %v, want %v", ended, c.want)
				}
				var timeout *TimeoutError
				if c.want != 0 && (!errors.As(context.Cause(ctx), &timeout) || timeout.Doing != "another" || timeout.After != c.d) {
					t.Errorf("cause is %v", context.Cause(ctx))
				}
			})
		})
	}
}

// The caller's own time is the absolute limit, whatever progress there is.
func TestLimitOfTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mine := errors.New("max-time")
		outer, cancel := context.WithTimeoutCause(context.Background(), 7*time.Second, mine)
		defer cancel()
		ctx, l := newLimit(outer, 5*time.Second, "timeout", "work")
		defer l.stop()
		for range 3 {
			time.Sleep(4 * time.Second)
			l.extend()
		}
		if context.Cause(ctx) != mine {
			t.Errorf("cause is %v", context.Cause(ctx))
		}
	})
}

// A request may have a limit of its own, or none.
func TestPatience(t *testing.T) {
	c := &Client{options: Options{Timeout: 5 * time.Second}}
	for _, timeout := range []time.Duration{time.Minute, -1} {
		if got := c.patience(&Request{Timeout: timeout}); got != timeout {
			t.Errorf("timeout %v: %v", timeout, got)
		}
	}
	if got := c.patience(&Request{}); got != 5*time.Second {
		t.Errorf("no timeout: %v", got)
	}
}
