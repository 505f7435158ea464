package servers

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/internal/rawjson"
)

func TestDefine(t *testing.T) {
	for raw, want := range map[string]*Definition{
		`{"command":"npx","args":["-y","x"],"env":{"A":"1","B":2,"C":null,"D":true},"cwd":"d","disabled":true}`: {
			Args: []string{"npx", "-y", "x"}, Env: []Pair{{"A", "1"}, {"B", "2"}, {"D", "true"}}, Dir: "d", Disabled: true},
		`{"type":"local","args":["c"],"command":["a","b"]}`: {Args: []string{"a", "b", "c"}},
		`{"url":"https://h","headers":{"X":"y"}}`:           {Kind: HTTP, URL: "https://h", Headers: []Pair{{"X", "y"}}},
		`{"serverUrl":"https://h"}`:                         {Kind: HTTP, URL: "https://h"},
		`{"httpUrl":"https://h"}`:                           {Kind: HTTP, URL: "https://h", Transport: "http"},
		`{"type":"sse","url":"https://h"}`:                  {Kind: HTTP, URL: "https://h", Transport: "sse"},
		`{"transport":"streamable_http","url":"https://h"}`: {Kind: HTTP, URL: "https://h", Transport: "http"},
		`{"type":"socket","url":"unix:/s"}`:                 {Kind: HTTP, URL: "unix:/s"},
		`{"type":"http","url":"https://h","command":"x"}`:   {Kind: HTTP, URL: "https://h", Args: []string{"x"}},
		`{"command":"x","mcpq":{"timeout":5},"env_vars":["A",1]}`: {Args: []string{"x"}, Pass: []string{"A"},
			Settings: rawjson.Object{{Key: "timeout", Value: []byte("5")}}},
		`{}`:                             nil,
		`null`:                           nil,
		`[]`:                             nil,
		`{"args":["x"]}`:                 nil,
		`{"command":""}`:                 nil,
		`{"command":1}`:                  nil,
		`{"command":"x","url":"y"}`:      nil,
		`{"type":"http"}`:                nil,
		`{"type":"smoke","url":"y"}`:     nil,
		`{"command":"x","args":"y"}`:     nil,
		`{"command":"x","env":["A"]}`:    nil,
		`{"command":"x","env":{"A":{}}}`: nil,
		`{"command":"x","mcpq":true}`:    nil,
	} {
		e := &Entry{Name: "n", File: &File{Path: "f"}, Raw: []byte(raw)}
		got, err := e.Define()
		var entry *EntryError
		if want == nil {
			if !errors.As(err, &entry) {
				t.Errorf("%s: got %v", raw, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b rawjson.Object) bool { return string(a.Raw()) == string(b.Raw()) })); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}
