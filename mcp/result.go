package mcp

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"mcpq/internal/rawjson"
)

// maxKept bounds what is kept of one member of a streamed result when the
// caller did not ask for it.
const maxKept = 64 << 10

// resultMembers are kept of every streamed result.
func resultMembers() []string { return []string{"resultType", "isError", "nextCursor"} }

// stream passes a result on to w and keeps the members that matter. What is no
// object is not a result of MCP, but maybe of another dialect.
func (r *Result) stream(in io.Reader, w io.Writer, keep []string) error {
	picker := rawjson.NewPicker(func(key string) int {
		switch {
		case slices.Contains(keep, key):
			return math.MaxInt
		case slices.Contains(resultMembers(), key):
			return maxKept
		}
		return 0
	})
	_, err := io.Copy(&picked{w, picker}, in)
	r.members = picker.Members()
	return err
}

// picked is a writer whose bytes a picker sees too.
type picked struct {
	w      io.Writer
	picker *rawjson.Picker
}

func (p *picked) Write(b []byte) (int, error) {
	_, _ = p.picker.Write(b) // it cannot fail
	return p.w.Write(b)
}

// WriteText spares the picker most of its work on a large text.
func (p *picked) WriteText(b []byte) (int, error) {
	_, _ = p.picker.WriteText(b)
	return p.w.Write(b)
}

// check holds a result against what all results are: an object. Some servers
// answer what has nothing to say with null.
func (r *Result) check(of *Request) error {
	if r.Streamed || of.Unchecked || len(r.Raw) > 0 && r.Raw[0] == '{' {
		return nil
	}
	switch of.Method {
	case "ping", methodSetLevel, "resources/subscribe", "resources/unsubscribe":
		return nil
	}
	return &ProtocolError{Method: of.Method, Reason: "the result is not an object"}
}

// Member returns a member of the result object, nil when it is absent. Of a
// streamed result only resultType, isError, nextCursor and the members named in
// Request.Keep are known.
func (r *Result) Member(name string) json.RawMessage {
	if r.members == nil && r.Raw != nil {
		r.members = rawjson.Members(r.Raw)
	}
	return r.members[name]
}

// IsError reports whether the result of a tool says that the tool failed.
func (r *Result) IsError() bool { return string(r.Member("isError")) == "true" }

func joinPath(path []string) string { return strings.Join(path, ".") }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
