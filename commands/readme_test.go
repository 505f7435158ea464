package commands

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"mcpq/internal/demo"
)

// readme is the README, and readmeBlocks are what stands between fences in it.
func readme(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

type readmeBlock struct{ language, text string }

func readmeBlocks(page string) []readmeBlock {
	var blocks []readmeBlock
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, readmeBlock{m[1], m[2]})
	}
	return blocks
}

// readmeNotTried are parts of lines that a test cannot run, and why.
func readmeNotTried() map[string]string {
	return map[string]string{
		"go test ":      "it is what runs this",
		"npx -y":        "it needs the network; the pages in testdata/npm do the same",
		"auth login":    "a login needs an authorization server and a person",
		"<(mcpq ":       "it is for bash and zsh; TestCompletionInShells does it",
		"fish | source": "it is for fish; TestCompletionInShells does it",
	}
}

// TestReadme runs the README from top to bottom, as somebody does who pastes
// its blocks into a shell, one after the other. A server on the web is the demo
// server; a block of YAML is saved under the name in its first line; one of JSON
// that stands right behind a block of commands and the words "prints" is what the
// last of them prints.
func TestReadme(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the README is for sh")
	}
	server := httptest.NewServer(demo.New(demo.Options{}).Handler())
	t.Cleanup(server.Close)
	page := readme(t)
	home := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", page)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	ran, printed := 0, ""
	for _, b := range readmeBlocks(page) {
		switch b.language {
		case "yaml":
			name, ok := strings.CutPrefix(strings.SplitN(b.text, "\n", 2)[0], "# ")
			if !ok {
				t.Errorf("the first line does not name the file: %s", b.text)
			}
			write(name, b.text)
		case "json":
			if strings.Contains(page, "prints\n\n```json\n"+b.text) {
				if !strings.HasSuffix("\n"+printed, "\n"+b.text) {
					t.Errorf("got %q, want %q at its end", printed, b.text)
				}
			}
		case "sh":
			script, dir := "set -e\n", home
			for line := range strings.Lines(b.text) {
				if why := readmeSkips(line, used); why != "" {
					t.Logf("not tried, because %s: %s", why, line)
					continue
				}
				if strings.Contains(line, "go tool ") || strings.Contains(line, "go run ") || strings.Contains(line, "go install") {
					dir = root
				}
				script += strings.ReplaceAll(line, "https://example.com/mcp", server.URL+"/mcp")
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=",
				"GOBIN="+filepath.Join(home, "bin"), "MCPQ_SERVER=", "MCPQ_NO_KEYRING=1", "TOKEN=t", "URL="+server.URL+"/mcp")
			cmd.Env = append(cmd.Env, goFolders(t)...)
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Errorf("%v\n%s%s", err, script, stderr.String())
			}
			ran, printed = ran+1, stdout.String()
		}
	}
	if ran < 10 {
		t.Errorf("only %d blocks were run", ran)
	}
	for part := range readmeNotTried() {
		if !used[part] {
			t.Errorf("no line has %q any more", part)
		}
	}
}

// readmeSkips says why a line cannot be run, and notes what it goes by.
func readmeSkips(line string, used map[string]bool) string {
	for part, why := range readmeNotTried() {
		if strings.Contains(line, part) {
			used[part] = true
			return why
		}
	}
	return ""
}

// goFolders are where go keeps what it has built and downloaded; without them
// it would begin anew in an empty home.
func goFolders(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH"}
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, name := range names {
		values[i] = name + "=" + values[i]
	}
	return values
}

// TestReadmeNames holds the commands, flags and topics that the README names
// against the grammar.
func TestReadmeNames(t *testing.T) {
	page := readme(t)
	m := model(t)
	listed, _, _ := strings.Cut(page[strings.Index(page, "\n## Commands\n")+1:], "\n## Arguments\n")
	for _, c := range table() {
		for _, name := range append(strings.Split(c.aliases, ","), c.name) {
			if !regexp.MustCompile("`" + name + "\\b").MatchString(listed) {
				t.Errorf("the README does not list the command %s", name)
			}
		}
	}
	flags := make(map[string]bool)
	_ = kong.Visit(m, func(v kong.Visitable, next kong.Next) error {
		if f, ok := v.(*kong.Flag); ok {
			flags[f.Name] = true
		}
		return next(nil)
	})
	for _, f := range regexp.MustCompile("[ `(]--([a-z][a-z-]+)").FindAllStringSubmatch(page, -1) {
		if !flags[f[1]] {
			t.Errorf("there is no flag --%s", f[1])
		}
	}
	for _, w := range regexp.MustCompile("mcpq help ([a-z-]+)").FindAllStringSubmatch(page, -1) {
		if words := w[1:]; findTopic(words) == nil && findNode(m, words) == nil {
			t.Errorf("there is no %q", w[0])
		}
	}
}

// TestReadmeExitCodes holds the README's table of exit codes against that of
// 'mcpq help exit-codes': the words are the same.
func TestReadmeExitCodes(t *testing.T) {
	var want []string
	row := regexp.MustCompile(`^  (\d+)( \w+)? +(\S.*)`)
	for line := range strings.Lines(exitTable) {
		if m := row.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			kind := strings.TrimSpace(m[2])
			if kind == "" {
				kind = "–"
			}
			want = append(want, m[1]+" | "+kind+" | "+m[3])
			continue
		}
		want[len(want)-1] += " " + strings.TrimSpace(line)
	}
	page := strings.ReplaceAll(readme(t), "`", "")
	for _, w := range want {
		if !strings.Contains(page, "\n| "+w+" |\n") {
			t.Errorf("the README has no row %q", w)
		}
	}
	if got := len(regexp.MustCompile(`(?m)^\| [0-9]+ \|`).FindAllString(page, -1)); got != len(want) {
		t.Errorf("%d rows, want %d", got, len(want))
	}
}
