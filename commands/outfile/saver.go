package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Options say where content goes. The zero value is not one of them.
type Options struct {
	Path      string    // a file; a directory, with a separator at its end or there already; - for Stdout
	Stdout    io.Writer // what - is
	NoClobber bool      // refuse a file that exists
	Force     bool      // overwrite the files of a directory
}

// Saver puts content into its place. It is a [Sink]; what it got becomes
// visible with [Saver.Commit] only. A Saver is to be used by one goroutine.
type Saver struct {
	opts    Options
	root    *os.Root // of the directory, or of the file's
	name    string   // of the file; "" for a directory
	mode    fs.FileMode
	direct  io.WriteCloser // stdout, or a file that is none: a pipe, a device
	created bool           // the directory was not there before

	temps []*temp
	wrote bool // binary content went to direct
	texts int  // blocks of text that gave way to binary content
	links []string
}

// PathError is a place that cannot be written to.
type PathError struct{ Err error }

func (e *PathError) Error() string { return fmt.Sprintf("-o: %v", e.Err) }

// Unwrap gives the cause.
func (e *PathError) Unwrap() error { return e.Err }

// ExistsError is a file that must not be overwritten.
type ExistsError struct{ File string }

func (e *ExistsError) Error() string { return fmt.Sprintf("-o: %s exists already", e.File) }

// NothingError is a result without content.
type NothingError struct{ Links []string }

func (e *NothingError) Error() string {
	if len(e.Links) > 0 {
		return fmt.Sprintf("-o: the result has no content, only links to %s", strings.Join(e.Links, ", "))
	}
	return "-o: the result has no content to save"
}

// SeveralError is a result with more files than there is room for.
type SeveralError struct{}

func (e *SeveralError) Error() string {
	return "-o: the result has several pictures, sounds or other files, which do not go into one"
}

// Saved is a file that has been written.
type Saved struct {
	File string
	Size int64
}

// New finds out whether the place can be written to, and writes nothing yet.
// The error is a [*PathError] or [*ExistsError].
func New(o Options) (*Saver, error) {
	s := &Saver{opts: o}
	if o.Path == "-" {
		s.direct = nopCloser{o.Stdout}
		return s, nil
	}
	if o.Path == "" {
		return nil, &PathError{errors.New("no file is named")}
	}
	info, err := os.Stat(o.Path)
	switch {
	case strings.HasSuffix(o.Path, "/") || os.IsPathSeparator(o.Path[len(o.Path)-1]) || err == nil && info.IsDir():
		s.created = err != nil
		err = os.MkdirAll(o.Path, 0o777)
		if err == nil {
			s.root, err = os.OpenRoot(o.Path)
		}
	case err == nil && !info.Mode().IsRegular():
		s.direct, err = os.OpenFile(o.Path, os.O_WRONLY, 0)
	case o.NoClobber && exists(o.Path):
		return nil, &ExistsError{o.Path}
	default:
		if err == nil {
			s.mode = info.Mode().Perm()
		}
		err = s.openFile()
	}
	if err == nil && s.root != nil {
		err = s.probe()
	}
	if err != nil {
		s.close()
		return nil, &PathError{err}
	}
	return s, nil
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

func (s *Saver) openFile() error {
	dir, name, err := place(s.opts.Path)
	if err == nil {
		s.name = name
		s.root, err = os.OpenRoot(dir)
	}
	return err
}

// probe makes sure that files can be made, before the server has worked for
// nothing.
func (s *Saver) probe() error {
	t, err := newTemp(s.root)
	if err == nil {
		t.remove()
	}
	return err
}

// single tells whether there is room for one file only.
func (s *Saver) single() bool { return s.direct != nil || s.name != "" }

// Begin is for [Decode]. Where there is room for one file, binary content wins
// over text, and text over structured content; texts are put together.
func (s *Saver) Begin(kind Kind) (io.Writer, error) {
	if !s.single() {
		return s.add(kind)
	}
	if s.wrote || len(s.temps) > 0 && s.temps[0].block.Kind > kind {
		if kind == Binary {
			return nil, &SeveralError{}
		}
		if kind == Text {
			s.texts++
		}
		return io.Discard, nil
	}
	if len(s.temps) > 0 && s.temps[0].block.Kind == kind {
		t := s.temps[0]
		if kind == Binary {
			return nil, &SeveralError{}
		}
		if t.size > 0 && t.last != '\n' {
			_, err := t.Write([]byte("\n"))
			return t, err
		}
		return t, nil
	}
	if len(s.temps) > 0 {
		if s.temps[0].block.Kind == Text {
			s.texts++
		}
		s.drop()
	}
	if kind == Binary && s.direct != nil {
		s.wrote = true
		return s.direct, nil
	}
	return s.add(kind)
}

func (s *Saver) add(kind Kind) (io.Writer, error) {
	root := s.root
	if root == nil {
		var err error
		if root, err = os.OpenRoot(os.TempDir()); err != nil {
			return nil, &PathError{err}
		}
		s.root = root
	}
	t, err := newTemp(root)
	if err != nil {
		return nil, &PathError{err}
	}
	t.block.Kind = kind
	s.temps = append(s.temps, t)
	return t, nil
}

// End is for [Decode].
func (s *Saver) End(b Block) error {
	if s.single() {
		return nil
	}
	for _, t := range s.temps {
		if t.block.Kind == b.Kind && t.file != nil {
			t.block = b
			if err := t.close(); err != nil {
				return &PathError{err}
			}
			break
		}
	}
	return nil
}

// Link is for [Decode].
func (s *Saver) Link(uri string) { s.links = append(s.links, uri) }

// LeftOut is how many texts had no room beside the file, and the links, whose
// resources were not read.
func (s *Saver) LeftOut() (texts int, links []string) { return s.texts, s.links }

// Head is the beginning of the first text, for saying what went wrong.
func (s *Saver) Head(most int64) string {
	for _, t := range s.temps {
		if t.block.Kind != Text {
			continue
		}
		if t.file != nil {
			return t.head(most)
		}
		if f, err := t.root.Open(t.name); err == nil {
			data, _ := io.ReadAll(io.LimitReader(f, most))
			_ = f.Close()
			return string(data)
		}
	}
	return ""
}

// Commit puts everything into its place. The error is a [*NothingError] when
// there was nothing, and else of the file system.
func (s *Saver) Commit() ([]Saved, error) {
	defer s.close()
	if len(s.temps) == 0 && !s.wrote {
		return nil, &NothingError{s.links}
	}
	for _, t := range s.temps {
		if s.direct != nil {
			break
		}
		if err := t.close(); err != nil {
			return nil, &PathError{err}
		}
	}
	switch {
	case s.wrote:
		return nil, nil
	case s.direct != nil:
		return nil, s.pass()
	case s.name != "":
		return s.file()
	}
	return s.directory()
}

// pass copies what was held back.
func (s *Saver) pass() error {
	t := s.temps[0]
	if err := t.buf.Flush(); err != nil {
		return &PathError{err}
	}
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return &PathError{err}
	}
	_, err := io.Copy(s.direct, t.file)
	return err
}

func (s *Saver) file() ([]Saved, error) {
	t := s.temps[0]
	var err error
	if s.opts.NoClobber {
		err = t.claim(s.name)
		if errors.Is(err, fs.ErrExist) {
			return nil, &ExistsError{s.opts.Path}
		}
	} else {
		if s.mode != 0 {
			_ = s.root.Chmod(t.name, s.mode) // the content matters more than its mode
		}
		err = t.replace(s.name)
	}
	if err != nil {
		return nil, &PathError{err}
	}
	s.temps = nil
	return []Saved{{s.opts.Path, t.size}}, nil
}

// directory names every file. One that would overwrite another gets a number.
func (s *Saver) directory() ([]Saved, error) {
	files := 0
	for _, t := range s.temps {
		if t.block.Kind != Structured {
			files++
		}
	}
	var saved []Saved
	taken := map[string]bool{}
	for len(s.temps) > 0 {
		t := s.temps[0]
		if t.block.Kind == Structured && files > 0 { // the texts say the same
			t.remove()
			s.temps = s.temps[1:]
			continue
		}
		name, err := s.publish(t, fileName(t.block), taken)
		if err != nil {
			return saved, &PathError{err}
		}
		saved = append(saved, Saved{filepath.Join(s.opts.Path, name), t.size})
		s.temps = s.temps[1:]
	}
	return saved, nil
}

// maxNumber bounds the search for a name that is free.
const maxNumber = 100_000

func (s *Saver) publish(t *temp, wanted string, taken map[string]bool) (string, error) {
	name := wanted
	for n := 2; n < maxNumber; n++ {
		folded := strings.ToLower(name)
		if !taken[folded] {
			var err error
			if s.opts.Force && s.replaceable(name) {
				err = t.replace(name)
			} else {
				err = t.claim(name)
			}
			if !errors.Is(err, fs.ErrExist) {
				taken[folded] = true
				return name, err
			}
		}
		name = numbered(wanted, strconv.Itoa(n))
	}
	return "", fmt.Errorf("there is no name left for %s", wanted)
}

// replaceable tells whether --force may take a name: not that of a directory.
func (s *Saver) replaceable(name string) bool {
	info, err := s.root.Lstat(name)
	return err != nil || !info.IsDir()
}

// Abort forgets everything: nothing has changed, but for what a pipe has got.
func (s *Saver) Abort() { s.close() }

func (s *Saver) close() {
	s.drop()
	if s.root != nil {
		_ = s.root.Close() // it was opened for its name only
		s.root = nil
	}
	if s.direct != nil {
		_ = s.direct.Close() // a pipe whose reader went away said so before
		s.direct = nil
	}
	if s.created {
		_ = os.Remove(s.opts.Path) // unless something is in it
		s.created = false
	}
}

// drop removes what is not in its place yet.
func (s *Saver) drop() {
	for _, t := range s.temps {
		t.remove()
	}
	s.temps = nil
}

// Print is where something else than content goes, in the place of the content.
func (s *Saver) Print() (io.Writer, error) {
	if !s.single() {
		return nil, &PathError{errors.New("a directory is for content: what is printed goes into a file")}
	}
	return s.Begin(Text)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
