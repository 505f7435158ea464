package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	manual = "---\nname: pdf\ndescription: Fill forms.\nmetadata: {version: 1.0}\n---\n\n# PDF\n"
	script = "print('hi')\r\n\x00\xff"
)

func manifestLine(uri, data string) string {
	sum := sha256.Sum256([]byte(data))
	return fmt.Sprintf(`{"uri":%q,"digest":"sha256:%s","size":%d}`, uri, hex.EncodeToString(sum[:]), len(data))
}

const skillFront = `{"name":"pdf","description":"Fill forms.","metadata":{"version":1}}`

func entry(uri, front string, lines ...string) string {
	return fmt.Sprintf(`{"uri":%q,"frontmatter":%s,"resources":[%s]}`, uri, front, strings.Join(lines, ","))
}

func goodEntry() string {
	return entry("skill://acme/pdf/SKILL.md", skillFront,
		manifestLine("skill://acme/pdf/SKILL.md", manual), manifestLine("skill://acme/pdf/scripts/a%20b.py", script))
}

// skillServer serves skills over HTTP.
type skillServer struct {
	*httpServer
	entries []string
	files   map[string]string // as contents; without it, unknown
	folders map[string]string
	reads   []string
}

func text(s string) string { b, _ := json.Marshal(s); return `{"text":` + string(b) + `}` }
func blob(s string) string {
	return `{"blob":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}`
}

func newSkillServer(t *testing.T, extensions string) *skillServer {
	s := &skillServer{files: map[string]string{
		"skill://acme/pdf/SKILL.md":         text(manual),
		"skill://acme/pdf/scripts/a%20b.py": blob(script),
	}}
	s.httpServer = newHTTPServer(t, func(w http.ResponseWriter, p posted) {
		var params struct{ URI, Cursor string }
		_ = json.Unmarshal(p.Params, &params)
		unknown := func() {
			jsonBody(w, http.StatusOK, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"unknown"}}`, p.ID)
		}
		switch p.Method {
		case "server/discover":
			result(w, p, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"extensions":`+extensions+`},"ttlMs":0,"cacheScope":"private"}`)
		case "skills/list": // one a page
			i := 0
			if params.Cursor != "" {
				i = int(params.Cursor[0] - '0')
			}
			next := ""
			if i+1 < len(s.entries) {
				next = fmt.Sprintf(`,"nextCursor":"%d"`, i+1)
			}
			result(w, p, `{"resultType":"complete","skills":[`+strings.Join(s.entries[i:min(i+1, len(s.entries))], ",")+`]`+next+`}`)
		case "skills/get":
			for _, e := range s.entries {
				if strings.HasPrefix(e, `{"uri":"`+params.URI+`"`) {
					result(w, p, `{"resultType":"complete","skill":`+e+`}`)
					return
				}
			}
			unknown()
		case "resources/read":
			s.reads = append(s.reads, params.URI)
			if c, ok := s.files[params.URI]; ok {
				result(w, p, `{"resultType":"complete","contents":[`+c+`]}`)
				return
			}
			unknown()
		case "resources/directory/read":
			if c, ok := s.folders[params.URI]; ok {
				result(w, p, `{"resultType":"complete","resources":[`+c+`]}`)
				return
			}
			unknown()
		}
	})
	return s
}

const skillsOn = `{"io.modelcontextprotocol/skills":{}}`

func TestSkill(t *testing.T) {
	s := newSkillServer(t, skillsOn)
	s.entries = []string{entry("github://x/other/SKILL.md", `{"name":"other","description":""}`), goodEntry()}
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, name := range []string{"pdf", "acme/pdf", "skill://acme/pdf/SKILL.md", "skill://acme/pdf", "skill://acme/pdf/"} {
		e, err := c.Skill(ctx, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if string(e.Raw) != goodEntry() || e.Name != "pdf" || len(e.Files) != 2 || e.Files[1].Path != "scripts/a b.py" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if len(s.reads) != 0 {
		t.Errorf("read ahead of need: %q", s.reads)
	}
	e, err := c.Skill(ctx, "pdf")
	if err != nil {
		t.Fatal(err)
	}
	skill, err := c.LoadSkill(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	if string(skill.Manual) != manual {
		t.Errorf("%q", skill.Manual)
	}
	for _, path := range []string{"scripts/a b.py", "./scripts/a b.py", "skill://acme/pdf/scripts/a%20b.py"} {
		if data, err := skill.File(ctx, path); err != nil || string(data) != script {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	var refused *SkillError
	if _, err := skill.File(ctx, "scripts/new.py"); !errors.As(err, &refused) {
		t.Errorf("an unlisted file: %v", err)
	}
	if diff := cmp.Diff([]string{"skill://acme/pdf/SKILL.md", "skill://acme/pdf/scripts/a%20b.py", "skill://acme/pdf/scripts/a%20b.py", "skill://acme/pdf/scripts/a%20b.py"}, s.reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

func TestSkillNotFound(t *testing.T) {
	s := newSkillServer(t, skillsOn)
	s.entries = []string{goodEntry(), entry("skill://b/pdf/SKILL.md", skillFront), entry("skill://pdf-tools/SKILL.md", `{"name":"pdf-tools","description":""}`)}
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var unknown *UnknownSkillError
	if _, err := c.Skill(context.Background(), "df"); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, []string{"acme/pdf", "b/pdf", "pdf-tools"}) {
		t.Errorf("unknown: %v", err)
	}
	var ambiguous *AmbiguousSkillError
	if _, err := c.Skill(context.Background(), "pdf"); !errors.As(err, &ambiguous) || len(ambiguous.URIs) != 2 {
		t.Errorf("ambiguous: %v", err)
	}
	if e, err := c.Skill(context.Background(), "acme/pdf"); err != nil || e.URI != "skill://acme/pdf/SKILL.md" {
		t.Errorf("told apart: %v, %v", e, err)
	}
	var rpc *RPCError
	if _, err := c.Skill(context.Background(), "skill://nobody/SKILL.md"); !errors.As(err, &rpc) {
		t.Errorf("unknown URI: %v", err)
	}
}

func TestSkillCapabilities(t *testing.T) {
	s := newSkillServer(t, `{}`)
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var missing *CapabilityError
	if _, err := c.Skill(context.Background(), "pdf"); !errors.As(err, &missing) {
		t.Errorf("list: %v", err)
	}
	if _, err := c.Skill(context.Background(), "skill://a/SKILL.md"); !errors.As(err, &missing) {
		t.Errorf("get: %v", err)
	}
	for _, err := range c.Directory(context.Background(), "skill://a") {
		if !errors.As(err, &missing) || !strings.HasSuffix(missing.Capability, "directoryRead") {
			t.Errorf("directory: %v", err)
		}
	}
	if diff := cmp.Diff([]string{"server/discover"}, s.names()); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// An entry that cannot be one is refused before a file is read.
func TestSkillEntryRefused(t *testing.T) {
	const uri = "skill://acme/pdf/SKILL.md"
	own := manifestLine(uri, manual)
	many := []string{own}
	for i := range maxSkillFiles {
		many = append(many, manifestLine(fmt.Sprintf("skill://acme/pdf/%d", i), ""))
	}
	with := func(more string) string { return entry(uri, skillFront, own, manifestLine(more, "x")) }
	for name, e := range map[string]string{
		"traversal":         with("skill://acme/pdf/../x"),
		"encoded traversal": with("skill://acme/pdf/%2e%2e/x"),
		"encoded slash":     with("skill://acme/pdf/a%2f..%2f..%2fx"),
		"backslash":         with(`skill://acme/pdf/..\x`),
		"encoded backslash": with("skill://acme/pdf/..%5cx"),
		"absolute":          with("skill://acme/pdf//etc/passwd"),
		"another folder":    with("skill://acme/pdf-2/x"),
		"another scheme":    with("file:///etc/passwd"),
		"the folder":        with("skill://acme/pdf/"),
		"a zero byte":       with("skill://acme/pdf/a%00b"),
		"a bad escape":      with("skill://acme/pdf/a%zz"),
		"a query":           with("skill://acme/pdf/x?y"),
		"twice":             entry(uri, skillFront, own, own),
		"twice, encoded":    entry(uri, skillFront, own, manifestLine("skill://acme/pdf/%53KILL.md", manual)),
		"without SKILL.md":  entry(uri, skillFront),
		"too many":          entry(uri, skillFront, many...),
		"too large":         entry(uri, skillFront, own, fmt.Sprintf(`{"uri":"skill://acme/pdf/x","digest":"sha256:%064d","size":%d}`, 0, maxSkillSize)),
		"negative":          entry(uri, skillFront, own, fmt.Sprintf(`{"uri":"skill://acme/pdf/x","digest":"sha256:%064d","size":-1}`, 0)),
		"without size":      entry(uri, skillFront, own, fmt.Sprintf(`{"uri":"skill://acme/pdf/x","digest":"sha256:%064d"}`, 0)),
		"upper case":        entry(uri, skillFront, own, fmt.Sprintf(`{"uri":"skill://acme/pdf/x","digest":"sha256:%s","size":1}`, strings.Repeat("A", 64))),
		"short digest":      entry(uri, skillFront, own, `{"uri":"skill://acme/pdf/x","digest":"sha256:00","size":1}`),
		"another digest":    entry(uri, skillFront, own, `{"uri":"skill://acme/pdf/x","digest":"md5:00","size":1}`),
		"no list":           `{"uri":"` + uri + `","frontmatter":` + skillFront + `}`,
		"null":              `{"uri":"` + uri + `","frontmatter":` + skillFront + `,"resources":null}`,
		"other text":        `{"uri":"` + uri + `","frontmatter":` + skillFront + `,"resources":"static"}`,
		"another name":      entry(uri, `{"name":"pdg","description":""}`, own),
		"no description":    entry(uri, `{"name":"pdf"}`, own),
		"no front matter":   `{"uri":"` + uri + `","resources":"dynamic"}`,
		"not a SKILL.md":    entry("skill://acme/pdf/README.md", skillFront, manifestLine("skill://acme/pdf/README.md", "")),
		"dots for a name":   entry("skill://../SKILL.md", `{"name":"..","description":""}`, manifestLine("skill://../SKILL.md", "")),
		"the wrong kind":    `{"uri":"` + uri + `","frontmatter":` + skillFront + `,"resources":[{"uri":1}]}`,
	} {
		var refused *SkillError
		if _, err := parseSkill(json.RawMessage(e)); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parseSkill(json.RawMessage(goodEntry())); err != nil {
		t.Error(err)
	}
}

// Files that are not what the entry says are not used, and nothing further is
// read.
func TestSkillTampered(t *testing.T) {
	const uri = "skill://acme/pdf/SKILL.md"
	other := strings.Replace(manual, "Fill", "Kill", 1)
	for _, tt := range []struct {
		name, entry, served string
		reason              string
	}{
		{"size", goodEntry(), text(manual + "x"), "bytes, its entry says"},
		{"digest", goodEntry(), text(other), "digest"},
		{"front matter", entry(uri, skillFront, manifestLine(uri, other)), text(other), "description"},
		{"a field more", entry(uri, strings.Replace(skillFront, "{", `{"license":"MIT",`, 1), manifestLine(uri, manual)), text(manual), "license"},
		{"dynamic front matter", strings.Replace(entry(uri, skillFront), "[]", `"dynamic"`, 1), text(other), "description"},
		{"no front matter", strings.Replace(entry(uri, skillFront), "[]", `"dynamic"`, 1), text("# PDF"), "there is none"},
		{"line ends", goodEntry(), text(strings.ReplaceAll(manual, "\n", "\r\n")), "bytes, its entry says"},
		{"two contents", goodEntry(), text(manual) + "," + text(manual), "2 contents"},
		{"none", goodEntry(), ``, "0 contents"},
	} {
		s := newSkillServer(t, skillsOn)
		s.entries = []string{tt.entry}
		s.files[uri] = tt.served
		c, err := s.connect(t, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.Skill(context.Background(), "pdf")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var refused *SkillError
		if _, err = c.LoadSkill(context.Background(), e); !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if len(s.reads) != 1 {
			t.Errorf("%s: read %q", tt.name, s.reads)
		}
	}
}

func TestSkillFileTampered(t *testing.T) {
	for served, typ := range map[string]string{
		blob(script + "x"):                           "*mcp.SkillError",
		blob(strings.Replace(script, "hi", "ho", 1)): "*mcp.SkillError",
		text(script):                                 "*mcp.SkillError", // bytes that are no text are lost in it
		`{"blob":"a"}`:                               "*mcp.ProtocolError",
		`{"blob":"YQ==","text":""}`:                  "*mcp.ProtocolError",
		`{}`:                                         "*mcp.ProtocolError",
	} {
		s := newSkillServer(t, skillsOn)
		s.entries = []string{goodEntry()}
		s.files["skill://acme/pdf/scripts/a%20b.py"] = served
		c, err := s.connect(t, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.Skill(context.Background(), "pdf")
		if err != nil {
			t.Fatal(err)
		}
		skill, err := c.LoadSkill(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := skill.File(context.Background(), "scripts/a b.py"); data != nil || fmt.Sprintf("%T", err) != typ {
			t.Errorf("%s: %q, %v", served, data, err)
		}
	}
}

// A dynamic skill has no manifest; its folders tell what there is.
func TestSkillDynamic(t *testing.T) {
	s := newSkillServer(t, `{"io.modelcontextprotocol/skills":{"directoryRead":true}}`)
	s.entries = []string{strings.Replace(entry("skill://acme/pdf/SKILL.md", skillFront), "[]", `"dynamic"`, 1)}
	s.folders = map[string]string{
		"skill://acme/pdf":         `{"uri":"skill://acme/pdf/SKILL.md"},{"uri":"skill://acme/pdf/scripts","mimeType":"inode/directory"}`,
		"skill://acme/pdf/scripts": `{"uri":"skill://acme/pdf/scripts/a%20b.py"}`,
	}
	c, err := s.connect(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	e, err := c.Skill(ctx, "pdf")
	if err != nil {
		t.Fatal(err)
	}
	skill, err := c.LoadSkill(ctx, e)
	if err != nil || !skill.Dynamic {
		t.Fatal(err)
	}
	paths, err := skill.Paths(ctx)
	if diff := cmp.Diff([]string{"SKILL.md", "scripts/a b.py"}, paths); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if data, err := skill.File(ctx, "scripts/a b.py"); err != nil || string(data) != script {
		t.Errorf("%q, %v", data, err)
	}
	var refused *SkillError
	if _, err := skill.File(ctx, "../other"); !errors.As(err, &refused) {
		t.Errorf("a way out: %v", err)
	}
	for name, folder := range map[string]string{
		"itself":    `{"uri":"skill://acme/pdf/a","mimeType":"inode/directory"},{"uri":"skill://acme/pdf/a","mimeType":"inode/directory"}`,
		"elsewhere": `{"uri":"skill://acme/other/x"}`,
	} {
		s.folders["skill://acme/pdf"] = folder
		if paths, err := skill.Paths(ctx); !errors.As(err, &refused) {
			t.Errorf("%s: %q, %v", name, paths, err)
		}
	}
}
