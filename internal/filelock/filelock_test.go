package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// One has the lock, the others wait until its file is closed or their time is over.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	first, second := open(), open()
	if err := Lock(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	over := errors.New("over")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(over)
	if err := Lock(ctx, second); !errors.Is(err, over) {
		t.Errorf("a lock that is taken: %v", err)
	}
	taken := make(chan error, 1)
	go func() { taken <- Lock(t.Context(), second) }()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-taken; err != nil {
		t.Errorf("a lock that was given back: %v", err)
	}
}
