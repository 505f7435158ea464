package completion

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScriptsAreFresh holds the files of completions/ against the scripts.
func TestScriptsAreFresh(t *testing.T) {
	for shell, name := range map[Shell]string{Bash: "mcpq.bash", Zsh: "_mcpq", Fish: "mcpq.fish"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "completions", name))
		if err != nil {
			t.Fatal(err)
		}
		if shell.Script() == "" {
			t.Errorf("%s: no script", shell)
		}
		if diff := cmp.Diff(shell.Script(), string(data)); diff != "" {
			t.Errorf("completions/%s is not what 'mcpq completion %s' prints: %s", name, shell, diff)
		}
	}
}
