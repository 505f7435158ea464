//go:build solaris || illumos || aix || (!unix && !windows)

package filelock

import "os"

// Where files have no locks nobody is kept out.
func try(*os.File) (bool, error) { return true, nil }
