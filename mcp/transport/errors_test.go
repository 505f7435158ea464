package transport

import (
	"slices"
	"testing"
)

func TestLastWords(t *testing.T) {
	for _, tt := range []struct {
		name        string
		lines, want []string
	}{
		{"few", []string{"a", "b"}, []string{"a", "b"}},
		{"many", []string{"a", "b", "c", "d"}, []string{"b", "c", "d"}},
		{"stack", []string{"Error: no module", "at x", "at y", "at z", "Node.js"}, []string{"Error: no module", "…", "Node.js"}},
		{"panic", []string{"panic: nil", "goroutine 1", "main.go", "exit"}, []string{"panic: nil", "…", "exit"}},
	} {
		if got := lastWords(tt.lines); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
