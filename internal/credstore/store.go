// Package credstore keeps secrets between runs, one record for each name: in
// the keyring of the operating system, or in a file that only the user can read
// where there is none or the record is too large for it.
//
// Every record has a file in the store's directory, which says what it is for
// and whether its secret is in the keyring. The file is replaced as a whole, and
// a lock file beside it keeps processes that change the same record apart.
package credstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Store is a directory of records. It is safe for concurrent use, also by
// several processes.
type Store struct {
	Dir     string
	Keyring Keyring // nil: there is none
}

// Keyring is that of the operating system.
type Keyring interface {
	// Get returns ErrNotFound when there is no such secret.
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, secret string) error
	Delete(ctx context.Context, name string) error
}

// ErrNotFound is a secret that is not in a keyring.
var ErrNotFound = errors.New("not in the keyring")

// Error is a record that could not be read or written.
type Error struct {
	Op  string // read, write or lock
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot %s stored credentials: %v", e.Op, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// entry is the file of a record.
type entry struct {
	Name    string          `json:"name"`
	Keyring bool            `json:"keyring,omitempty"`
	Secret  json.RawMessage `json:"secret,omitempty"` // unless it is in the keyring
}

// Load gives a record, nil when there is none.
func (s *Store) Load(ctx context.Context, name string) ([]byte, error) {
	e, err := s.read(name)
	if err != nil || e == nil {
		return nil, err
	}
	return s.secret(ctx, name, e)
}

// Place says where a record is: "keyring", "file", or "" when there is none.
func (s *Store) Place(name string) string {
	e, err := s.read(name)
	switch {
	case err != nil || e == nil:
		return ""
	case e.Keyring:
		return "keyring"
	}
	return "file"
}

// Names lists the records.
func (s *Store) Names() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil {
		return nil, &Error{"read", err}
	}
	var names []string
	for _, file := range files {
		e, err := readEntry(file)
		if err != nil {
			return nil, err
		}
		if e != nil && s.file(e.Name) == file {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Update replaces a record by what change makes of it, nil removing it. The
// record, which has to be JSON, stays locked meanwhile. An error of change is
// returned as it is, and nothing is changed.
func (s *Store) Update(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error {
	const private = 0o700
	if err := os.MkdirAll(s.Dir, private); err != nil {
		return &Error{"write", err}
	}
	unlock, err := lock(ctx, strings.TrimSuffix(s.file(name), ".json")+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	e, err := s.read(name)
	if err != nil {
		return err
	}
	var old []byte
	if e != nil {
		if old, err = s.secret(ctx, name, e); err != nil {
			return err
		}
	}
	data, err := change(old)
	if err != nil {
		return err
	}
	if data == nil {
		return s.remove(ctx, name, e)
	}
	// What was paid for with a token that is good for one use has to be stored
	// even when the caller has no more time.
	return s.write(context.WithoutCancel(ctx), name, e, data)
}

func (s *Store) remove(ctx context.Context, name string, e *entry) error {
	if e == nil {
		return nil
	}
	if e.Keyring && s.Keyring != nil {
		if err := s.Keyring.Delete(ctx, name); err != nil && !errors.Is(err, ErrNotFound) {
			return &Error{"write", err}
		}
	}
	if err := os.Remove(s.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{"write", err}
	}
	return nil
}

func (s *Store) write(ctx context.Context, name string, old *entry, data []byte) error {
	e := &entry{Name: name}
	if s.Keyring != nil {
		e.Keyring = s.Keyring.Set(ctx, name, string(data)) == nil // else a file has to do
	}
	if !e.Keyring {
		e.Secret = data
	}
	text, err := json.Marshal(e)
	if err == nil {
		err = replaceFile(s.file(name), append(text, '\n'))
	}
	if err != nil {
		return &Error{"write", err}
	}
	if old != nil && old.Keyring && !e.Keyring && s.Keyring != nil {
		_ = s.Keyring.Delete(ctx, name) // out of date, and no longer looked at
	}
	return nil
}

func (s *Store) secret(ctx context.Context, name string, e *entry) ([]byte, error) {
	if !e.Keyring {
		return e.Secret, nil
	}
	if s.Keyring == nil {
		return nil, nil // of another session of the user: out of reach here
	}
	secret, err := s.Keyring.Get(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{"read", err}
	}
	return []byte(secret), nil
}

func (s *Store) read(name string) (*entry, error) { return readEntry(s.file(name)) }

// readEntry reads a file. One that makes no sense counts as none: it holds
// nothing that could be used.
func readEntry(file string) (*entry, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{"read", err}
	}
	e := new(entry)
	if json.Unmarshal(text, e) != nil {
		return nil, nil
	}
	return e, nil
}

// file is named by a hash: names may be anything.
func (s *Store) file(name string) string {
	sum := sha256.Sum256([]byte(name))
	const enough = 16
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:enough])+".json")
}

// replaceFile writes a file that is never half there.
func replaceFile(file string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
