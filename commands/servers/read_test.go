package servers

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes a file in a folder of its own.
func write(t *testing.T, name, text string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &File{Path: path, Scope: User, Folder: "/work"}
}

// shown are entries as "name definition" lines.
func shown(entries []*Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Name + " " + string(e.Raw) + "\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"mcpServers", "x.json", `{"other":[1],"mcpServers":{"b":{"command":"x"},"a":{"url":"u"}}}`,
			"b {\"command\":\"x\"}\na {\"url\":\"u\"}\n"},
		{"servers, as VS Code has them", "x.json", `{"inputs":[],"servers":{"a":{"command":"x"}}}`, "a {\"command\":\"x\"}\n"},
		{"comments and trailing commas", "x.json", "\ufeff// one\n{ /* two */ \"mcpServers\": {\"a\": {\"command\": \"x//y\",}, }, }", "a {\"command\":\"x//y\"}\n"},
		{"the last of two", "x.json", `{"mcpServers":{"a":1,"b":2,"a":3}}`, "b 2\na 3\n"},
		{"null", "x.json", `{"mcpServers":null}`, ""},
		{"nothing", "x.json", " \n", ""},
		{"Codex", "config.toml", `
model = "m"
[[profiles]]
mcp_servers = 1
[mcp_servers.one]
command = "npx"
args = ["-y", 'x']
startup_timeout_sec = 1_0
enabled = false
[mcp_servers.one.env]
"A" = "1"
[mcp_servers]
two = { url = "https://h", bearer_token_env_var = "TOK", http_headers = { X-A = "b" }, env_http_headers = { "X-C" = "D" } }
`,
			`one {"command":"npx","args":["-y","x"],"startup_timeout_sec":10,"disabled":true,"env":{"A":"1"}}
two {"url":"https://h","headers":{"Authorization":"Bearer ${TOK}","X-A":"b","X-C":"${D}"}}
`},
		{"Codex with dotted keys", "config.toml", "mcp_servers.a.command = \"x\"\nmcp_servers.b = 1\n", "a {\"command\":\"x\"}\nb null\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			entries, err := write(t, c.file, c.text).Read()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, shown(entries)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadBroken(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"x.json", "{\n  \"mcpServers\": {\n    \"ä\": oh\n", ", line 3, column 10: "},
		{"x.json", "{\"mcpServers\": {\n", ", line 2, column 1: the JSON ends too early"},
		{"x.json", "[]", ", line 1, column 1: this has to be an object"},
		{"x.json", "{\"mcpServers\":\n []}", ", line 2, column 2: this has to be an object"},
		{"x.json", "{} {}", ", line 1, column 4: "},
		{"x.json", strings.Repeat("[", 20000), ", line 1, column "},
		{"x.json", `{"mcpServers":{"a":` + strings.Repeat("[", 20000), ", line 1, column "},
		{"x.toml", "[mcp_servers.a]\ncommand = \n", ", line 2, column "},
		{"x.toml", "a = " + strings.Repeat("[", 20000), ", line 1, column "},
	} {
		_, err := write(t, c.file, c.text).Read()
		var file *FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.30s: got %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := (&File{Path: "none.json", Scope: User}).Read(); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := (&File{Path: "none.json", Scope: Explicit}).Read(); err == nil {
		t.Error("no error for a file that was named and is not there")
	}
	if _, err := (&File{Path: t.TempDir(), Scope: Project}).Read(); err != nil {
		t.Errorf("a folder of that name: %v", err)
	}
}

func TestReadLarge(t *testing.T) {
	f := write(t, "x.json", "")
	if err := os.Truncate(f.Path, maxFile+1); err != nil {
		t.Skip(err)
	}
	if _, err := f.Read(); err == nil || !strings.Contains(err.Error(), "it is larger than 32 MB") {
		t.Errorf("got %v", err)
	}
}

func TestReadProjects(t *testing.T) {
	f := write(t, ".claude.json", `{"mcpServers":{"user":{}},"projects":{"/":{"mcpServers":{"root":{}}},"/p":{"x":1,"mcpServers":{"p":{}}},"/other":{"mcpServers":{"o":{}}}}}`)
	f.projects = []string{"/p", "/"}
	entries, err := f.Read()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name+" in "+e.Folder)
	}
	if diff := cmp.Diff([]string{"p in /p", "root in /", "user in /work"}, got); diff != "" {
		t.Error(diff)
	}
}
