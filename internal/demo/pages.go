package demo

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// pageSize is small so that every list longer than a handful has real pages.
const pageSize = 2

// page returns the part of items that the cursor in params points at, and the
// cursor of the next part, empty at the end. A cursor names its list, so that
// one list's cursor is refused by another.
func page[T any](c *call, list string, items []T) ([]T, string, error) {
	var p struct{ Cursor *string }
	if err := decodeParams(c.params, &p); err != nil {
		return nil, "", err
	}
	start := 0
	if p.Cursor != nil {
		raw, err := base64.RawURLEncoding.DecodeString(*p.Cursor)
		name, at, _ := strings.Cut(string(raw), ":")
		n, convErr := strconv.Atoi(at)
		if err != nil || convErr != nil || name != list || n <= 0 || n >= len(items) || n%pageSize != 0 {
			return nil, "", rpcErrorf(codeInvalidParams, "invalid cursor %q", *p.Cursor)
		}
		start = n
	}
	end := min(start+pageSize, len(items))
	next := ""
	if end < len(items) {
		next = base64.RawURLEncoding.EncodeToString([]byte(list + ":" + strconv.Itoa(end)))
	}
	return items[start:end], next, nil
}
