package servers

import (
	"fmt"
	"strings"
)

// UnknownError is a name that no config file has.
type UnknownError struct {
	Name   string
	Known  []string // the names that there are
	Looked []string // the files there are
}

func (e *UnknownError) Error() string {
	if len(e.Looked) == 0 {
		return fmt.Sprintf("unknown server %q: there is no config file", e.Name)
	}
	if len(e.Looked) == 1 {
		return fmt.Sprintf("unknown server %q: it is not in %s", e.Name, e.Looked[0])
	}
	return fmt.Sprintf("unknown server %q: it is in none of %s", e.Name, strings.Join(e.Looked, ", "))
}

// Find finds the entry of a name: the first there is. Files behind it are not
// read. The broken ones before it come back as well; one that the user named
// himself is an error. The error is a *[FileError] or an *[UnknownError].
func (p Places) Find(name string) (entry *Entry, broken []error, err error) {
	unknown := &UnknownError{Name: name}
	for _, f := range p.Files() {
		entries, err := f.Read()
		switch {
		case err != nil && f.Scope == Explicit:
			return nil, nil, err
		case err != nil:
			broken = append(broken, err)
		}
		if entries != nil {
			unknown.Looked = append(unknown.Looked, f.Path)
		}
		for _, e := range entries {
			if e.Name == name {
				return e, broken, nil
			}
			unknown.Known = append(unknown.Known, e.Name)
		}
	}
	if len(broken) > 0 {
		return nil, broken[1:], broken[0]
	}
	return nil, nil, unknown
}

// All gives the entries of all files, the one that decides before those that it
// shadows, and the files that could not be read.
func (p Places) All() (entries []*Entry, broken []error) {
	for _, f := range p.Files() {
		found, err := f.Read()
		if err != nil {
			broken = append(broken, err)
		}
		entries = append(entries, found...)
	}
	return entries, broken
}
