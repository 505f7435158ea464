package commands

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryCommandHasAPage holds the table of commands against the pages: the
// one of a command's own name reads as its documentation.
func TestEveryCommandHasAPage(t *testing.T) {
	for _, c := range table() {
		page := filepath.Join("testdata", "script", c.name, c.name+".txtar")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Errorf("%s has no page: %v", c.name, err)
			continue
		}
		if problem := pageProblem(c.name, string(text)); problem != "" {
			t.Errorf("%s: %s", page, problem)
		}
	}
}

// pageProblem tells what a page lacks that is to document a command: what a user
// wants, and then the command at work.
func pageProblem(command, page string) string {
	script, _, _ := strings.Cut(page, "\n-- ")
	said := false
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		said = said || strings.HasPrefix(line, "# ")
		if i := slices.Index(words, "mcpq"); i > 0 && slices.Contains(words[i:], command) {
			if !said {
				return "it does not begin with what a user wants"
			}
			return ""
		}
	}
	return "it does not show the command"
}

func TestPageProblem(t *testing.T) {
	for page, want := range map[string]string{
		"[!unix] skip\n# Ask.\nexec mcpq -v ask x\n": "",
		"# Ask.\nexec mcpq x\nexits 2 mcpq ask\n":    "",
		"exec mcpq ask x\n# Ask.\nexec mcpq ask\n":   "it does not begin with what a user wants",
		"# Ask.\nexec mcpq other\n":                  "it does not show the command",
		"# Ask.\n-- f --\nexec mcpq ask\n":           "it does not show the command",
	} {
		if got := pageProblem("ask", page); got != want {
			t.Errorf("%q: got %q, want %q", page, got, want)
		}
	}
}
