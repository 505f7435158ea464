package completion

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func encoded(l *Line, a *Answer) string {
	return strings.ReplaceAll(strings.TrimSuffix(string(l.Encode(a)), "\n"), "\n", "|")
}

func TestEncode(t *testing.T) {
	items := []Item{{Text: "a:b", Help: "One.\nTwo."}, {Text: "a c"}, {Text: "a=", Open: true}, {Text: "b"}}
	for _, c := range []struct {
		shell            Shell
		before, replaced string
		answer           Answer
		want             string
	}{
		{Bash, "mcpq x a", "a", Answer{Items: items}, `words|a:b |a\ c |a=`},
		{Bash, "mcpq x a:", "", Answer{Items: items}, "words|b "},
		{Bash, `mcpq x "a`, "a", Answer{Items: items}, "words|a:b|a c|a="},
		{Bash, `mcpq x a\ `, `a\ `, Answer{Items: items}, `words|a\ c `},
		{Bash, `mcpq x a\`, `a\`, Answer{Items: items[1:2]}, `words|a\ c `},
		{Zsh, "mcpq x a", "", Answer{Items: items}, `words|final a\:b:One.|final a c|open a=|final b`},
		{Fish, "mcpq x a", "", Answer{Items: items}, "words|a:b\tOne.|a c\t|a=\t|b\t"},
		{Fish, "mcpq x $URL", "", Answer{Items: []Item{{Text: "demo:x"}, {Text: "other"}}}, "words|$URLx\t"},
		{Zsh, "mcpq x k=@f", "", Answer{Files: AnyFile, From: 3}, "files 3"},
		{Zsh, "mcpq x ö=@f", "", Answer{Files: Folders, From: 4}, "dirs 3"},
		{Zsh, "mcpq x 'f", "", Answer{Files: AnyFile}, "files 0"},
		{Bash, "mcpq -- a", "a", Answer{Command: true}, "command"},
		{Fish, "mcpq -- a b", "", Answer{Command: true}, "command a b"},
		{Fish, "mcpq x ", "", Answer{Items: []Item{{Text: "a\x1b"}, {Text: "b\nc"}, {Text: "\xff"}, {Text: ""}, {Text: "d", Help: strings.Repeat("e", 200)}}},
			"words|d\t" + strings.Repeat("e", maxHelp-1) + "…"},
	} {
		l := Read(c.shell, c.before, "", c.replaced, variables)
		if diff := cmp.Diff(c.want, encoded(l, &c.answer)); diff != "" {
			t.Errorf("%s %q: %s", c.shell, c.before, diff)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		open       byte
		text, want string
	}{
		{0, "a b'c", `a\ b\'c`},
		{0, "demo://x?y=1&z", `demo://x\?y=1\&z`},
		{0, "dingö", "dingö"},
		{0, "~;#!", `\~\;\#\!`},
		{'\'', "it's $x", `it'\''s $x`},
		{'"', "say \"$x\" `y` \\", "say \\\"\\$x\\\" \\`y\\` \\\\"},
		{'"', "oh!", `oh"'!'"`},
		{'$', `it's \`, `it\'s \\`},
	} {
		if got := quote(c.text, c.open); got != c.want {
			t.Errorf("%q in %q: got %s, want %s", c.text, c.open, got, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b c.txt", ".hidden", "bad\n", "sub/x"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"HOME": dir}[name] }
	for _, c := range []struct {
		shell Shell
		typed string
		from  int
		kind  Files
		want  string
	}{
		{shell: Bash, typed: "~/", kind: AnyFile, want: `words|~/a.txt |~/b\ c.txt |~/link/|~/sub/`},
		{shell: Bash, typed: "~/", kind: Folders, want: "words|~/link/|~/sub/"},
		{shell: Bash, typed: "~/.", kind: AnyFile, want: "words|~/.hidden "},
		{shell: Bash, typed: "k=@$HOME/b", from: 3, kind: AnyFile, want: `words|k=@$HOME/b\ c.txt `},
		{shell: Fish, typed: "~/sub/", kind: AnyFile, want: "words|~/sub/x\t"},
		{shell: Bash, typed: "~/none/", kind: AnyFile, want: "words"},
		{shell: Bash, typed: "$OTHER/", kind: AnyFile, want: "words"},
	} {
		l := Read(c.shell, "mcpq x "+c.typed, "", c.typed, getenv)
		if diff := cmp.Diff(c.want, encoded(l, &Answer{Files: c.kind, From: c.from})); diff != "" {
			t.Errorf("%s %s: %s", c.shell, c.typed, diff)
		}
	}
}
