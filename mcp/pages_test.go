package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPages(t *testing.T) {
	for _, c := range []struct {
		name    string
		from    *string
		next    map[string]string // by the cursor asked for, "-" without one
		asked   []string
		repeats bool
	}{
		{"one", nil, nil, []string{"-"}, false},
		{"three, one with an empty cursor", nil, map[string]string{"-": `""`, "": `"c"`}, []string{"-", "", "c"}, false},
		{"null ends", nil, map[string]string{"-": `null`}, []string{"-"}, false},
		{"from a cursor", ptr("b"), map[string]string{"b": `"c"`}, []string{"b", "c"}, false},
		{"the same again", nil, map[string]string{"-": `"a"`, "a": `"a"`}, []string{"-", "a"}, true},
		{"the empty one again", nil, map[string]string{"-": `""`, "": `""`}, []string{"-", ""}, true},
		{"in a circle", nil, map[string]string{"-": `"a"`, "a": `"b"`, "b": `"a"`}, []string{"-", "a", "b"}, true},
		{"back to the start", ptr("b"), map[string]string{"b": `"c"`, "c": `"b"`}, []string{"b", "c"}, true},
	} {
		var asked []string
		client := answering(t, Options{}, func(m sent) string {
			var p struct{ Cursor *string }
			must(json.Unmarshal(m.Params, &p))
			cursor := "-"
			if p.Cursor != nil {
				cursor = *p.Cursor
			}
			asked = append(asked, cursor)
			result := `{"resultType":"complete","tools":[]`
			if next := c.next[cursor]; next != "" {
				result += `,"nextCursor":` + next
			}
			return result + "}"
		})
		var last error
		for _, err := range client.Pages(context.Background(), ListTools, c.from) {
			last = err
		}
		var repeats *CursorError
		if errors.As(last, &repeats) != c.repeats || !c.repeats && last != nil {
			t.Errorf("%s: error %v", c.name, last)
		}
		if diff := cmp.Diff(c.asked, asked); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestPagesWithoutEnd(t *testing.T) {
	n := 0
	client := answering(t, Options{}, func(sent) string {
		n++
		return fmt.Sprintf(`{"resultType":"complete","tools":[],"nextCursor":"%d"}`, n)
	})
	var last error
	for _, err := range client.Pages(context.Background(), ListTools, nil) {
		last = err
	}
	var broken *ProtocolError
	if !errors.As(last, &broken) || n != maxPages {
		t.Errorf("after %d pages: %v", n, last)
	}
}

func ptr[T any](v T) *T { return &v }
