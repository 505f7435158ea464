package commands

import (
	"fmt"
)

// VersionCmd prints the version of the program.
type VersionCmd struct{}

// Run prints it.
func (VersionCmd) Run(r *runner) error {
	_, err := fmt.Fprintln(r.env.Out, "mcpq", r.env.Version)
	return err
}
