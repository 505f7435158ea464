package servers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// NeedsTrust says why an entry may only be used by somebody who has looked at
// it; "" if it may be used at once. A project is the work of others: its
// commands are theirs, and so are the addresses that secrets would go to.
func (e *Entry) NeedsTrust() string {
	if e.File.Scope != Project {
		return ""
	}
	d, err := e.Define()
	if err != nil {
		return "it makes no sense" // and is never used
	}
	switch {
	case d.Kind == Command:
		return "it runs a command"
	case !strings.HasPrefix(d.URL, "http://") && !strings.HasPrefix(d.URL, "https://"):
		return "it is not on the web"
	case strings.Contains(d.URL, "${"):
		return "its URL has variables in it"
	case len(d.Headers) > 0:
		return "it sends headers"
	}
	for _, s := range d.Settings {
		if !harmless(s.Key) {
			return "it sets " + s.Key
		}
	}
	return ""
}

// harmless are the settings that neither tell the server anything of the user
// nor make a connection less safe.
func harmless(setting string) bool {
	switch setting {
	case "protocol", "transport", "framing", "timeout", "connectTimeout", "maxTime", "grace", "maxBytes", "retry", "logLevel", "noProgressReset":
		return true
	}
	return false
}

// Trust is what is known of somebody's consent to an entry.
type Trust int

// The kinds of trust.
const (
	Unknown Trust = iota // nobody was asked
	Changed              // there was consent to another definition
	Trusted
)

// TrustStore remembers consent, one file for each entry, in a directory that
// only the user can read.
type TrustStore struct{ Dir string }

// trustRecord is the content of such a file.
type trustRecord struct {
	Server string    `json:"server"`
	File   string    `json:"file"`
	SHA256 string    `json:"sha256"` // of the definition
	Time   time.Time `json:"time"`
}

// Of tells what is known of an entry. What cannot be read is no consent.
func (s TrustStore) Of(e *Entry) Trust {
	if !filepath.IsAbs(s.Dir) { // without a home directory: it would be the project's
		return Unknown
	}
	text, err := os.ReadFile(s.file(e))
	var r trustRecord
	switch {
	case err != nil, json.Unmarshal(text, &r) != nil, r.Server != e.Name, r.File != e.File.Path:
		return Unknown
	case r.SHA256 != e.digest():
		return Changed
	}
	return Trusted
}

// Put records consent to an entry as it is.
func (s TrustStore) Put(e *Entry) error {
	if !filepath.IsAbs(s.Dir) {
		return errors.New("there is no home directory")
	}
	const private = 0o700
	if err := os.MkdirAll(s.Dir, private); err != nil {
		return err
	}
	text, err := json.Marshal(trustRecord{e.Name, e.File.Path, e.digest(), time.Now().UTC()})
	if err != nil {
		return err
	}
	return replaceFile(s.file(e), append(text, '\n'), 0o600)
}

// Delete forgets it, and tells whether there was anything to forget.
func (s TrustStore) Delete(e *Entry) (bool, error) {
	err := os.Remove(s.file(e))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s TrustStore) file(e *Entry) string {
	sum := sha256.Sum256([]byte(e.File.Path + "\x00" + e.Name))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:])+".json")
}

// digest stands for the whole definition; white space and comments are not part
// of it.
func (e *Entry) digest() string {
	sum := sha256.Sum256(bytes.Join([][]byte{e.Raw, e.inputs}, []byte{0}))
	return hex.EncodeToString(sum[:])
}

// replaceFile writes a file, all of it or nothing.
func replaceFile(name string, text []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".mcpq-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the error that matters is the other one
	}
	return err
}
