package outfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// save decodes documents and commits.
func save(t *testing.T, o Options, docs ...string) error {
	t.Helper()
	s, err := New(o)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		if err := Decode(strings.NewReader(doc), s); err != nil {
			s.Abort()
			return err
		}
	}
	_, err = s.Commit()
	return err
}

// tree is every file below dir with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const (
	twoTexts = `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`
	picture  = `{"content":[{"type":"text","text":"before"},{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"text","text":"behind"}]}`
	evil     = `{"contents":[{"uri":"x://h/..%2f..%2fevil","text":"1"},{"uri":"x://h/a.txt","text":"2"},{"uri":"x://other/a.txt","text":"3"},{"uri":"x://h/A.TXT","text":"4"},{"uri":"x://h/.ssh","blob":"NQ"}]}`
)

func TestSaveFile(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"texts are put together", twoTexts, "a\nb"},
		{"binary wins", picture, "hi"},
		{"structured when there is nothing else", `{"structuredContent":{"n":1.0},"content":[]}`, "{\"n\":1.0}\n"},
		{"text wins over structured", `{"structuredContent":{},"content":[{"text":"t"}]}`, "t"},
		{"empty", `{"contents":[{"uri":"a:b","text":""}]}`, ""},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "out")
		if err := os.WriteFile(file, []byte("old and longer than the new one"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := save(t, Options{Path: file}, tt.doc); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(map[string]string{"out": tt.want}, tree(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if info, _ := os.Stat(file); runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: the mode is %v now", tt.name, info.Mode())
		}
		var out bytes.Buffer
		if err := save(t, Options{Path: "-", Stdout: &out}, tt.doc); err != nil || out.String() != tt.want {
			t.Errorf("%s, to stdout: %q, %v", tt.name, &out, err)
		}
	}
}

func TestSaveNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out")
	for name, tt := range map[string]struct {
		doc  string
		want any
	}{
		"no content":       {`{"content":[]}`, new(*NothingError)},
		"only a link":      {`{"content":[{"type":"resource_link","uri":"a:b"}]}`, new(*NothingError)},
		"two pictures":     {`{"content":[{"data":"aGk="},{"data":"aGk="}]}`, new(*SeveralError)},
		"broken base64":    {`{"contents":[{"blob":"aGk="},{"blob":"?"}]}`, new(error)},
		"broken in a dir/": {`{"contents":[{"blob":"aGk="},{"blob":"?"}]}`, new(*Base64Error)},
	} {
		path := file
		if strings.HasSuffix(name, "/") {
			path = file + "/"
		}
		if err := save(t, Options{Path: path}, tt.doc); err == nil || !errors.As(err, tt.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := tree(t, dir); len(got) != 0 {
			t.Errorf("%s: there is %v", name, got)
		}
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s: a directory is left", name)
		}
	}
}

func TestSaveDirectory(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "dir")
	want := map[string]string{"dir/_._.._evil": "1", "dir/a.txt": "2", "dir/a-2.txt": "3", "dir/A-3.TXT": "4", "dir/_ssh": "5"}
	if err := save(t, Options{Path: dir + "/"}, evil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tree(t, outer)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// Once more: numbers; with Force the same names again.
	if err := save(t, Options{Path: dir}, `{"contents":[{"uri":"x://h/a.txt","text":"new"}]}`); err != nil {
		t.Fatal(err)
	}
	if err := save(t, Options{Path: dir, Force: true}, `{"contents":[{"uri":"x://h/a.txt","text":"x"},{"uri":"x://h/a.txt","text":"y"}]}`); err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	if got["a-3.txt"] != "new" || got["a.txt"] != "x" || got["a-2.txt"] != "y" {
		t.Errorf("got %v", got)
	}
	for name := range got {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is left", name)
		}
	}
}

// TestSaveThroughLinks puts links where files are to go: none is followed.
func TestSaveThroughLinks(t *testing.T) {
	for _, force := range []bool{false, true} {
		outer := t.TempDir()
		dir := filepath.Join(outer, "dir")
		victim := filepath.Join(outer, "victim")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(victim, []byte("safe"), 0o644)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, filepath.Join(dir, "a.txt")); err != nil {
			t.Skip(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "b.txt"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := save(t, Options{Path: dir, Force: force}, `{"contents":[{"uri":"x:a.txt","text":"1"},{"uri":"x:b.txt","text":"2"}]}`); err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(victim); string(data) != "safe" {
			t.Errorf("force %v: the file behind the link is %q", force, data)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "b-2.txt")); string(data) != "2" {
			t.Errorf("force %v: %v", force, tree(t, dir))
		}
	}
	// A FILE that the user names may be a link, as for a shell.
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	if err := save(t, Options{Path: link}, twoTexts); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(file); string(data) != "a\nb" {
		t.Errorf("the file behind the link is %q", data)
	}
}

func TestNoClobber(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	s, err := New(Options{Path: file, NoClobber: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := Decode(strings.NewReader(twoTexts), s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("meanwhile"), 0o644); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	if _, err := s.Commit(); !errors.As(err, &exists) {
		t.Errorf("a file that came in between: %v", err)
	}
	if _, err := New(Options{Path: file, NoClobber: true}); !errors.As(err, &exists) {
		t.Errorf("a file that is there: %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != "meanwhile" {
		t.Errorf("it is %q now", data)
	}
}

func TestPlaces(t *testing.T) {
	var bad *PathError
	for _, path := range []string{"", filepath.Join(t.TempDir(), "no", "such", "file")} {
		if _, err := New(Options{Path: path}); !errors.As(err, &bad) {
			t.Errorf("%q: got %v", path, err)
		}
	}
	if err := save(t, Options{Path: os.DevNull}, picture); err != nil {
		t.Errorf("a device: %v", err)
	}
}
