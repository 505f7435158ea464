package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/output"
)

// ManCmd prints the manual in troff. It is made from the same grammar and texts
// as --help.
type ManCmd struct {
	Command []string `arg:"" optional:"" help:"The command to print the page of; that of mcpq itself by default."`
	Dir     string   `placeholder:"DIR" help:"Write the pages of mcpq and of all its commands into DIR instead, which is made if it is not there."`
}

// Run prints a page, or writes all.
func (m *ManCmd) Run(r *runner) error {
	k, err := r.wholeParser()
	if err != nil {
		return err
	}
	if m.Dir != "" {
		if len(m.Command) > 0 {
			return usagef("--dir writes the pages of all commands: it goes with none")
		}
		return writeManual(k.Model, m.Dir)
	}
	page := programManual(k.Model)
	if len(m.Command) > 0 {
		node := findNode(k.Model, m.Command)
		if node == nil {
			return noManual(k.Model, m.Command)
		}
		page = commandManual(k.Model, topCommand(node))
	}
	if _, err := fmt.Fprint(r.env.Out, page); err != nil {
		return &output.WriteError{Stream: "stdout", Err: err}
	}
	if r.env.OutTTY {
		r.messages.Hintf("'%s | man -l -' shows it", strings.TrimSpace("mcpq man "+strings.Join(m.Command, " ")))
	}
	return nil
}

func noManual(m *kong.Application, words []string) error {
	err := fmt.Errorf("no manual of %q%s", strings.Join(words, " "), didYouMean(words[0], commandNames(m.Node)))
	hint := "'mcpq man' has the topics, and a page for every command"
	if slices.Contains(topicNames(), words[0]) {
		hint = "topics are in the manual of mcpq itself: 'mcpq man | man -l -'"
	}
	return &UsageError{Err: err, Hint: hint}
}

// topCommand is the command that has a page: commands of a command are on its.
func topCommand(node *kong.Node) *kong.Node {
	for node.Parent != nil && node.Parent.Type != kong.ApplicationNode {
		node = node.Parent
	}
	return node
}

// writeManual writes all pages into a directory.
func writeManual(m *kong.Application, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a manual is for everybody
		return usagef("--dir: %w", err)
	}
	pages := map[string]string{"mcpq.1": programManual(m)}
	for _, c := range m.Children {
		if !c.Hidden {
			pages["mcpq-"+c.Name+".1"] = commandManual(m, c)
		}
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil { //nolint:gosec // likewise
			return usagef("--dir: %w", err)
		}
	}
	return nil
}
