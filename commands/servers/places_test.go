package servers

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFiles(t *testing.T) {
	env := map[string]string{}
	p := Places{Dir: "/home/u/src/p", Home: "/home/u", GOOS: "linux", Getenv: func(name string) string { return env[name] }, Config: "my.toml"}
	list := func(p Places) string {
		var b strings.Builder
		for _, f := range p.Files() {
			b.WriteString(strings.Join([]string{f.Path, f.Client, string(f.Scope), f.Folder}, " ") + "\n")
		}
		return b.String()
	}
	const linux = `/home/u/src/p/my.toml codex config /home/u/src/p
/home/u/src/p/.mcp.json claude-code project /home/u/src/p
/home/u/src/p/.vscode/mcp.json vscode project /home/u/src/p
/home/u/src/p/.cursor/mcp.json cursor project /home/u/src/p
/home/u/src/.mcp.json claude-code project /home/u/src
/home/u/src/.vscode/mcp.json vscode project /home/u/src
/home/u/src/.cursor/mcp.json cursor project /home/u/src
/home/u/.mcp.json claude-code project /home/u
/home/u/.vscode/mcp.json vscode project /home/u
/home/u/.config/mcpq/config.json mcpq user /home/u/src/p
/home/u/.claude.json claude-code user /home/u/src/p
/home/u/.config/Claude/claude_desktop_config.json claude-desktop user /home/u/src/p
/home/u/.cursor/mcp.json cursor user /home/u/src/p
/home/u/.config/Code/User/mcp.json vscode user /home/u/src/p
/home/u/.codeium/windsurf/mcp_config.json windsurf user /home/u/src/p
/home/u/.codex/config.toml codex user /home/u/src/p
/home/u/.gemini/settings.json gemini user /home/u/src/p
`
	if diff := cmp.Diff(linux, list(p)); diff != "" {
		t.Error(diff)
	}
	p.GOOS, p.Dir, p.Config = "darwin", "/x", "/y/.vscode/mcp.json"
	env["XDG_CONFIG_HOME"], env["CLAUDE_CONFIG_DIR"], env["CODEX_HOME"] = "/c", "/claude", "/codex"
	const darwin = `/y/.vscode/mcp.json vscode config /y
/x/.mcp.json claude-code project /x
/x/.vscode/mcp.json vscode project /x
/x/.cursor/mcp.json cursor project /x
/.mcp.json claude-code project /
/.vscode/mcp.json vscode project /
/.cursor/mcp.json cursor project /
/c/mcpq/config.json mcpq user /x
/claude/.claude.json claude-code user /x
/home/u/Library/Application Support/Claude/claude_desktop_config.json claude-desktop user /x
/home/u/.cursor/mcp.json cursor user /x
/home/u/Library/Application Support/Code/User/mcp.json vscode user /x
/home/u/.codeium/windsurf/mcp_config.json windsurf user /x
/codex/config.toml codex user /x
/home/u/.gemini/settings.json gemini user /x
`
	if diff := cmp.Diff(darwin, list(p)); diff != "" {
		t.Error(diff)
	}
	delete(env, "XDG_CONFIG_HOME")
	env["APPDATA"] = "/roaming"
	p.GOOS = "windows"
	for _, want := range []string{"/roaming/mcpq/config.json", "/roaming/Claude/claude_desktop_config.json", "/roaming/Code/User/mcp.json"} {
		if !strings.Contains(list(p), want+" ") {
			t.Errorf("no %s in\n%s", want, list(p))
		}
	}
	// Without a home directory there are no files of the user.
	lost := Places{Dir: "/x", Home: ".", GOOS: "linux", Getenv: func(string) string { return "" }}
	if strings.Contains(list(lost), " user ") {
		t.Errorf("files of nobody:\n%s", list(lost))
	}
	if f := p.Source("cursor"); f.Path != "/home/u/.cursor/mcp.json" || f.Scope != User {
		t.Errorf("got %+v", f)
	}
	if f := p.Source("x.json"); f.Path != "/x/x.json" || f.Scope != Explicit {
		t.Errorf("got %+v", f)
	}
}

func TestFind(t *testing.T) {
	home := t.TempDir()
	p := Places{Dir: filepath.Join(home, "a", "b"), Home: home, GOOS: "linux", Getenv: func(string) string { return "" }}
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var unknown *UnknownError
	if _, _, err := p.Find("x"); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "there is no config file") {
		t.Errorf("got %v", err)
	}
	put("a/b/.mcp.json", `{"mcpServers":{"x":{"command":"near"}}}`)
	put("a/.mcp.json", `{"mcpServers":{"x":{"command":"far"},"y":{}}}`)
	put("a/.vscode/mcp.json", `{"servers":`)
	put(".gemini/settings.json", `{"mcpServers":{"z":{}}}`)
	e, broken, err := p.Find("x")
	if err != nil || len(broken) > 0 || string(e.Raw) != `{"command":"near"}` || e.Folder != p.Dir {
		t.Errorf("got %+v, %v, %v", e, broken, err)
	}
	if e, broken, err := p.Find("y"); err != nil || len(broken) > 0 || e.Folder != filepath.Join(home, "a") {
		t.Errorf("got %+v, %v, %v", e, broken, err)
	}
	// A broken file on the way is only a pity when the name is found behind it.
	if e, broken, err := p.Find("z"); err != nil || len(broken) != 1 || e.File.Client != "gemini" {
		t.Errorf("got %+v, %v, %v", e, broken, err)
	}
	var file *FileError
	if _, _, err := p.Find("none"); !errors.As(err, &file) {
		t.Errorf("got %v", err)
	}
	entries, broken := p.All()
	if len(entries) != 4 || len(broken) != 1 {
		t.Errorf("got %s %v", shown(entries), broken)
	}
	p.Config = "a/.vscode/mcp.json"
	p.Dir = home
	if _, _, err := p.Find("z"); !errors.As(err, &file) {
		t.Errorf("a broken --config: %v", err)
	}
}
