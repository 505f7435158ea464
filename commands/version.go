package commands

import (
	"context"
	"fmt"
)

// VersionCmd prints the version of the program.
type VersionCmd struct{}

// Run prints it.
func (VersionCmd) Run(_ context.Context, r *runner) error {
	_, err := fmt.Fprintln(r.env.Out, "mcpq", r.env.Version)
	return err
}
