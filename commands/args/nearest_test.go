package args

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	known := []string{"limit", "list_tools", "query", "q", "add", "naïve", strings.Repeat("x", 300)}
	tests := []struct {
		name string
		want []string
	}{
		{"limt", []string{"limit"}},
		{"limti", []string{"limit"}},
		{"timil", []string{"limit"}},
		{"LIMIT", []string{"limit"}},
		{"ilmits", []string{"limit"}},
		{"list-tools", []string{"list_tools"}},
		{"naive", []string{"naïve"}},
		{"limit", nil}, // known
		{"tl", nil},
		{"p", nil}, // every single letter is one change from q
		{"ad", []string{"add"}},
		{"odt", nil}, // two of three letters
		{"", nil},
		{strings.Repeat("x", 299), nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Nearest(tt.name, known)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
	// The nearest first, of equals the first in the list, and not too many.
	if diff := cmp.Diff([]string{"stool", "toool", "tools"}, Nearest("tool", []string{"tolls", "stool", "toool", "tools", "cools"})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"abc", "cab", 2}, {"kitten", "sitten", 1}, {"abcd", "bacd", 1},
		{"abcd", "badc", 2}, {"abcdef", "abc", 3}, {"é", "e", 1},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := distance([]rune(pair[0]), []rune(pair[1])); got != tt.want {
				t.Errorf("distance(%q, %q) = %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}

func TestNamesAndMisspelt(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"query":{},"limit":{}}}`)
	if diff := cmp.Diff([]string{"query", "limit"}, Names(schema)); diff != "" {
		t.Error(diff)
	}
	for _, broken := range []string{"", "null", "{", `{"properties":[]}`, `{}`} {
		if got := Names(json.RawMessage(broken)); got != nil {
			t.Errorf("%s: got %q", broken, got)
		}
	}
	for _, tt := range []struct {
		schema, arguments string
		want              []string
	}{
		{`{"properties":{"query":{},"limit":{}}}`, `{"limit":1,"q":1,"lmit":2}`, []string{"q", "lmit"}},
		{`{"properties":{"query":{}},"additionalProperties":true}`, `{"q":1}`, nil},
		{`{"properties":{"query":{}},"anyOf":[{"properties":{"q":{}}}]}`, `{"q":1}`, nil},
		{`{"properties":{}}`, `{"q":1}`, nil},
		{`{"type":"object"}`, `{"q":1}`, nil},
		{`true`, `{"q":1}`, nil},
	} {
		if diff := cmp.Diff(tt.want, Unlisted(json.RawMessage(tt.arguments), json.RawMessage(tt.schema))); diff != "" {
			t.Errorf("%s: %s", tt.schema, diff)
		}
	}
	got := Misspelt(json.RawMessage(`{"qeury":1,"limit":2,"other":3}`), schema)
	if diff := cmp.Diff(map[string][]string{"qeury": {"query"}}, got); diff != "" {
		t.Error(diff)
	}
}
