//go:build unix

package transport

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The test binary is also the server process of the tests of Command.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		play(role)
		return
	}
	goleak.VerifyTestMain(m)
}
