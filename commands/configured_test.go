package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/output"
)

// withHome is a run in an empty working directory and home.
func withHome(t *testing.T) *runner {
	t.Helper()
	home := t.TempDir()
	t.Chdir(t.TempDir())
	return &runner{
		env: &Env{
			Streams: &output.Streams{},
			Getenv: func(name string) string {
				if name == "HOME" || name == "USERPROFILE" {
					return home
				}
				return ""
			},
			Environ: func() []string { return []string{"EMPTY="} },
		},
		grammar: new(grammar),
	}
}

func TestConfiguredServers(t *testing.T) {
	r := withHome(t)
	if got := r.configuredServers(); got != nil {
		t.Errorf("without files: %q", got)
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := homeDir(r.env.Getenv)
	put(".mcp.json", `{"mcpServers":{"b":{"command":"${NONE}"},"a":1}}`)
	put(".vscode/mcp.json", `broken`)
	put(filepath.Join(home, ".codex", "config.toml"), "[mcp_servers.c]\n[mcp_servers.a]\n")
	if diff := cmp.Diff([]string{"b", "a", "c"}, r.configuredServers()); diff != "" {
		t.Error(diff)
	}
}

func TestLookup(t *testing.T) {
	r := withHome(t)
	for name, want := range map[string]bool{"HOME": true, "EMPTY": true, "NONE": false} {
		if _, set := r.lookup(name); set != want {
			t.Errorf("%s: %v", name, set)
		}
	}
}

// Every setting is a flag, by its name in camel case.
func TestSettingsAreFlags(t *testing.T) {
	r := withHome(t)
	parser, err := r.parser(new(grammar), nil, helpOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	flags := make(map[string]string)
	for _, f := range parser.Model.Flags {
		flags[f.Name] = f.Enum
	}
	for _, s := range r.grammar.settings() {
		enum, ok := flags[s.flag]
		if !ok {
			t.Errorf("%s: there is no flag --%s", s.name, s.flag)
		}
		if want := strings.TrimPrefix(enum, ","); strings.Join(s.choices, ",") != want {
			t.Errorf("%s can be %q, --%s %q", s.name, s.choices, s.flag, want)
		}
		var camel strings.Builder
		for i, word := range strings.Split(s.flag, "-") {
			if i > 0 {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			camel.WriteString(word)
		}
		if camel.String() != s.name && s.name != "roots" {
			t.Errorf("the setting of --%s is called %s", s.flag, s.name)
		}
		if !strings.Contains(configTopic, s.name) {
			t.Errorf("the help topic does not tell of %s", s.name)
		}
	}
}

func TestMasked(t *testing.T) {
	for raw, want := range map[string]string{
		`{"command":"x","args":["--token","abc","-p","--api-key=abc","API_KEY=abc","Authorization: Bearer abc"]}`: `{"command":"x","args":["--token","[redacted]","-p","--api-key=[redacted]","API_KEY=[redacted]","Authorization:[redacted]"]}`,
		`{"args":["--token","${T}","--key=${K}","--token-file","-x","a/b:c","https://h/key=1","x://h?key=a"]}`:    `{"args":["--token","${T}","--key=${K}","--token-file","-x","a/b:c","https://h/key=1","x://h?key=%5Bredacted%5D"]}`,
		`{"env":{"A":"b","C":1,"D":"${D}","E":"${E:-secret}"},"cwd":"d"}`:                                         `{"env":{"A":"[redacted]","C":"[redacted]","D":"${D}","E":"[redacted]"},"cwd":"d"}`,
		`{"headers":{"Authorization":"Bearer ${T}","B":"Bearer abc","C":"x${T}"}}`:                                `{"headers":{"Authorization":"Bearer ${T}","B":"[redacted]","C":"[redacted]"}}`,
		`{"url":"https://u:p@h/x?api_key=abc&b=c"}`:                                                               `{"url":"https://u:xxxxx@h/x?api_key=%5Bredacted%5D&b=c"}`,
		`{"url":"https://h/${X}"}`: `{"url":"https://h/${X}"}`,
		`[1]`:                      `[1]`,
	} {
		if got := string(maskedDefinition([]byte(raw))); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
}
