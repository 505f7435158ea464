// Package diskcache keeps small values in files of one directory, for several
// processes at once. It may forget anything: whatever is wrong with the
// directory or a file makes a value one that is not there.
//
// Every value is a file of its own, named by its key, so that a hit reads no
// more than it needs. A file is written under another name and renamed: who
// reads it sees the old value, the new one or none, but always a whole one. Only
// the user can read them.
package diskcache

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Store is a directory of values. Its methods are safe for concurrent use.
type Store struct {
	dir   string
	warn  func(error)
	limit Limits

	once   sync.Once // looks at the directory before it is read
	usable bool

	mu     sync.Mutex
	warned bool
	made   bool
	puts   int   // since this process has swept, or looked whether to
	bytes  int64 // the same
}

// Limits bound a store. They are looked after now and then, so it may be more
// for a while.
type Limits struct {
	Bytes int64         // of all files
	Files int           // number of them
	Age   time.Duration // since a file was written
}

// DefaultLimits are those of a cache nobody has to think of.
func DefaultLimits() Limits {
	return Limits{Bytes: 64 << 20, Files: 4096, Age: 8 * 24 * time.Hour}
}

// maxValue bounds one value.
const maxValue = 8 << 20

// New returns a store in dir, which is made when something is put into it. Warn,
// which may be nil, is told once why values are not kept.
func New(dir string, limit Limits, warn func(error)) *Store {
	return &Store{dir: dir, limit: limit, warn: warn}
}

// Get gives the value under a key.
func (s *Store) Get(key string) ([]byte, bool) {
	name, ok := s.name(key)
	if !ok || !s.open() {
		return nil, false
	}
	f, err := os.Open(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.fail(err)
		}
		return nil, false
	}
	data, err := readAll(f)
	_ = f.Close() // nothing was written
	if err != nil {
		s.fail(err)
		return nil, false
	}
	value, ok := unwrap(data)
	if !ok {
		_ = os.Remove(name) // another process may have been faster
	}
	return value, ok
}

// readAll reads a file that nobody changes. One that is too large comes cut, so
// that it is not whole.
func readAll(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, min(info.Size(), maxValue+int64(headLength)))
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// Put puts a value under a key.
func (s *Store) Put(key string, value []byte) {
	name, ok := s.name(key)
	if !ok || len(value) > maxValue || !s.prepare() {
		return
	}
	if err := write(s.dir, name, wrap(value)); err != nil {
		s.fail(err)
		return
	}
	s.account(len(value))
}

// Delete takes out what is under a key.
func (s *Store) Delete(key string) {
	if name, ok := s.name(key); ok && s.open() {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.fail(err)
		}
	}
}

// name is that of a key's file; ok is false for a key that is none.
func (s *Store) name(key string) (string, bool) {
	for _, c := range []byte(key) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return "", false
		}
	}
	return filepath.Join(s.dir, key), key != ""
}

// open reports whether what is in the directory can be trusted.
func (s *Store) open() bool {
	s.once.Do(func() {
		err := private(s.dir)
		s.usable = err == nil || errors.Is(err, fs.ErrNotExist)
		if !s.usable {
			s.fail(err)
		}
	})
	return s.usable
}

// prepare makes the directory.
func (s *Store) prepare() bool {
	if !s.open() {
		return false
	}
	s.mu.Lock()
	made := s.made
	s.made = true
	s.mu.Unlock()
	if made {
		return true
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		s.fail(err)
		return false
	}
	return true
}

// fail tells that values are not kept, once.
func (s *Store) fail(err error) {
	s.mu.Lock()
	first := !s.warned
	s.warned = true
	s.mu.Unlock()
	if first && s.warn != nil {
		s.warn(fmt.Errorf("nothing is cached: %w", err))
	}
}

// temporary is how names of files begin that are being written. No key has it.
const temporary = "new-"

func write(dir, name string, data []byte) error {
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		// Some file systems write a file to the disk at once when it takes the
		// place of another. A cache can do without, and without both for a
		// moment.
		_ = os.Remove(name) // most often there is none
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is of no use
	}
	return err
}

// A file begins with a line that tells a whole value from anything else.
const (
	format     = "mcpq1 %08x\n"
	headLength = len("mcpq1 ") + 8 + 1
)

func head(value []byte) []byte { return fmt.Appendf(nil, format, crc32.ChecksumIEEE(value)) }

func wrap(value []byte) []byte { return append(head(value), value...) }

func unwrap(data []byte) ([]byte, bool) {
	if len(data) < headLength {
		return nil, false
	}
	value := data[headLength:]
	return value, bytes.Equal(data[:headLength], head(value))
}
