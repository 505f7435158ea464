package credstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"mcpq/internal/credstore"
)

// asCounter makes this test binary a process that counts up in the store.
const asCounter = "CREDSTORE_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asCounter); dir != "" {
		if err := count(context.Background(), &credstore.Store{Dir: dir}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const rounds = 20

// count reads, waits a little, and writes one more: updates that overlap would
// lose some.
func count(ctx context.Context, s *credstore.Store) error {
	for range rounds {
		err := s.Update(ctx, "n", func(old []byte) ([]byte, error) {
			n, _ := strconv.Atoi(string(old)) // nothing is 0
			runtime.Gosched()
			return []byte(strconv.Itoa(n + 1)), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestProcessesTakeTurns(t *testing.T) {
	dir := t.TempDir()
	const processes = 5
	var all sync.WaitGroup
	for range processes {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), asCounter+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	got, err := (&credstore.Store{Dir: dir}).Load(t.Context(), "n")
	if err != nil || string(got) != strconv.Itoa(processes*rounds) {
		t.Errorf("counted %s, %v", got, err)
	}
}

// fakeKeyring is a keyring that can fail.
type fakeKeyring struct {
	all  map[string]string
	fail error
}

func (k *fakeKeyring) Get(_ context.Context, name string) (string, error) {
	if k.fail != nil {
		return "", k.fail
	}
	s, ok := k.all[name]
	if !ok {
		return "", credstore.ErrNotFound
	}
	return s, nil
}

func (k *fakeKeyring) Set(_ context.Context, name, secret string) error {
	if k.fail == nil {
		k.all[name] = secret
	}
	return k.fail
}

func (k *fakeKeyring) Delete(_ context.Context, name string) error {
	if k.fail == nil {
		delete(k.all, name)
	}
	return k.fail
}

func put(t *testing.T, s *credstore.Store, name, text string) {
	t.Helper()
	err := s.Update(t.Context(), name, func([]byte) ([]byte, error) {
		if text == "" {
			return nil, nil
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *credstore.Store, name string) string {
	t.Helper()
	data, err := s.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := &credstore.Store{Dir: dir}
	if got := get(t, s, "x"); got != "" {
		t.Errorf("got %q", got)
	}
	put(t, s, "x", `{"a":1}`)
	put(t, s, "y/../z", `{"b":2}`)
	if got := get(t, &credstore.Store{Dir: dir}, "x"); got != `{"a":1}` || s.Place("x") != "file" {
		t.Errorf("got %q in %q", got, s.Place("x"))
	}
	names, err := s.Names()
	if err != nil || fmt.Sprint(names) != "[x y/../z]" {
		t.Errorf("got %q, %v", names, err)
	}
	if runtime.GOOS != "windows" {
		err = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %s", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	failure := errors.New("no")
	if err := s.Update(t.Context(), "x", func([]byte) ([]byte, error) { return []byte(`2`), failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if got := get(t, s, "x"); got != `{"a":1}` {
		t.Errorf("a failed change left %q", got)
	}
	put(t, s, "x", "")
	if got := get(t, s, "x"); got != "" || s.Place("x") != "" {
		t.Errorf("left: %q", got)
	}
}

func TestBrokenFile(t *testing.T) {
	s := &credstore.Store{Dir: t.TempDir()}
	put(t, s, "x", `{}`)
	files, _ := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if len(files) != 1 || os.WriteFile(files[0], []byte(`{"name":`), 0o600) != nil {
		t.Fatal(files)
	}
	if got := get(t, s, "x"); got != "" {
		t.Errorf("got %q", got)
	}
	put(t, s, "x", `{"again":1}`)
	if got := get(t, s, "x"); got != `{"again":1}` {
		t.Errorf("got %q", got)
	}
}

func TestKeyring(t *testing.T) {
	ring := &fakeKeyring{all: map[string]string{}}
	s := &credstore.Store{Dir: t.TempDir(), Keyring: ring}
	put(t, s, "x", `{"secret":"hush"}`)
	if got := get(t, s, "x"); got != `{"secret":"hush"}` || s.Place("x") != "keyring" || ring.all["x"] != got {
		t.Errorf("got %q in %q", got, s.Place("x"))
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	text, err := os.ReadFile(files[0])
	if err != nil || string(text) != `{"name":"x","keyring":true}`+"\n" {
		t.Errorf("the file has %s, %v", text, err)
	}

	// Elsewhere the keyring is out of reach, and the record counts as none.
	if got := get(t, &credstore.Store{Dir: s.Dir}, "x"); got != "" {
		t.Errorf("got %q", got)
	}

	// One that fails to read is an error; one that takes nothing more leaves
	// the record to the file.
	ring.fail = errors.New("locked")
	var failed *credstore.Error
	if _, err := s.Load(t.Context(), "x"); !errors.As(err, &failed) {
		t.Errorf("got %v", err)
	}
	put(t, s, "y", `{}`)
	if s.Place("y") != "file" {
		t.Errorf("in %q", s.Place("y"))
	}
	ring.fail = nil
	put(t, s, "y", `{"n":2}`)
	put(t, s, "x", "")
	if len(ring.all) != 1 || s.Place("y") != "keyring" || get(t, s, "y") != `{"n":2}` {
		t.Errorf("the keyring has %v", ring.all)
	}
}

// Who waits for a lock can be told to stop.
func TestLockWait(t *testing.T) {
	s := &credstore.Store{Dir: t.TempDir()}
	held, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- s.Update(context.Background(), "x", func([]byte) ([]byte, error) {
			close(held)
			<-release
			return nil, nil
		})
	}()
	<-held
	const short = 30 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	err := s.Update(ctx, "x", func([]byte) ([]byte, error) {
		t.Error("two at once")
		return nil, nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
