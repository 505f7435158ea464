// Package completion is the shells' side of completion: it reads the line that
// is being typed as bash, zsh and fish spell it, writes the answer in the form
// that each of them wants, and holds the scripts that have them ask. What may
// stand where on the line it does not know.
//
// A script asks with the text before the cursor and the text behind it:
//
//	mcpq __complete SHELL BEFORE AFTER [REPLACED]
//
// The answer is lines. The first one says what else is possible here: words
// (nothing else), files, dirs, or command (the word belongs to the command
// behind --). The others are one candidate each.
package completion

import (
	_ "embed"
	"slices"
)

// Shell is one that completion works in.
type Shell string

// The shells.
const (
	Bash Shell = "bash"
	Zsh  Shell = "zsh"
	Fish Shell = "fish"
)

// Shells are all of them.
func Shells() []Shell { return []Shell{Bash, Zsh, Fish} }

// Known reports whether s is one of them.
func (s Shell) Known() bool { return slices.Contains(Shells(), s) }

// Script is what turns completion on in the shell.
func (s Shell) Script() string {
	switch s {
	case Bash:
		return bashScript
	case Zsh:
		return zshScript
	case Fish:
		return fishScript
	}
	return ""
}

//go:embed mcpq.bash
var bashScript string

//go:embed mcpq.zsh
var zshScript string

//go:embed mcpq.fish
var fishScript string
