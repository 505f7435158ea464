package mcp

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestJoin(t *testing.T) {
	page := func(raw string) *Page { return &Page{List: ListTools, Raw: json.RawMessage(raw)} }
	for _, c := range []struct {
		name  string
		pages []*Page
		want  string
	}{
		{"none", nil, `{}`},
		{"one: as it came", []*Page{page(`{"z":1.0,"tools":[1],"nextCursor":"x"}`)}, `{"z":1.0,"tools":[1],"nextCursor":"x"}`},
		{"two", []*Page{page(`{"z":1.0,"tools":[{"n":1e2}],"nextCursor":"x","y":{}}`), page(`{"tools":[2],"w":1}`)}, `{"z":1.0,"tools":[{"n":1e2},2],"y":{}}`},
		{"the cursor first, the items last", []*Page{page(`{"nextCursor":"x","\u007a":1,"tools":[1,2]}`), page(`{"tools":[3]}`)}, `{"\u007a":1,"tools":[1,2,3]}`},
		{"three, the middle one empty", []*Page{page(`{"tools":[1]}`), page(`{"tools":[]}`), page(`{"tools":[2]}`)}, `{"tools":[1,2]}`},
		{"the last of two members counts", []*Page{page(`{"tools":[0],"a":1,"tools":[1]}`), page(`{"tools":[2]}`)}, `{"tools":[0],"a":1,"tools":[1,2]}`},
		{"empty ones", []*Page{page(`{"tools":[],"nextCursor":""}`), page(`{"tools":[]}`)}, `{"tools":[]}`},
	} {
		if got, err := Join(c.pages); err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// What a Joiner has written does not wait for the end of the list.
func TestJoinerStreams(t *testing.T) {
	var out bytes.Buffer
	j := NewJoiner(&out)
	for i, want := range []string{"", `{"tools":[1,2`, `{"tools":[1,2,3`, `{"tools":[1,2,3],"z":0}`} {
		err := j.Close
		if i < 3 {
			item := json.RawMessage{byte('1' + i)}
			p := &Page{List: ListTools, Raw: json.RawMessage(`{"tools":[` + string(item) + `],"z":0,"nextCursor":"x"}`)}
			err = func() error { return j.Add(p) }
		}
		if err := err(); err != nil || out.String() != want {
			t.Errorf("after step %d: %s, %v; want %s", i, &out, err, want)
		}
	}
}
