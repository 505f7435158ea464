// Package filelock takes locks that keep other processes out which take them,
// too. The system gives a lock back when its process ends, however that happens.
package filelock

import (
	"context"
	"os"
	"time"
)

// Lock takes the lock of a file, and waits for it as long as somebody else has
// it. To close the file gives it back. When ctx ends first its cause is returned.
func Lock(ctx context.Context, f *os.File) error {
	const step = 20 * time.Millisecond // systems tell nobody that a lock is free
	for {
		taken, err := try(f)
		if taken || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(step):
		}
	}
}
