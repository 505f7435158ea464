package diskcache

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// marker is the file whose time says when the directory was last swept.
	marker = ".swept"
	// sweepEvery, sweepPuts and sweepBytes are what may happen in between,
	// the latter two in one process.
	sweepEvery = 10 * time.Minute
	sweepPuts  = 256
	sweepBytes = 4 << 20
	// abandoned is the age at which nobody writes a file any more.
	abandoned = time.Hour
)

// account counts what was put, and sweeps the directory when it is time to. The
// first put of a process looks when that was last done.
func (s *Store) account(n int) {
	s.mu.Lock()
	first := s.puts == 0
	s.puts++
	s.bytes += int64(n)
	due := s.puts > sweepPuts || s.bytes > sweepBytes
	if due {
		s.puts, s.bytes = 1, 0
	}
	s.mu.Unlock()
	if due || first && s.overdue() {
		s.sweep()
	}
}

func (s *Store) overdue() bool {
	info, err := os.Stat(filepath.Join(s.dir, marker))
	if err != nil {
		return true
	}
	age := time.Since(info.ModTime())
	return age > sweepEvery || age < 0
}

// file is what sweeping knows of one.
type file struct {
	name    string
	size    int64
	written time.Time
}

// sweep removes what is old, and then the oldest until there is room again.
func (s *Store) sweep() {
	// The marker comes first, so that other processes leave it to this one.
	if f, err := os.OpenFile(filepath.Join(s.dir, marker), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_ = f.Close() // it is empty
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(s.dir, marker), now, now) // at worst it is swept again
	var files []file
	total := int64(0)
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || e.Name() == marker {
			continue
		}
		f := file{e.Name(), info.Size(), info.ModTime()}
		age := now.Sub(f.written)
		switch isNew := strings.HasPrefix(f.name, temporary); {
		case isNew && age > abandoned, !isNew && age > s.limit.Age:
			s.remove(f.name)
		case !isNew:
			files = append(files, f)
			total += f.size
		}
	}
	if total <= s.limit.Bytes && len(files) <= s.limit.Files {
		return
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.written.Compare(b.written), cmp.Compare(a.name, b.name))
	})
	left := len(files)
	for _, f := range files {
		if total <= s.limit.Bytes*3/4 && left <= s.limit.Files*3/4 { // not to do this every time
			return
		}
		s.remove(f.name)
		total -= f.size
		left--
	}
}

func (s *Store) remove(name string) {
	_ = os.Remove(filepath.Join(s.dir, name)) // another process may have been faster
}
