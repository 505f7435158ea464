package commands

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/surface.golden and docs/man")

// TestSurface holds all commands, arguments and flags against a file, so that
// a change of what users type shows in review.
func TestSurface(t *testing.T) {
	const golden = "testdata/surface.golden"
	var b strings.Builder
	b.WriteString("# All that can be typed; 'go test ./commands -run TestSurface -update' rewrites it.\n")
	writeSurface(&b, model(t).Node)
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the surface changed; if that is meant: go test ./commands -run TestSurface -update\n%s", diff)
	}
}

func writeSurface(b *strings.Builder, node *kong.Node) {
	name := "mcpq"
	if node.Type != kong.ApplicationNode {
		name += " " + nodePath(node)
	}
	if len(node.Aliases) > 0 {
		name += " | " + strings.Join(node.Aliases, " | ")
	}
	if node.Hidden {
		name += " (hidden)"
	}
	b.WriteString("\n" + name + "\n")
	for _, v := range node.Positional {
		b.WriteString("  " + positional(v) + describeValue(v) + "\n")
	}
	for _, f := range node.Flags {
		line := "  " + flagForm(f) + describeValue(f.Value)
		if f.Required {
			line += "; required"
		}
		if f.Hidden {
			line += "; hidden"
		}
		if len(f.Xor) > 0 {
			line += "; one of " + strings.Join(f.Xor, ",")
		}
		if len(f.Envs) > 0 {
			line += "; env " + strings.Join(f.Envs, ",")
		}
		b.WriteString(line + "\n")
	}
	for _, c := range node.Children {
		writeSurface(b, c)
	}
}

func describeValue(v *kong.Value) string {
	s := ": " + v.Target.Type().String()
	if v.HasDefault {
		s += fmt.Sprintf("; default %q", v.Default)
	}
	if v.Enum != "" {
		s += "; enum " + v.Enum
	}
	return s
}

// TestManualIsFresh holds docs/man against the grammar.
func TestManualIsFresh(t *testing.T) {
	const kept = "../docs/man"
	made := t.TempDir()
	if err := writeManual(model(t), made); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.RemoveAll(kept); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(kept, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readPages(t, kept), readPages(t, made)); diff != "" {
		t.Errorf("docs/man is stale: run scripts/generate\n%s", diff)
	}
}

// TestManualIsClean lets those who read manuals complain of the pages.
func TestManualIsClean(t *testing.T) {
	dir := t.TempDir()
	if err := writeManual(model(t), dir); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err, len(pages))
	}
	for _, reader := range [][]string{{"groff", "-man", "-Tutf8", "-ww", "-z"}, {"mandoc", "-Tlint", "-Wwarning"}} {
		t.Run(reader[0], func(t *testing.T) {
			if _, err := exec.LookPath(reader[0]); err != nil {
				t.Skip(err)
			}
			cmd := exec.CommandContext(t.Context(), reader[0], append(reader[1:], pages...)...)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func readPages(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		pages[e.Name()] = strings.ReplaceAll(string(data), "\r\n", "\n")
	}
	return pages
}
