package commands

import (
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"mcpq/commands/prose"
	"mcpq/internal/demo"
)

// model is the whole grammar.
func model(t *testing.T) *kong.Application {
	t.Helper()
	k, err := (&runner{env: System()}).wholeParser()
	if err != nil {
		t.Fatal(err)
	}
	return k.Model
}

// notTried are the examples that cannot be run by a test, and why.
func notTried(line string) string {
	for part, why := range map[string]string{
		`"$SKILLS"`:     "the demo server has no skills",
		"auth login":    "a login needs an authorization server and a person",
		"auth token":    "there is no token without a login",
		"| man -l -":    "there may be no man",
		"demo --http":   "it serves until it is stopped",
		"unix:demo":     "the clients of what runs in the background have to wait for it",
		"source <(":     "it is for bash and zsh, not for any sh",
		"| source":      "it is for fish",
		"Authorization": "it sends a token",
	} {
		if strings.Contains(line, part) {
			return why
		}
	}
	return ""
}

// TestExamples runs all examples of the help of each command, one after the
// other, as somebody does who pastes them into a shell.
func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are for sh")
	}
	server := httptest.NewServer(demo.New(demo.Options{}).Handler())
	t.Cleanup(server.Close)
	run := func(t *testing.T, lines []string) {
		dir := t.TempDir()
		script := "set -e\n"
		for _, l := range lines {
			if why := notTried(l); why != "" {
				t.Logf("not tried, because %s: %s", why, l)
				continue
			}
			script += l + "\n"
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-x", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "URL="+server.URL+"/mcp", "HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_STATE_HOME="+dir,
			"MCPQ_SERVER=", "XDG_CONFIG_HOME="+dir, "MCPQ_NO_KEYRING=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	for _, c := range table() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run(t, about(c.name).examples)
		})
	}
	t.Run("mcpq", func(t *testing.T) { run(t, programExamples()) })
}

// TestCommandTexts makes sure that each command is told of, in as many columns
// as the help and the manual have.
func TestCommandTexts(t *testing.T) {
	const widest = 73
	for _, c := range table() {
		text := about(c.name)
		if text.group == groupOther {
			t.Errorf("%s is in no group: add it to commands/help_commands.go", c.name)
		}
		_, hasHelp := c.make().(kong.HelpProvider)
		if c.name != "version" && (text.long == "" && !hasHelp || len(text.examples) < 2) {
			t.Errorf("%s has no description or less than two examples: add them to commands/help_commands.go", c.name)
		}
		for _, e := range text.examples {
			if !strings.Contains(e, "mcpq ") && !strings.HasPrefix(e, "echo ") || utf8.RuneCountInString(e) > widest {
				t.Errorf("%s: bad example, or longer than %d: %s", c.name, widest, e)
			}
		}
		if !slices.Contains(commandGroups(), text.group) {
			t.Errorf("%s: group %q is not listed", c.name, text.group)
		}
	}
	for _, name := range dailyFlags() {
		if !slices.ContainsFunc(model(t).Flags, func(f *kong.Flag) bool { return f.Name == name }) {
			t.Errorf("there is no flag --%s any more", name)
		}
	}
}

// TestHelpReadsWell holds the texts of commands and flags against how they are
// written: a sentence, that begins with a capital and ends with a full stop.
func TestHelpReadsWell(t *testing.T) {
	good := regexp.MustCompile(`^[A-Z@].*[.)]$`)
	check := func(name, help string) {
		if !good.MatchString(help) || strings.Contains(help, "${") {
			t.Errorf("%s: %q", name, help)
		}
	}
	groups := flagGroups(model(t))
	keys := map[string]bool{"": true}
	for _, g := range groups {
		keys[g.key] = true
	}
	_ = kong.Visit(model(t), func(v kong.Visitable, next kong.Next) error {
		switch v := v.(type) {
		case *kong.Node:
			if v.Parent != nil {
				check(nodePath(v), v.Help)
			}
		case *kong.Flag:
			check("--"+v.Name, v.Help)
			if v.Group != nil && !keys[v.Group.Key] {
				t.Errorf("--%s: there is no group %q", v.Name, v.Group.Key)
			}
			if !v.IsBool() && !v.IsCounter() && v.PlaceHolder == "" {
				t.Errorf("--%s has no placeholder", v.Name)
			}
		case *kong.Value:
			if v.Flag == nil {
				check(v.Name, v.Help)
			}
		}
		return next(nil)
	})
}

// TestPagesFit lays every page out in several widths: no line is longer, but for
// examples and words that cannot be broken.
func TestPagesFit(t *testing.T) {
	m := model(t)
	for _, width := range []int{60, 80, 100} {
		pages := map[string]func(*helpPage){
			"mcpq":      func(p *helpPage) { p.program(m) },
			"mcpq help": func(p *helpPage) { p.overview(m) },
			"flags":     func(p *helpPage) { p.sharedFlags(m) },
		}
		for _, c := range m.Children {
			pages[c.Name] = func(p *helpPage) { p.command(m, c) }
		}
		for _, tp := range topics() {
			pages["topic "+tp.name] = func(p *helpPage) { p.b.WriteString(prose.Terminal(tp.text, p.width)) }
		}
		for name, write := range pages {
			p := &helpPage{width: width}
			write(p)
			for line := range strings.Lines(p.b.String()) {
				line = strings.TrimRight(line, "\n")
				words := strings.Fields(line)
				if utf8.RuneCountInString(line) > width && len(words) > 1 && width >= 80 && !strings.Contains(line, "mcpq ") && !strings.HasPrefix(line, "    ") {
					t.Errorf("%s is wider than %d: %s", name, width, line)
				}
				if strings.TrimRight(line, " ") != line && width == 80 {
					t.Errorf("%s has spaces at the end of %q", name, line)
				}
			}
		}
	}
}

// TestTopicsAreKnown makes sure that what help refers to is there.
func TestTopicsAreKnown(t *testing.T) {
	m := model(t)
	var all strings.Builder
	p := &helpPage{width: 1000}
	p.program(m)
	p.sharedFlags(m)
	for _, c := range m.Children {
		p.command(m, c)
	}
	all.WriteString(strings.ReplaceAll(p.b.String(), "\n", " "))
	for _, tp := range topics() {
		all.WriteString(tp.text)
	}
	found := regexp.MustCompile(`'mcpq help ([a-z-]+)'`).FindAllStringSubmatch(all.String(), -1)
	if len(found) < 5 {
		t.Fatalf("only %d references", len(found))
	}
	for _, f := range found {
		if words := []string{f[1]}; findTopic(words) == nil && findNode(m, words) == nil {
			t.Errorf("there is no %q", f[0])
		}
	}
}

// TestEnvironmentIsTold looks for our environment variables in the program.
func TestEnvironmentIsTold(t *testing.T) {
	name := regexp.MustCompile(`"(MCPQ_[A-Z_]+|VISUAL|EDITOR|BROWSER|NO_COLOR|CLICOLOR[A-Z_]*|COLUMNS)"`)
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "scripts") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "mcptest") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range name.FindAllSubmatch(source, -1) {
			seen++
			if !strings.Contains(environmentTopic, string(m[1])) {
				t.Errorf("%s uses %s, of which 'mcpq help environment' does not tell", path, m[1])
			}
		}
		return err
	})
	if err != nil || seen < 5 {
		t.Errorf("%d variables found, %v", seen, err)
	}
}
