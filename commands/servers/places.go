package servers

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Places says where config files are looked for.
type Places struct {
	Config string // the file of --config; "" for none
	Dir    string // the working directory, absolute
	Home   string // the user's directory
	GOOS   string
	Getenv func(string) string
}

// Scope is whose word a config file is.
type Scope string

// The scopes.
const (
	Explicit Scope = "config"  // named by --config
	Project  Scope = "project" // found in the working directory or above it: whoever made the project wrote it
	User     Scope = "user"    // in the user's own directories
)

// The clients whose files are read, besides mcpq.
const (
	mcpq          = "mcpq"
	claudeCode    = "claude-code"
	claudeDesktop = "claude-desktop"
	cursor        = "cursor"
	vsCode        = "vscode"
	windsurf      = "windsurf"
	codex         = "codex"
	gemini        = "gemini"
)

// Clients are the names of the clients whose files are read.
func Clients() []string {
	return []string{claudeCode, claudeDesktop, cursor, vsCode, windsurf, codex, gemini}
}

// File is a config file that may be there.
type File struct {
	Path   string
	Client string // whose it is
	Scope  Scope
	Folder string // what ${workspaceFolder} is in it

	projects []string // the folders whose servers it may hold apart (Claude Code)
}

// Files are the files that are looked into, the one that decides first.
func (p Places) Files() []*File {
	var files []*File
	if p.Config != "" {
		files = append(files, p.explicit(p.Config))
	}
	user := p.user()
	for dir := range p.folders() {
		for _, f := range []*File{
			{Path: filepath.Join(dir, ".mcp.json"), Client: claudeCode},
			{Path: filepath.Join(dir, ".vscode", "mcp.json"), Client: vsCode},
			{Path: filepath.Join(dir, ".cursor", "mcp.json"), Client: cursor},
		} {
			f.Scope, f.Folder = Project, dir
			// In the home directory some of these are the user's own.
			if !slices.ContainsFunc(user, func(u *File) bool { return u.Path == f.Path }) {
				files = append(files, f)
			}
		}
	}
	return append(files, user...)
}

// folders are the working directory and those above it, up to the home
// directory or the root.
func (p Places) folders() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			if !yield(dir) || dir == p.Home || dir == filepath.Dir(dir) {
				return
			}
		}
	}
}

// user are the files of the user.
func (p Places) user() []*File {
	files := []*File{{Path: p.Own(), Client: mcpq}}
	for _, client := range Clients() {
		files = append(files, &File{Path: p.of(client), Client: client})
	}
	// Where there is no home directory, nothing is the user's: least of all a
	// file in the working directory.
	files = slices.DeleteFunc(files, func(f *File) bool { return !filepath.IsAbs(f.Path) })
	for _, f := range files {
		f.Scope, f.Folder = User, p.Dir
		if f.Client == claudeCode {
			f.projects = slices.Collect(p.folders())
		}
	}
	return files
}

// Own is mcpq's own file.
func (p Places) Own() string {
	if dir := p.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcpq", "config.json")
	}
	if dir := p.Getenv("APPDATA"); p.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "mcpq", "config.json")
	}
	return filepath.Join(p.Home, ".config", "mcpq", "config.json")
}

// of is where a client keeps the servers of a user.
func (p Places) of(client string) string {
	switch client {
	case claudeCode:
		return filepath.Join(p.set("CLAUDE_CONFIG_DIR", p.Home), ".claude.json")
	case claudeDesktop:
		return filepath.Join(p.appData(), "Claude", "claude_desktop_config.json")
	case cursor:
		return filepath.Join(p.Home, ".cursor", "mcp.json")
	case vsCode:
		return filepath.Join(p.appData(), "Code", "User", "mcp.json")
	case windsurf:
		return filepath.Join(p.Home, ".codeium", "windsurf", "mcp_config.json")
	case codex:
		return filepath.Join(p.set("CODEX_HOME", filepath.Join(p.Home, ".codex")), "config.toml")
	case gemini:
		return filepath.Join(p.Home, ".gemini", "settings.json")
	}
	return ""
}

func (p Places) set(variable, otherwise string) string {
	if dir := p.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return otherwise
}

// appData is where programs with windows keep their settings.
func (p Places) appData() string {
	switch p.GOOS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return p.set("APPDATA", filepath.Join(p.Home, "AppData", "Roaming"))
	}
	return p.set("XDG_CONFIG_HOME", filepath.Join(p.Home, ".config"))
}

// explicit is a file that the user named.
func (p Places) explicit(name string) *File {
	f := &File{Path: name, Client: mcpq, Scope: Explicit, Folder: p.Dir}
	if !filepath.IsAbs(name) {
		f.Path = filepath.Join(p.Dir, name)
	}
	slashed := filepath.ToSlash(f.Path)
	switch base := path.Base(slashed); {
	case strings.HasSuffix(base, ".toml"):
		f.Client = codex
	case base == ".claude.json":
		f.Client, f.projects = claudeCode, slices.Collect(p.folders())
	case base == ".mcp.json":
		f.Client, f.Folder = claudeCode, filepath.Dir(f.Path)
	case strings.HasSuffix(slashed, "/.vscode/mcp.json"):
		f.Client, f.Folder = vsCode, filepath.Dir(filepath.Dir(f.Path))
	case strings.HasSuffix(slashed, "/.cursor/mcp.json"):
		f.Client, f.Folder = cursor, filepath.Dir(filepath.Dir(f.Path))
	case strings.HasSuffix(slashed, "/.gemini/settings.json"):
		f.Client = gemini
	}
	return f
}

// Source is the file that a client's name, or a path, means.
func (p Places) Source(name string) *File {
	for _, f := range p.user() {
		if f.Client == name && name != mcpq {
			return f
		}
	}
	return p.explicit(name)
}
