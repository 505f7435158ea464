package servers

import (
	"slices"

	"mcpq/internal/rawjson"
)

// readProjects reads what the file of Claude Code holds for single projects: an
// object of settings for each folder, with mcpServers in it. Servers of the
// working directory come before those of the folders above it.
func (f *File) readProjects(v *rawjson.Value) ([]*Entry, error) {
	of := make(map[string][]*Entry)
	err := v.Object(func(folder string, v *rawjson.Value) error {
		if !slices.Contains(f.projects, folder) {
			return nil
		}
		of[folder] = nil
		return v.Object(func(key string, v *rawjson.Value) error {
			if key != "mcpServers" {
				return nil
			}
			var err error
			of[folder], err = f.definitions(v, folder)
			return err
		})
	})
	var entries []*Entry
	for _, folder := range f.projects {
		entries = append(entries, of[folder]...)
	}
	return entries, err
}
