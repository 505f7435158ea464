package mcp

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"mcpq/internal/rawjson"
)

// SkillsExtension is the extension with which a server serves skills: folders
// of instructions for agents (SEP-2640).
const SkillsExtension = "io.modelcontextprotocol/skills"

const (
	methodGetSkill = "skills/get"
	manualName     = "SKILL.md"

	// What every client has to take (skills, limits), and this one takes.
	maxSkillFiles = 512
	maxSkillSize  = 16 << 20
)

// SkillFile is one file of a skill, as its server's manifest describes it.
type SkillFile struct {
	URI    string
	Path   string // below the skill's folder, with slashes
	Digest string // sha256: and 64 hexadecimal digits
	Size   int64
}

// SkillEntry is what a server says of a skill: everything but the files.
type SkillEntry struct {
	URI         string // of its SKILL.md
	Name        string
	Frontmatter json.RawMessage
	Files       []SkillFile // SKILL.md is among them
	Dynamic     bool        // there is no manifest, and Files is nil
	Raw         json.RawMessage
}

// SkillError is a skill that is not what its server said of it, or that cannot
// be one. Nothing of it may be used.
type SkillError struct {
	URI    string // of the skill or of one of its files
	Reason string
	Err    error
}

func (e *SkillError) Error() string {
	s := "skill refused: " + e.URI + ": " + e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *SkillError) Unwrap() error { return e.Err }

// UnknownSkillError is a skill that the server does not list. It may serve it
// all the same, under its URI.
type UnknownSkillError struct {
	Name  string
	Known []string
}

func (e *UnknownSkillError) Error() string {
	return fmt.Sprintf("%s: the server lists no skill %q", ListSkills, e.Name)
}

// AmbiguousSkillError is a name that several skills of the server have.
type AmbiguousSkillError struct {
	Name string
	URIs []string
}

func (e *AmbiguousSkillError) Error() string {
	return fmt.Sprintf("several skills are named %q: %s", e.Name, strings.Join(e.URIs, ", "))
}

// Skill finds the entry of a skill by its URI, or in the server's list by its
// name or the end of its path. No file is read.
func (c *Client) Skill(ctx context.Context, name string) (*SkillEntry, error) {
	if isURI(name) {
		return c.skillAt(ctx, name)
	}
	var found []json.RawMessage
	ambiguous := &AmbiguousSkillError{Name: name}
	unknown := &UnknownSkillError{Name: name}
	for page, err := range c.Pages(ctx, ListSkills, nil) {
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items() {
			uri, names := skillNames(item)
			unknown.Known = append(unknown.Known, names...)
			for _, n := range names {
				if n == name || strings.HasSuffix(n, "/"+name) {
					found = append(found, item)
					ambiguous.URIs = append(ambiguous.URIs, uri)
					break
				}
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, unknown
	case 1:
		return parseSkill(found[0])
	}
	return nil, ambiguous
}

// skillNames are what an entry can be called: the path of its folder, and the
// name it gives itself. It may be one that is otherwise broken.
func skillNames(entry json.RawMessage) (uri string, names []string) {
	var e struct {
		URI         string `json:"uri"`
		Frontmatter struct {
			Name string `json:"name"`
		} `json:"frontmatter"`
	}
	_ = json.Unmarshal(entry, &e) // what could be read counts
	if _, path, ok := strings.Cut(strings.TrimSuffix(e.URI, "/"+manualName), "://"); ok {
		names = append(names, path)
	}
	if n := e.Frontmatter.Name; n != "" && (len(names) == 0 || names[0] != n && !strings.HasSuffix(names[0], "/"+n)) {
		names = append(names, n)
	}
	return e.URI, names
}

// isURI reports whether a word begins with a scheme.
func isURI(word string) bool {
	u, err := url.Parse(word)
	return err == nil && u.Scheme != ""
}

// skillAt asks for one entry; uri may be that of the skill's folder.
func (c *Client) skillAt(ctx context.Context, uri string) (*SkillEntry, error) {
	if !strings.HasSuffix(uri, "/"+manualName) {
		uri = strings.TrimSuffix(uri, "/") + "/" + manualName
	}
	res, err := c.Do(ctx, resourceRequest(methodGetSkill, uri))
	if err != nil {
		return nil, err
	}
	raw := res.Member("skill")
	if len(raw) == 0 || raw[0] != '{' {
		return nil, &ProtocolError{Method: methodGetSkill, Reason: "it has no object skill"}
	}
	e, err := parseSkill(raw)
	if err == nil && e.URI != uri {
		return nil, &SkillError{URI: uri, Reason: "the entry is that of " + e.URI}
	}
	return e, err
}

// parseSkill reads an entry and holds it against the rules for entries.
func parseSkill(raw json.RawMessage) (*SkillEntry, error) {
	var p struct {
		URI         string          `json:"uri"`
		Frontmatter json.RawMessage `json:"frontmatter"`
		Resources   json.RawMessage `json:"resources"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, &SkillError{URI: p.URI, Reason: "the entry is malformed", Err: err}
	}
	e := &SkillEntry{URI: p.URI, Frontmatter: p.Frontmatter, Raw: raw}
	if err := e.identify(); err != nil {
		return nil, err
	}
	if text, ok := rawjson.Unquote(p.Resources); ok && text == "dynamic" {
		e.Dynamic = true
		return e, nil
	}
	return e, e.manifest(p.Resources)
}

func (e *SkillEntry) refuse(format string, args ...any) error {
	return &SkillError{URI: e.URI, Reason: fmt.Sprintf(format, args...)}
}

// identify checks the URI and the name, which is the last part of its folder.
func (e *SkillEntry) identify() error {
	var f struct {
		Name        *string `json:"name"`
		Description *string `json:"description"`
	}
	if len(e.Frontmatter) == 0 || e.Frontmatter[0] != '{' || json.Unmarshal(e.Frontmatter, &f) != nil || f.Name == nil || f.Description == nil {
		return e.refuse("its entry has no front matter with name and description")
	}
	folder, ok := strings.CutSuffix(e.URI, "/"+manualName)
	if !ok {
		return e.refuse("its URI is not that of a %s", manualName)
	}
	name, err := url.PathUnescape(folder[strings.LastIndexByte(folder, '/')+1:])
	if err != nil || name != *f.Name || name == "" || strings.Trim(name, ".") == "" {
		return e.refuse("its name %q is not that of its folder", *f.Name)
	}
	e.Name = name
	return nil
}

// manifest reads and checks the list of files. It has to be complete, so that
// the limits can be told before a file is read.
func (e *SkillEntry) manifest(raw json.RawMessage) error {
	var list []struct {
		URI    string `json:"uri"`
		Digest string `json:"digest"`
		Size   *int64 `json:"size"`
	}
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return e.refuse("its entry has no list of files")
	}
	if len(list) > maxSkillFiles {
		return e.refuse("it has %d files, the limit is %d", len(list), maxSkillFiles)
	}
	seen := make(map[string]bool)
	total := int64(0)
	for _, f := range list {
		path, err := e.pathOf(f.URI)
		switch {
		case err != nil:
			return err
		case f.Size == nil || *f.Size < 0 || *f.Size > maxSkillSize || !isDigest(f.Digest):
			return e.refuse("the entry of %s has no proper size and digest", f.URI)
		case seen[path]:
			return e.refuse("its entry lists %s twice", f.URI)
		}
		seen[path] = true
		total += *f.Size
		e.Files = append(e.Files, SkillFile{URI: f.URI, Path: path, Digest: f.Digest, Size: *f.Size})
	}
	switch {
	case total > maxSkillSize:
		return e.refuse("its files have %d bytes, the limit is %d", total, maxSkillSize)
	case !seen[manualName]:
		return e.refuse("its entry does not list %s", manualName)
	}
	return nil
}

// pathOf is where a file is within the skill's folder. Nothing leads out of it.
func (e *SkillEntry) pathOf(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, strings.TrimSuffix(e.URI, manualName))
	if !ok {
		return "", e.refuse("its entry lists %s, which is not in its folder", uri)
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil || name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") || strings.ContainsAny(part, "?#") {
			return "", e.refuse("its entry lists %s, which is no path in its folder", uri)
		}
		parts[i] = name
	}
	return strings.Join(parts, "/"), nil
}

func isDigest(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || digits != strings.ToLower(digits) {
		return false
	}
	sum, err := hex.DecodeString(digits)
	return err == nil && len(sum) == 32
}
