package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEdit(t *testing.T) {
	set := func(e *Edit) error { return e.Set("new", []byte(`{"command":"x","args":["y"]}`)) }
	remove := func(name string) func(e *Edit) error {
		return func(e *Edit) error {
			_, err := e.Remove(name)
			return err
		}
	}
	const laid = "{\n      \"command\": \"x\",\n      \"args\": [\n        \"y\"\n      ]\n    }"
	for _, c := range []struct {
		name, before string
		change       func(*Edit) error
		after        string
	}{
		{"an empty file", "", set, "{\n  \"mcpServers\": {\n    \"new\": " + laid + "\n  }\n}\n"},
		{"no servers yet", "{\n  // mine\n  \"other\": 1 // one\n}\n", set,
			"{\n  // mine\n  \"other\": 1, // one\n  \"mcpServers\": {\n    \"new\": " + laid + "\n  }\n}\n"},
		{"behind others", "{\n  \"mcpServers\": {\n    \"a\": {} // of a\n    /* end */\n  },\n  \"z\": 1\n}", set,
			"{\n  \"mcpServers\": {\n    \"a\": {}, // of a\n    /* end */\n    \"new\": " + laid + "\n  },\n  \"z\": 1\n}"},
		{"behind a trailing comma", "{\n  \"mcpServers\": {\n    \"a\": {}, // of a\n  },\n}\n", set,
			"{\n  \"mcpServers\": {\n    \"a\": {}, // of a\n    \"new\": " + laid + "\n  },\n}\n"},
		{"on one line", `{"servers":{"a":{}}}`, set,
			"{\"servers\":{\"a\":{},\n\"new\": " + strings.ReplaceAll(laid, "\n    ", "\n") + "\n}}"},
		{"in the place of null", "{\n  \"mcpServers\": null\n}\n", set, "{\n  \"mcpServers\": {\n    \"new\": " + laid + "\n  }\n}\n"},
		{"with tabs", "{\n\t\"mcpServers\": {\n\t}\n}\n", set,
			"{\n\t\"mcpServers\": {\n\t\t\"new\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\n\t\t\t\t\"y\"\n\t\t\t]\n\t\t}\n\t}\n}\n"},
		{"in its place", "{\n  \"mcpServers\": {\n    \"new\": {\"old\": true}, // of new\n    \"b\": 1\n  }\n}\n", set,
			"{\n  \"mcpServers\": {\n    \"new\": " + laid + ", // of new\n    \"b\": 1\n  }\n}\n"},
		{"the first", "{\"mcpServers\": {\n  // a is this\n  \"a\": {\"x\": [1, 2]},\n  // b is that\n  \"b\": 2\n}}", remove("a"),
			"{\"mcpServers\": {\n  // a is this\n  // b is that\n  \"b\": 2\n}}"},
		{"the last", "{\"mcpServers\": {\n  \"a\": 1, // of a\n  \"b\": 2 // of b\n}}", remove("b"),
			"{\"mcpServers\": {\n  \"a\": 1 // of a\n   // of b\n}}"},
		{"the only one", "{\n  \"mcpServers\": {\n    \"a\": 1,\n  }\n}\n", remove("a"), "{\n  \"mcpServers\": {\n  }\n}\n"},
		{"one of a line", `{"mcpServers":{"a":1,"b":2,"a":3}}`, remove("a"), `{"mcpServers":{"b":2}}`},
		{"none", `{"other":{"a":1}}`, remove("a"), `{"other":{"a":1}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := write(t, "x.json", c.before)
			if err := f.Change(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Error(diff)
			}
			if _, err := f.Read(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestChangeIsCareful(t *testing.T) {
	set := func(e *Edit) error { return e.Set("a", []byte(`{}`)) }
	f := write(t, "x.json", `{"mcpServers":{`)
	var file *FileError
	if err := f.Change(t.Context(), set); !errors.As(err, &file) {
		t.Errorf("a broken file: %v", err)
	}
	if err := write(t, "x.toml", "").Change(t.Context(), set); err == nil || !strings.Contains(err.Error(), "only JSON files") {
		t.Errorf("a TOML file: %v", err)
	}
	for _, text := range []string{`{"mcpServers":[]}`, `[]`} {
		if err := write(t, "x.json", text).Change(t.Context(), set); !errors.As(err, &file) {
			t.Errorf("%s: %v", text, err)
		}
	}
	failed := errors.New("no")
	f = write(t, "x.json", "{}")
	if err := f.Change(t.Context(), func(*Edit) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	// Somebody else writes at the same time: what they wrote stays.
	times := 0
	err := f.Change(t.Context(), func(e *Edit) error {
		if times++; times == 1 {
			if err := os.WriteFile(f.Path, []byte(`{"theirs":1}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return set(e)
	})
	text, _ := os.ReadFile(f.Path)
	if err != nil || times != 2 || !strings.Contains(string(text), "theirs") || !strings.Contains(string(text), "mcpServers") {
		t.Errorf("after %d times: %v\n%s", times, err, text)
	}
	// A new file is the user's alone, and a link stays a link.
	if runtime.GOOS == "windows" {
		return
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(f.Path, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "new", "x.json"), link} {
		if err := (&File{Path: path}).Change(t.Context(), set); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if err := os.Chmod(f.Path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := (&File{Path: f.Path, Scope: Explicit}).Change(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("a file that the user named: %v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is %v, %v", info, err)
	}
}

// FuzzEdit changes files of any kind: what is not meant stays.
func FuzzEdit(f *testing.F) {
	f.Add([]byte("{\n  \"mcpServers\": {\n    \"a\": {}, // of a\n  },\n}\n"), "a")
	f.Add([]byte(`{"servers":{"a":{},"b":/**/1}}`), "b")
	f.Add([]byte(``), "")
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		if !utf8.ValidString(name) {
			return // it could not be written
		}
		file := &File{}
		before, err := file.readJSON((&Edit{text: append([]byte(nil), text...)}).orEmpty())
		if err != nil {
			return
		}
		e := &Edit{text: append([]byte(nil), text...)}
		if err := e.Set(name, []byte(`{"x":1}`)); err != nil {
			return // servers that are no object
		}
		if !e.Has(name) {
			t.Fatalf("%q is not there:\n%s", name, e.text)
		}
		others := func(entries []*Entry) (s string) {
			for _, e := range entries {
				if e.Name != name {
					s += shown([]*Entry{e})
				}
			}
			return s
		}
		after, err := file.readJSON(append([]byte(nil), e.text...))
		if err != nil || others(before) != others(after) {
			t.Fatalf("%v\nbefore: %s\nafter: %s\n%s", err, others(before), others(after), e.text)
		}
		if removed, err := e.Remove(name); err != nil || !removed {
			t.Fatalf("not removed: %v\n%s", err, e.text)
		}
		after, err = file.readJSON(append([]byte(nil), e.text...))
		if err != nil || others(before) != others(after) {
			t.Fatalf("%v\nbefore: %s\nafter removal: %s\n%s", err, others(before), others(after), e.text)
		}
	})
}

// Of changes made at the same time none is lost.
func TestChangedTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked")
	}
	const changes = 20
	path := filepath.Join(t.TempDir(), "new", "config.json")
	var all sync.WaitGroup
	for i := range changes {
		all.Go(func() {
			err := (&File{Path: path}).Change(t.Context(), func(e *Edit) error {
				return e.Set(fmt.Sprint("s", i), []byte(`{"command":"x"}`))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	entries, err := (&File{Path: path}).Read()
	if err != nil || len(entries) != changes {
		t.Errorf("%d of %d are there: %v", len(entries), changes, err)
	}
}

// Who waits for a turn that does not come is not held up for ever.
func TestChangeWaits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked")
	}
	dir := t.TempDir()
	unlock, err := lockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	over := errors.New("over")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(over)
	err = (&File{Path: filepath.Join(dir, "x.json")}).Change(ctx, func(*Edit) error { return nil })
	if !errors.Is(err, over) {
		t.Errorf("error %v", err)
	}
}
