package servers

import (
	"context"
	"io/fs"
	"os"

	"mcpq/internal/filelock"
)

// private is the mode of folders that we make.
const private fs.FileMode = 0o700

// lockFolder keeps others of our kind from changing files of the folder: the file
// itself will not do, because it is replaced. Where folders cannot be locked, as
// on Windows, it does nothing. An error is the end of ctx.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	_ = os.MkdirAll(dir, private) // if it cannot be made, to write says so
	folder, err := os.Open(dir)
	if err != nil {
		return func() {}, nil
	}
	unlock = func() { _ = folder.Close() }
	if err := filelock.Lock(ctx, folder); err != nil && ctx.Err() != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}
