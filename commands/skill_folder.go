package commands

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mcpq/mcp"
)

// skillFolder is a skill on its way to DIR/NAME. It is put together beside its
// place and moved there when every file has come and been checked.
type skillFolder struct {
	skill *mcp.Skill
	dir   string
	force bool
}

func (f *skillFolder) save(ctx context.Context) (err error) {
	paths, err := f.skill.Paths(ctx)
	if err != nil {
		return err
	}
	if err := f.check(paths); err != nil {
		return err
	}
	target := filepath.Join(f.dir, f.skill.Name)
	if !f.force && exists(target) {
		return occupied(target)
	}
	if !exists(f.dir) {
		defer func() {
			if err != nil {
				_ = os.Remove(f.dir) // it stays if something else is in it by now
			}
		}()
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return unsaved(err)
	}
	temporary, err := os.MkdirTemp(f.dir, "."+f.skill.Name+"-*")
	if err != nil {
		return unsaved(err)
	}
	defer func() { _ = os.RemoveAll(temporary) }() // what is left of it
	files := filepath.Join(temporary, "new")
	if err := os.Mkdir(files, 0o777); err != nil {
		return unsaved(err)
	}
	if err := f.fill(ctx, files, paths); err != nil {
		return err
	}
	return f.move(files, target, filepath.Join(temporary, "old"))
}

// fill reads every file into the folder. None of their paths leads out of it,
// which the root sees to once more.
func (f *skillFolder) fill(ctx context.Context, folder string, paths []string) (err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return unsaved(err)
	}
	defer func() {
		if closeErr := root.Close(); err == nil && closeErr != nil {
			err = unsaved(closeErr)
		}
	}()
	for _, p := range paths {
		data, err := f.skill.File(ctx, p)
		if err != nil {
			return err
		}
		name := filepath.FromSlash(p)
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return unsaved(err)
		}
		if err := writeNew(root, name, data); err != nil {
			return unsaved(err)
		}
	}
	return nil
}

func writeNew(root *os.Root, name string, data []byte) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// move puts the folder in its place; with force, what was there goes to old.
func (f *skillFolder) move(files, target, old string) error {
	if f.force && exists(target) {
		if err := os.Rename(target, old); err != nil {
			return unsaved(err)
		}
		if err := os.Rename(files, target); err != nil {
			_ = os.Rename(old, target) // it was there a moment ago
			return unsaved(err)
		}
		return nil
	}
	if exists(target) { // on some systems an empty folder would be replaced
		return occupied(target)
	}
	if err := os.Rename(files, target); err != nil {
		return unsaved(err)
	}
	return nil
}

func unsaved(err error) error { return usagef("the skill cannot be saved: %w", err) }

// check refuses names that would become something else on one of the systems
// that the folder may come to, and two that would become the same.
func (f *skillFolder) check(paths []string) error {
	refuse := func(name, reason string) error {
		return &mcp.SkillError{URI: f.skill.URI, Reason: fmt.Sprintf("a file of the name %q cannot be saved: %s", name, reason)}
	}
	if reason := unportable(f.skill.Name); reason != "" {
		return refuse(f.skill.Name, reason)
	}
	files, folders := make(map[string]bool), make(map[string]bool)
	for _, p := range paths {
		if !fs.ValidPath(p) || !filepath.IsLocal(filepath.FromSlash(p)) {
			return refuse(p, "it leads elsewhere")
		}
		for _, part := range strings.Split(p, "/") {
			if reason := unportable(part); reason != "" {
				return refuse(p, reason)
			}
		}
		folded := strings.ToLower(p)
		if files[folded] {
			return refuse(p, "another one differs only in case")
		}
		files[folded] = true
		for dir := path.Dir(folded); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for folder := range folders {
		if files[folder] {
			return refuse(folder, "there is a folder of that name too")
		}
	}
	return nil
}

// unportable tells why a name is not one on every system; "" if it is.
func unportable(name string) string {
	for _, r := range name {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*\/`, r) {
			return fmt.Sprintf("%q may not be in a name", r)
		}
	}
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base = strings.TrimRight(base, " ")
	device := false
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		device = true
	default:
		for _, kind := range []string{"COM", "LPT"} {
			number, ok := strings.CutPrefix(base, kind)
			device = device || ok && (len(number) == 1 && number >= "0" && number <= "9" || number == "¹" || number == "²" || number == "³")
		}
	}
	switch {
	case device:
		return "it is that of a device on Windows"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "Windows drops its end"
	case len(name) > 255:
		return "it is too long"
	}
	return ""
}
