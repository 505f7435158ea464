package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcpq/mcp/mcptest"
)

// What a server writes comes out of the program byte for byte, but for the white
// space between tokens: over every transport, as a result held or streamed, of
// one answer or of several put together.
func TestFidelity(t *testing.T) {
	docs := documents()
	for _, d := range docs {
		if !json.Valid([]byte(d.compact())) {
			t.Fatalf("not JSON: %.200s", d.compact())
		}
	}
	if len(docs) < 200 {
		t.Fatalf("only %d documents", len(docs))
	}
	for _, tt := range []struct {
		name, settings string
		http, lines    bool
		flags          []string
	}{
		{name: "stdio"},
		{name: "stdio, Content-Length", settings: "framing content-length\n", lines: true, flags: []string{"--framing", "content-length"}},
		{name: "HTTP, JSON", settings: "answers json\n", http: true, lines: true},
		{name: "HTTP, events", settings: "answers sse\n", http: true, lines: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			f := fidelity{docs: docs, spell: func(d document) string { return d.spaced(r, tt.lines) }}
			script := "era stateful\n" + tt.settings + f.script()
			file := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			f.check(t, func() []string { // one that has not been asked before
				if !tt.http {
					return append(tt.flags, "--protocol", "2025-11-25", "--", "mcptest-server", file)
				}
				s := httptest.NewServer(mcptest.Handler(mcptest.MustParse(script)))
				t.Cleanup(s.Close)
				return []string{"--protocol", "2025-11-25", "-s", s.URL}
			})
		})
	}
}

// fidelity is a server that gives documents, and what they have to be.
type fidelity struct {
	docs  []document
	spell func(document) string
}

// The pages of a list.
const pages = 3

func (f *fidelity) script() string {
	var b strings.Builder
	answer := func(method, when string, d document) {
		text := strings.NewReplacer("$", "$$", "\n", "$NL").Replace(f.spell(d))
		if strings.Contains(text, "\r") {
			text = strings.ReplaceAll(text, "\r", "$BYTES(0d)")
		}
		fmt.Fprintf(&b, "on %s %s\n\tresult %s\n", method, when, text)
	}
	b.WriteString("capabilities {\"tools\":{},\"resources\":{}}\n")
	answer("all", "", f.all())
	answer("tools/call", "", holding(f.all(), `"content" | : | [ | ] | , | `))
	for i, d := range f.docs {
		answer("resources/read", fmt.Sprintf("u:%d", i), holding(d, `"contents" | : | [ | ] | , | `))
	}
	for page := range pages {
		answer("tools/list", fmt.Sprintf("#%d", page+1), f.page(page))
	}
	return b.String()
}

// all is one document of all.
func (f *fidelity) all() document {
	d := document{"["}
	for i, one := range f.docs {
		if i > 0 {
			d = append(d, ",")
		}
		d = append(d, one...)
	}
	return append(d, "]")
}

// items are the tools of a page, each with a document.
func (f *fidelity) items(page int) (d document) {
	for i := page; i < len(f.docs); i += pages {
		if len(d) > 0 {
			d = append(d, ",")
		}
		d = append(d, holding(f.docs[i], fmt.Sprintf(`"name" | : | "t%d" | , | "inputSchema" | : | {} | , | `, i))...)
	}
	return d
}

func (f *fidelity) page(page int) document {
	d := document{"{", `"first"`, ":", "1.0", ",", `"tools"`, ":", "["}
	d = append(append(d, f.items(page)...), "]")
	if page < pages-1 {
		d = append(d, ",", `"nextCursor"`, ":", fmt.Sprintf(`"c%d"`, page))
	}
	return append(d, ",", `"last"`, ":", "0.10", "}")
}

func (f *fidelity) check(t *testing.T, server func() []string) {
	t.Helper()
	all := f.all().compact()
	same(t, "rpc", all+"\n", mcpq(t, server(), "rpc", "all"))
	same(t, "call", holding(f.all(), `"content" | : | [ | ] | , | `).compact()+"\n", mcpq(t, server(), "call", "any", "--no-validate"))

	// What a filter leaves as it is, and what is saved.
	lines := strings.Split(mcpq(t, server(), "rpc", "all", "-q", ".[]"), "\n")
	if len(lines) != len(f.docs)+1 {
		t.Fatalf("a filter gives %d lines of %d documents", len(lines), len(f.docs))
	}
	for i, d := range f.docs {
		if d[0] == "{" || d[0] == "[" {
			same(t, "filter", d.compact(), lines[i])
		}
	}
	file := filepath.Join(t.TempDir(), "saved")
	mcpq(t, server(), "rpc", "all", "-o", file)
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "-o", all+"\n", string(saved))

	// One result at a time, in one session, small ones and large ones.
	var uris []string
	var results strings.Builder
	for i, d := range f.docs {
		uris = append(uris, fmt.Sprintf("u:%d", i))
		results.WriteString(holding(d, `"contents" | : | [ | ] | , | `).compact() + "\n")
	}
	same(t, "read", results.String(), mcpq(t, server(), append([]string{"read"}, uris...)...))

	var tools document
	for page := range pages {
		if page > 0 {
			tools = append(tools, ",")
		}
		tools = append(tools, f.items(page)...)
	}
	same(t, "list", `{"first":1.0,"tools":[`+tools.compact()+`],"last":0.10}`+"\n", mcpq(t, server(), "list-tools"))
}

// mcpq runs the program and gives what it prints.
func mcpq(t *testing.T, server []string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	home := t.TempDir()
	cmd := &exec.Cmd{Path: self, Args: append(append([]string{"mcpq"}, args...), server...), Stdout: &out, Stderr: &errs}
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "MCPQ_SERVER=", "CLICOLOR_FORCE=")
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("%.60q: %v\n%.2000s", args, err, errs.String())
	}
	return out.String()
}

// same compares texts that may be too large to show whole.
func same(t *testing.T, what, want, got string) {
	t.Helper()
	if got == want {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, at-40):min(len(s), at+60)] }
	t.Errorf("%s: differs at byte %d of %d: got …%q, want …%q", what, at, len(want), cut(got), cut(want))
}
