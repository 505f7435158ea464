package credstore

import (
	"context"
	"os"
	"time"
)

// lock takes the lock of a file, which is made for it and stays. Another
// process may hold it for as long as an exchange with a server takes. The
// system gives a lock back when its process ends, however that happens.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	const private = 0o600
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, private)
	if err != nil {
		return nil, &Error{"lock", err}
	}
	const step = 20 * time.Millisecond // systems tell nobody that a lock is free
	for {
		taken, err := tryLock(f)
		if taken {
			return func() { _ = f.Close() }, nil
		}
		if err != nil {
			_ = f.Close()
			return nil, &Error{"lock", err}
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, context.Cause(ctx)
		case <-time.After(step):
		}
	}
}
