package credstore

import (
	"context"
	"os"

	"mcpq/internal/filelock"
)

// lock takes the lock of a file, which is made for it and stays. Another
// process may hold it for as long as an exchange with a server takes.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	const private = 0o600
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, private)
	if err != nil {
		return nil, &Error{"lock", err}
	}
	if err := filelock.Lock(ctx, f); err != nil {
		_ = f.Close()
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &Error{"lock", err}
	}
	return func() { _ = f.Close() }, nil
}
