package completion

import (
	"os"
	"path/filepath"
	"strings"
)

// files lists the files that the word may go on to name. A folder ends in a
// slash, and goes on.
func (l *Line) files(a *Answer) []Item {
	text := l.Word.Text
	if a.From > len(text) || l.Word.Unknown {
		return nil
	}
	dir, base := filepath.Split(text[a.From:])
	where := dir
	if where == "" {
		where = "."
	}
	entries, _ := os.ReadDir(where) // what can be read of it counts
	var items []Item
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".")
		if hidden || !safe(name) || l.shell == Bash && !strings.HasPrefix(name, base) {
			continue
		}
		info, err := os.Stat(filepath.Join(where, name)) // through links
		isDir := err == nil && info.IsDir()
		switch {
		case isDir:
			items = append(items, Item{Text: text[:a.From] + dir + name + "/", Open: true})
		case a.Files == AnyFile:
			items = append(items, Item{Text: text[:a.From] + dir + name})
		}
	}
	return items
}
