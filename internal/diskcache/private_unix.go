//go:build unix

package diskcache

import (
	"fmt"
	"os"
)

// private reports whether only the user can put anything into dir. A directory
// of the user that is open to others is closed; nobody else's can be.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return os.Chmod(dir, 0o700)
}
