package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// listed is a package as "go list" tells of it, without its tests.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string // all that it links, itself left out
}

// packages lists this module's packages and what they link on an operating
// system.
func packages(t *testing.T, goos string) map[string]*listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	all := make(map[string]*listed)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// under reports whether path is one of the packages named, or below one.
func under(path string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return path == name || strings.HasPrefix(path, name+"/")
	})
}

// What a part of the module may link of everything that is not the standard
// library. Parts that are not named here may link anything but what other rules
// forbid.
func mayLink() map[string][]string {
	return map[string][]string{
		"mcpq/mcp":                  {"mcpq/mcp", "mcpq/internal/rawjson", "mcpq/internal/frontmatter", "mcpq/internal/yamltree", "github.com/goccy/go-yaml"},
		"mcpq/mcp/jsonrpc":          {"mcpq/internal/rawjson"},
		"mcpq/mcp/auth":             {"golang.org/x/oauth2", "github.com/go-jose/go-jose/v4"},
		"mcpq/mcp/transport":        {"mcpq/mcp/jsonrpc", "mcpq/internal/rawjson"},
		"mcpq/mcp/mcptest":          {"mcpq/mcp/mcptest"},
		"mcpq/internal/rawjson":     {},
		"mcpq/internal/yamltree":    {"mcpq/internal/rawjson", "github.com/goccy/go-yaml"},
		"mcpq/internal/frontmatter": {"mcpq/internal/rawjson", "mcpq/internal/yamltree", "github.com/goccy/go-yaml"},
		"mcpq/internal/schema":      {"mcpq/internal/rawjson"},
		"mcpq/internal/apidiff":     {"mcpq/internal/rawjson", "mcpq/internal/schema"},
		"mcpq/internal/uritemplate": {},
		"mcpq/internal/filelock":    {"golang.org/x/sys"},
		// It shares no code with the client that is tested against it.
		"mcpq/internal/demo":    {},
		"mcpq/commands/args":    {"mcpq/internal/rawjson", "mcpq/internal/schema"},
		"mcpq/commands/prose":   {},
		"mcpq/commands/servers": {"mcpq/internal/rawjson", "mcpq/internal/filelock", "golang.org/x/sys", "github.com/kballard/go-shellquote", "github.com/tidwall/jsonc", "github.com/pelletier/go-toml/v2"},
		"mcpq/output": {
			"mcpq/mcp", "mcpq/internal/rawjson", "golang.org/x/sys", "golang.org/x/term",
			"github.com/itchyny/gojq", "github.com/itchyny/timefmt-go", "github.com/mattn/go-isatty", "github.com/tidwall/pretty",
		},
	}
}

// Who alone may import a package outside of this module, or one of its own.
func importers() map[string][]string {
	return map[string][]string{
		"github.com/itchyny/gojq":       {"mcpq/output"},
		"github.com/mattn/go-isatty":    {"mcpq/output"},
		"github.com/tidwall/pretty":     {"mcpq/output"},
		"github.com/tidwall/jsonc":      {"mcpq/commands/servers"},
		"github.com/alecthomas/kong":    {"mcpq/commands"},
		"github.com/zalando/go-keyring": {"mcpq/internal/credstore"},
		"golang.org/x/oauth2":           {"mcpq/mcp/auth"},
		"github.com/go-jose/go-jose/v4": {"mcpq/mcp/auth", "mcpq/mcp/auth/authtest"},
		"mcpq/commands":                 {"mcpq"},
		"github.com/itchyny/gojq/cli":   {},
	}
}

// What is for tests and tools, and never linked into the program.
func notLinked() []string {
	return []string{
		"github.com/modelcontextprotocol/go-sdk",
		"github.com/rogpeppe/go-internal",
		"github.com/google/go-cmp",
		"github.com/creack/pty",
		"go.uber.org/goleak",
		"testing",
		"mcpq/mcp/mcptest",
		"mcpq/mcp/auth/authtest",
		"mcpq/scripts",
	}
}

// TestImports holds the module against the direction its packages point in: the
// command line stands on the library, never the other way round.
func TestImports(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		all := packages(t, goos)
		for _, p := range all {
			if !under(p.ImportPath, "mcpq") {
				continue
			}
			for _, problem := range problems(all, p) {
				t.Errorf("%s: %s", goos, problem)
			}
		}
		for part := range mayLink() {
			if all[part] == nil {
				t.Errorf("%s: there is no package %s any more", goos, part)
			}
		}
	}
}

// problems tells which rules a package breaks.
func problems(all map[string]*listed, p *listed) []string {
	var found []string
	if allowed, ok := allowance(p.ImportPath); ok {
		for _, dep := range p.Deps {
			if !standard(all, dep) && !under(dep, allowed...) {
				found = append(found, p.ImportPath+" must not link "+dep)
			}
		}
	}
	for _, imported := range p.Imports {
		if by, ok := importers()[imported]; ok && !slices.Contains(by, p.ImportPath) {
			found = append(found, p.ImportPath+" must not import "+imported)
		}
	}
	if p.ImportPath == "mcpq" {
		for _, dep := range p.Deps {
			if under(dep, notLinked()...) {
				found = append(found, "the program must not link "+dep)
			}
		}
	}
	return found
}

// allowance is that of the nearest part a package belongs to.
func allowance(path string) ([]string, bool) {
	for {
		if allowed, ok := mayLink()[path]; ok {
			return allowed, true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return nil, false
		}
		path = path[:i]
	}
}

func standard(all map[string]*listed, path string) bool {
	return all[path] != nil && all[path].Standard
}

// TestImportRules makes sure that the rules can be broken.
func TestImportRules(t *testing.T) {
	all := map[string]*listed{"io": {ImportPath: "io", Standard: true}}
	for _, c := range []struct {
		p    listed
		want string
	}{
		{listed{ImportPath: "mcpq/mcp", Deps: []string{"io", "mcpq/mcp/jsonrpc", "mcpq/internal/rawjson"}}, ""},
		{listed{ImportPath: "mcpq/mcp", Deps: []string{"io", "mcpq/output"}}, "mcpq/mcp must not link mcpq/output"},
		{listed{ImportPath: "mcpq/mcp/new", Deps: []string{"example.com/x"}}, "mcpq/mcp/new must not link example.com/x"},
		{listed{ImportPath: "mcpq/mcp/jsonrpc", Deps: []string{"mcpq/mcp"}}, "mcpq/mcp/jsonrpc must not link mcpq/mcp"},
		{listed{ImportPath: "mcpq/commands/args", Deps: []string{"mcpq/mcp"}}, "mcpq/commands/args must not link mcpq/mcp"},
		{listed{ImportPath: "mcpq/commands/args", Deps: []string{"mcpq/internal/rawjsonish"}}, "mcpq/commands/args must not link mcpq/internal/rawjsonish"},
		{listed{ImportPath: "mcpq/commands", Imports: []string{"github.com/itchyny/gojq"}}, "mcpq/commands must not import github.com/itchyny/gojq"},
		{listed{ImportPath: "mcpq/output", Imports: []string{"mcpq/commands"}}, "mcpq/output must not import mcpq/commands"},
		{listed{ImportPath: "mcpq", Imports: []string{"mcpq/commands"}, Deps: []string{"github.com/modelcontextprotocol/go-sdk/mcp"}},
			"the program must not link github.com/modelcontextprotocol/go-sdk/mcp"},
	} {
		if got := strings.Join(problems(all, &c.p), "; "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.p.ImportPath, got, c.want)
		}
	}
}
