package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoPages answers tools/list with a page that has a and b, and one that has c,
// and tells which pages were asked for.
func twoPages(t *testing.T) (*Client, func() []string) {
	var mu sync.Mutex
	var asked []string
	client := answering(t, Options{}, func(m sent) string {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(string(m.Params), `"cursor":"2"`) {
			asked = append(asked, "second")
			return `{"resultType":"complete","tools":[{"name":"c","inputSchema":{"type":"object"}}]}`
		}
		asked = append(asked, "first")
		return `{"resultType":"complete","nextCursor":"2","tools":[{"name":"a"},{"name":"b"}]}`
	})
	return client, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
}

func TestToolList(t *testing.T) {
	client, asked := twoPages(t)
	list := client.Tools()
	find := func(name string) *Tool {
		t.Helper()
		tool, err := list.Find(context.Background(), name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return tool
	}
	for _, step := range []struct {
		name string
		want []string // the pages asked for so far
	}{
		{"b", []string{"first"}},
		{"a", []string{"first"}},
		{"c", []string{"first", "second"}},
		{"a", []string{"first", "second"}},
	} {
		if got := find(step.name); got.Name != step.name {
			t.Errorf("found %s instead of %s", got.Name, step.name)
		}
		if diff := cmp.Diff(step.want, asked()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	if got := string(find("c").InputSchema); got != `{"type":"object"}` {
		t.Errorf("the schema of c is %s", got)
	}

	var unknown *UnknownToolError
	if _, err := list.Find(context.Background(), "d"); !errors.As(err, &unknown) {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, unknown.Known); diff != "" {
		t.Errorf("known (-want +got):\n%s", diff)
	}
	if n := len(asked()); n != 2 {
		t.Errorf("%d pages were asked for to know that", n)
	}

	first := find("a")
	if find("a") != first {
		t.Error("a is not the same the second time")
	}
	list.Forget()
	if find("a") == first || len(asked()) != 3 {
		t.Errorf("the list was not read anew: %v", asked())
	}
}

// Many who look for tools at once read each page once.
func TestToolListByMany(t *testing.T) {
	client, asked := twoPages(t)
	list := client.Tools()
	var wg sync.WaitGroup
	for _, name := range strings.Split(strings.Repeat("abcd", 16), "") {
		wg.Go(func() {
			tool, err := list.Find(context.Background(), name)
			var unknown *UnknownToolError
			switch {
			case name == "d" && !errors.As(err, &unknown):
				t.Errorf("d: error %v", err)
			case name != "d" && (err != nil || tool.Name != name):
				t.Errorf("%s: %v, %v", name, tool, err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff([]string{"first", "second"}, asked()); diff != "" {
		t.Errorf("pages asked for (-want +got):\n%s", diff)
	}
}

// What a call has besides name and arguments is sent, in its place.
func TestCallToolParams(t *testing.T) {
	var got string
	client := answering(t, Options{}, func(m sent) string {
		got = string(m.Params)
		return `{"resultType":"complete","content":[]}`
	})
	_, err := client.CallTool(context.Background(), &Call{
		Name: "b", Arguments: json.RawMessage(`{"x":1.0}`), Params: json.RawMessage(`{"extra":[1],"name":"a"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"extra":[1],"name":"b","arguments":{"x":1.0},`; !strings.HasPrefix(got, want) {
		t.Errorf("sent %s, want %s…", got, want)
	}
	var bad *ArgumentError
	if _, err := client.CallTool(context.Background(), &Call{Name: "b", Params: json.RawMessage(`[]`)}); !errors.As(err, &bad) {
		t.Errorf("error %v", err)
	}
}
