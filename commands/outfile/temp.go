package outfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// temp is a file on its way: it has a name that nobody looks for.
type temp struct {
	root  *os.Root
	name  string
	file  *os.File
	buf   *bufio.Writer
	block Block
	size  int64
	last  byte // that was written
}

func newTemp(root *os.Root) (*temp, error) {
	name := ".mcpq-" + strings.ToLower(rand.Text()[:12]) + ".tmp"
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	return &temp{root: root, name: name, file: file, buf: bufio.NewWriterSize(file, 128<<10)}, nil
}

func (t *temp) Write(p []byte) (int, error) {
	n, err := t.buf.Write(p)
	t.size += int64(n)
	if n > 0 {
		t.last = p[n-1]
	}
	return n, err
}

// close ends the writing; the file keeps its name for now.
func (t *temp) close() error {
	if t.file == nil {
		return nil
	}
	err := t.buf.Flush()
	if cerr := t.file.Close(); err == nil {
		err = cerr
	}
	t.file = nil
	return err
}

// remove does away with the file.
func (t *temp) remove() {
	_ = t.close() // it goes anyway
	_ = t.root.Remove(t.name)
}

// head is the beginning of what was written.
func (t *temp) head(most int64) string {
	if t.buf.Flush() != nil {
		return ""
	}
	data := make([]byte, min(t.size, most))
	n, _ := t.file.ReadAt(data, 0)
	return string(data[:n])
}

// replace gives the file its name, in the place of what has it.
func (t *temp) replace(name string) error { return t.root.Rename(t.name, name) }

// claim gives the file a name that nothing has; the error is fs.ErrExist if
// something does.
func (t *temp) claim(name string) error {
	err := t.root.Link(t.name, name)
	if err == nil {
		return t.root.Remove(t.name)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	// Some file systems have no links: an empty file holds the name.
	holder, err := t.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := holder.Close(); err != nil {
		return err
	}
	return t.replace(name)
}

// place is the file that a path means: where it is, and what it is called
// there. A link is followed, as a shell would.
func place(file string) (dir, name string, err error) {
	if resolved, err := filepath.EvalSymlinks(file); err == nil {
		file = resolved
	}
	dir, name = filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	if info, err := os.Stat(dir); err != nil {
		return "", "", err
	} else if !info.IsDir() {
		return "", "", fmt.Errorf("%s is not a directory", dir)
	}
	return dir, name, nil
}
