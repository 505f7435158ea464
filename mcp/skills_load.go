package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"mcpq/internal/frontmatter"
	"mcpq/internal/rawjson"
)

// Skill is a skill whose SKILL.md has been read and found to be what the entry
// says. Only the files that the entry lists can be read, and each of them is
// checked in its turn; the entry of a dynamic skill says nothing of them.
type Skill struct {
	*SkillEntry
	Manual []byte // the bytes of SKILL.md

	client *Client
	read   int64 // bytes, of a dynamic skill
}

// LoadSkill reads and checks the SKILL.md of a skill: its length, its digest,
// and its front matter field by field. On any difference the error is a
// *SkillError.
func (c *Client) LoadSkill(ctx context.Context, e *SkillEntry) (*Skill, error) {
	s := &Skill{SkillEntry: e, client: c}
	manual, err := s.File(ctx, manualName)
	if err != nil {
		return nil, err
	}
	if err := frontmatter.Compare(manual, e.Frontmatter); err != nil {
		return nil, &SkillError{URI: e.URI, Reason: "it is not what its entry says", Err: err}
	}
	s.Manual = manual
	return s, nil
}

// File reads one file, by its path in the skill's folder or by its URI.
func (s *Skill) File(ctx context.Context, path string) ([]byte, error) {
	f, err := s.find(path)
	if err != nil {
		return nil, err
	}
	if f.Path == manualName && s.Manual != nil {
		return s.Manual, nil
	}
	data, err := s.client.readFile(ctx, f.URI)
	if err != nil {
		return nil, err
	}
	if s.Dynamic {
		if s.read += int64(len(data)); s.read > maxSkillSize {
			return nil, s.refuse("its files have more than %d bytes", maxSkillSize)
		}
		return data, nil
	}
	if int64(len(data)) != f.Size {
		return nil, &SkillError{URI: f.URI, Reason: fmt.Sprintf("it has %d bytes, its entry says %d", len(data), f.Size)}
	}
	if sum := sha256.Sum256(data); "sha256:"+hex.EncodeToString(sum[:]) != f.Digest {
		return nil, &SkillError{URI: f.URI, Reason: "its digest is not the one of its entry"}
	}
	return data, nil
}

// find looks a file up in the manifest; without one, its URI is made up.
func (s *Skill) find(path string) (*SkillFile, error) {
	path = strings.TrimPrefix(path, "./")
	if s.Dynamic {
		uri := path
		if !strings.HasPrefix(path, strings.TrimSuffix(s.URI, manualName)) {
			parts := strings.Split(path, "/")
			for i, p := range parts {
				parts[i] = url.PathEscape(p)
			}
			uri = strings.TrimSuffix(s.URI, manualName) + strings.Join(parts, "/")
		}
		path, err := s.pathOf(uri)
		return &SkillFile{URI: uri, Path: path}, err
	}
	for i := range s.Files {
		if f := &s.Files[i]; f.Path == path || f.URI == path {
			return f, nil
		}
	}
	return nil, s.refuse("its entry does not list a file %q", path)
}

// Paths are the paths of all files. Those of a dynamic skill have to be looked
// for in its folders.
func (s *Skill) Paths(ctx context.Context) ([]string, error) {
	if s.Dynamic {
		return s.walk(ctx)
	}
	paths := make([]string, 0, len(s.Files))
	for _, f := range s.Files {
		paths = append(paths, f.Path)
	}
	return paths, nil
}

// walk lists the folders of a dynamic skill, breadth first.
func (s *Skill) walk(ctx context.Context) ([]string, error) {
	var files []string
	folders := []string{strings.TrimSuffix(s.URI, "/"+manualName)}
	seen := map[string]bool{}
	for len(folders) > 0 {
		folder := folders[0]
		folders = folders[1:]
		for page, err := range s.client.Directory(ctx, folder) {
			if err != nil {
				return nil, err
			}
			for _, item := range page.Items() {
				var child struct {
					URI      string `json:"uri"`
					MIMEType string `json:"mimeType"`
				}
				if err := json.Unmarshal(item, &child); err != nil {
					return nil, &ProtocolError{Method: string(ListDirectory), Reason: "a resource is malformed", Err: err}
				}
				path, err := s.pathOf(strings.TrimSuffix(child.URI, "/"))
				switch {
				case err != nil:
					return nil, err
				case seen[path]:
					return nil, s.refuse("its folders list %s twice", child.URI)
				case len(seen) == maxSkillFiles:
					return nil, s.refuse("it has more than %d files", maxSkillFiles)
				case child.MIMEType == "inode/directory":
					folders = append(folders, strings.TrimSuffix(child.URI, "/"))
				default:
					files = append(files, path)
				}
				seen[path] = true
			}
		}
	}
	return files, nil
}

// readFile reads a resource that is one file.
func (c *Client) readFile(ctx context.Context, uri string) ([]byte, error) {
	const method = "resources/read"
	res, err := c.Do(ctx, resourceRequest(method, uri))
	if err != nil {
		return nil, err
	}
	contents, err := rawjson.Elements(res.Member("contents"))
	if err != nil {
		return nil, &ProtocolError{Method: method, Reason: "it has no array contents", Err: err}
	}
	if len(contents) != 1 {
		return nil, &SkillError{URI: uri, Reason: fmt.Sprintf("it has %d contents instead of one", len(contents))}
	}
	var content struct {
		Text json.RawMessage `json:"text"`
		Blob *string         `json:"blob"`
	}
	if err := json.Unmarshal(contents[0], &content); err != nil {
		return nil, &ProtocolError{Method: method, Reason: "the content is malformed", Err: err}
	}
	if text, ok := rawjson.Unquote(content.Text); ok && content.Blob == nil {
		return []byte(text), nil
	}
	if content.Blob == nil || content.Text != nil {
		return nil, &ProtocolError{Method: method, Reason: "the content is neither text nor blob"}
	}
	data, err := base64.StdEncoding.Strict().DecodeString(*content.Blob)
	if err != nil {
		return nil, &ProtocolError{Method: method, Reason: "the blob is not base64", Err: err}
	}
	return data, nil
}
