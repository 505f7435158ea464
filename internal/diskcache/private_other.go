//go:build !unix

package diskcache

import (
	"fmt"
	"os"
)

// private reports whether dir is one. The user's cache directory is closed to
// others by what it inherits.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	return nil
}
