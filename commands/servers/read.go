package servers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// FileError is a config file that cannot be read, or makes no sense.
type FileError struct {
	Path         string
	Line, Column int // from 1; 0 when it is about the whole file
	Err          error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("config file %s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("config file %s, line %d, column %d: %v", e.Path, e.Line, e.Column, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// maxFile bounds a config file. That of Claude Code holds much else, and grows.
const maxFile = 32 << 20

// Read reads the entries of a file, in its order. A file that is not there has
// none, unless the user named it. The error is a *[FileError].
func (f *File) Read() ([]*Entry, error) {
	text, err := f.text()
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return nil, err
	}
	if strings.HasSuffix(f.Path, ".toml") {
		return f.readTOML(text)
	}
	return f.readJSON(text)
}

// text is the content of the file.
func (f *File) text() ([]byte, error) {
	info, err := os.Stat(f.Path)
	var at *fs.PathError
	switch {
	case err == nil && f.Scope != Explicit && !info.Mode().IsRegular():
		return nil, nil // a directory of that name, or what would never end
	case errors.Is(err, fs.ErrNotExist) && f.Scope != Explicit:
		return nil, nil
	case err == nil && info.IsDir():
		err = errors.New("it is a directory")
	}
	var text []byte
	if err == nil {
		text, err = readBounded(f.Path)
	}
	if errors.As(err, &at) {
		err = at.Err
	}
	if err != nil {
		return nil, &FileError{Path: f.Path, Err: err}
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var text bytes.Buffer
	if info, err := file.Stat(); err == nil {
		text.Grow(int(min(info.Size(), maxFile)) + bytes.MinRead)
	}
	_, err = text.ReadFrom(io.LimitReader(file, maxFile+1))
	if err == nil && text.Len() > maxFile {
		err = fmt.Errorf("it is larger than %d MB", maxFile>>20)
	}
	return text.Bytes(), err
}

// at makes an error of one at an offset of the text.
func (f *File) at(text []byte, offset int64, err error) error {
	before := text[:min(max(offset, 0), int64(len(text)))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return &FileError{
		Path: f.Path, Err: err,
		Line: bytes.Count(before, []byte{'\n'}) + 1, Column: len([]rune(string(before[line:]))) + 1,
	}
}

// Is reports whether an error is about the file.
func (f *File) Is(err error) bool {
	var file *FileError
	return errors.As(err, &file) && file.Path == f.Path
}
