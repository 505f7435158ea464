package commands

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"mcpq/mcp"
)

// roots makes the values of --root what a server is told: a URI as it is given,
// a path as an absolute URI with the folder's name.
func roots(values []string) ([]mcp.Root, error) {
	var all []mcp.Root
	for _, value := range values {
		root, err := rootOf(value)
		if err != nil {
			return nil, usagef("--root %q: %w", value, err)
		}
		all = append(all, root)
	}
	return all, nil
}

func rootOf(value string) (mcp.Root, error) {
	// A single letter is a drive of Windows.
	if scheme, _, ok := strings.Cut(value, "://"); ok && len(scheme) != 1 {
		u, err := url.Parse(value)
		switch {
		case err != nil:
			return mcp.Root{}, errors.New("not a URI")
		case !strings.EqualFold(scheme, "file"):
			return mcp.Root{}, errors.New("a root is a path or begins with file://")
		case !strings.HasPrefix(u.Path, "/"):
			return mcp.Root{}, errors.New("the path of the URI is not absolute")
		}
		return mcp.Root{URI: "file" + value[len("file"):]}, nil
	}
	if value == "" {
		return mcp.Root{}, errors.New("it is empty")
	}
	path, err := filepath.Abs(value)
	if err != nil {
		return mcp.Root{}, err
	}
	if _, err := os.Stat(path); err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return mcp.Root{}, err
	}
	root := mcp.Root{URI: fileURI(filepath.ToSlash(path))}
	if name := filepath.Base(path); name != string(filepath.Separator) {
		root.Name = name
	}
	return root, nil
}

// fileURI makes the URI of an absolute path that is written with slashes:
// /a b, C:/a or //host/share, and the long forms of Windows, //?/C:/a and
// //?/UNC/host/share.
func fileURI(path string) string {
	u := url.URL{Scheme: "file"}
	if unc, ok := strings.CutPrefix(path, "//?/UNC/"); ok {
		path = "//" + unc
	} else {
		path = strings.TrimPrefix(path, "//?/")
	}
	switch {
	case strings.HasPrefix(path, "//"):
		u.Host, u.Path, _ = strings.Cut(path[2:], "/")
		u.Path = "/" + u.Path
	case strings.HasPrefix(path, "/"):
		u.Path = path
	default: // a drive of Windows
		u.Path = "/" + path
	}
	return u.String()
}
