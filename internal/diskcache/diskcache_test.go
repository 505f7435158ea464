package diskcache

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// noWarning fails the test when something is wrong.
func noWarning(t *testing.T) func(error) {
	return func(err error) {
		t.Helper()
		t.Error(err)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if e.Name() != marker {
			all = append(all, e.Name())
		}
	}
	return all
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := New(dir, DefaultLimits(), noWarning(t))
	if _, ok := s.Get("k1"); ok {
		t.Error("something in an empty store")
	}
	s.Delete("k1")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("reading made the directory")
	}
	for _, value := range []string{"one", "", "two\n\x00"} {
		s.Put("k1", []byte(value))
		got, ok := New(dir, DefaultLimits(), noWarning(t)).Get("k1")
		if !ok || string(got) != value {
			t.Errorf("got %q, %t; want %q", got, ok, value)
		}
	}
	s.Delete("k1")
	if _, ok := s.Get("k1"); ok || len(names(t, dir)) != 0 {
		t.Errorf("left: %v", names(t, dir))
	}
	for _, key := range []string{"", "../k", "A", "a/b", ".swept", "new-1"} {
		s.Put(key, []byte("x"))
		if _, ok := s.Get(key); ok || len(names(t, dir)) != 0 {
			t.Errorf("%q is a key", key)
		}
	}
	s.Put("large", make([]byte, maxValue+1))
	if len(names(t, dir)) != 0 {
		t.Error("a value that is too large was kept")
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing here")
	}
	dir := filepath.Join(t.TempDir(), "c")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	New(dir, DefaultLimits(), noWarning(t)).Put("k", []byte("v"))
	for name, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "k"): 0o600, filepath.Join(dir, marker): 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: mode %o instead of %o", name, info.Mode().Perm(), want)
		}
	}
}

// A file that is not whole is no value, and is removed.
func TestCorrupt(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, DefaultLimits(), noWarning(t))
	s.Put("k", []byte("some value"))
	file := filepath.Join(dir, "k")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty":     {},
		"head":      whole[:headLength-1],
		"cut":       whole[:len(whole)-1],
		"longer":    append(bytes.Clone(whole), 'x'),
		"changed":   append(bytes.Clone(whole[:len(whole)-1]), 'x'),
		"other":     []byte("mcpq0 00000000\n"),
		"not at it": bytes.Repeat([]byte{0}, 100),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if v, ok := s.Get("k"); ok {
				t.Errorf("got %q", v)
			}
			if len(names(t, dir)) != 0 {
				t.Error("it is still there")
			}
		})
	}
}

// A directory that cannot be used is told of once; nothing fails.
func TestUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		told := 0
		s := New(dir, DefaultLimits(), func(error) { told++ })
		for range 3 {
			s.Put("k", []byte("v"))
			s.Get("k")
			s.Delete("k")
		}
		if told != 1 {
			t.Errorf("%s: told %d times", dir, told)
		}
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	limits := Limits{Bytes: 1000, Files: 8, Age: time.Hour}
	s := New(dir, limits, noWarning(t))
	put := func(key string, size int, age time.Duration) {
		t.Helper()
		name := filepath.Join(dir, key)
		if err := os.WriteFile(name, wrap(make([]byte, size)), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		make func()
		want string
	}{
		{"nothing to do", func() { put("a", 10, 0); put("new-1", 10, 0) }, "a new-1"},
		{"too old", func() { put("a", 10, 61*time.Minute); put("b", 10, 59*time.Minute) }, "b"},
		{"abandoned", func() { put("new-1", 10, 2*time.Hour); put("b", 10, 0) }, "b"},
		{"too many", func() {
			for i := range 9 {
				put(fmt.Sprintf("k%d", i), 1, time.Duration(i)*time.Minute)
			}
		}, "k0 k1 k2 k3 k4 k5"},
		{"too large", func() { put("a", 400, 3*time.Minute); put("b", 400, time.Minute); put("c", 300, 2*time.Minute) }, "b c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range names(t, dir) {
				if err := os.Remove(filepath.Join(dir, n)); err != nil {
					t.Fatal(err)
				}
			}
			c.make()
			s.sweep()
			if got := strings.Join(names(t, dir), " "); got != c.want {
				t.Errorf("left %s, want %s", got, c.want)
			}
		})
	}
	if s.overdue() {
		t.Error("just swept, and overdue")
	}
}

// What one process puts stays within bounds without anybody asking.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, Limits{Bytes: 8 << 20, Files: 300, Age: time.Hour}, noWarning(t))
	for i := range 1000 {
		s.Put(fmt.Sprintf("k%d", i), make([]byte, 10))
	}
	if n := len(names(t, dir)); n > 300+sweepPuts {
		t.Errorf("%d files", n)
	}
	for i := range 20 {
		s.Put(fmt.Sprintf("l%d", i), make([]byte, 2<<20))
	}
	var total int64
	for _, n := range names(t, dir) {
		info, err := os.Stat(filepath.Join(dir, n))
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 8<<20+sweepBytes+2<<20 {
		t.Errorf("%d bytes", total)
	}
}

const asWriter = "MCPQ_TEST_CACHE_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		hammer(dir, func(err error) {
			fmt.Println(err)
			os.Exit(1)
		})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hammer writes, reads and deletes two keys, and finds every value whole.
func hammer(dir string, fail func(error)) {
	s := New(dir, Limits{Bytes: 1 << 16, Files: 3, Age: time.Hour}, nil)
	for i := range 300 {
		key := fmt.Sprintf("k%d", i%2)
		s.Put(key, bytes.Repeat([]byte{byte('a' + i%26)}, 1000+i))
		if v, ok := s.Get(key); ok && bytes.Count(v, v[:1]) != len(v) {
			fail(fmt.Errorf("a mixture: %q", v))
		}
		if i%7 == 0 {
			s.Delete(key)
		}
		if i%50 == 0 {
			s.sweep()
		}
	}
}

// Processes that use the same directory at once see whole values only.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), asWriter+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		work.Go(func() { hammer(dir, func(err error) { t.Error(err) }) })
	}
	work.Wait()
	for _, n := range names(t, dir) {
		if strings.HasPrefix(n, temporary) {
			t.Errorf("%s was left", n)
		}
	}
}

func BenchmarkHit(b *testing.B) {
	s := New(b.TempDir(), DefaultLimits(), nil)
	for _, size := range []int{1 << 10, 100 << 10} {
		key := fmt.Sprintf("k%d", size)
		s.Put(key, make([]byte, size))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				if _, ok := New(s.dir, s.limit, nil).Get(key); !ok {
					b.Fatal("no hit")
				}
			}
		})
	}
}

func BenchmarkMiss(b *testing.B) {
	s := New(b.TempDir(), DefaultLimits(), nil)
	for b.Loop() {
		s.Get("k")
	}
}

func BenchmarkPut(b *testing.B) {
	s := New(b.TempDir(), DefaultLimits(), nil)
	for b.Loop() {
		s.Put("k", make([]byte, 10<<10))
	}
}
