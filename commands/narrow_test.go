package commands

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"mcpq/output"
)

// TestNarrow reads every shared flag twice, with the narrow grammar and with the
// whole one.
func TestNarrow(t *testing.T) {
	lines := [][]string{
		{}, {"-vv"}, {"-rq", "."}, {"-rvc"}, {"-s=demo:"}, {"-sdemo:"}, {"--jq=--raw"}, {"-H", "a: b", "-H", "c: d"},
		{"--no-such-flag"}, {"--timeout", "soon"}, {"--transport", "pigeon"}, {"--color", "no"}, {"--raw=false"},
		{"--no-cache", "--refresh"}, {"--server"}, {"-"}, {"--nocache"}, {"--no--cache"}, {"-x"}, {"--limit", "-1"},
	}
	model := wholeModel(t)
	for _, flag := range model.Flags {
		if flag.Name == "help" {
			continue
		}
		for _, name := range names(flag) {
			lines = append(lines, []string{name}, []string{name, "1"}, []string{name, "auto"}, []string{name + "=1"},
				[]string{name, "none", "--limit", "3"})
		}
	}
	for _, line := range lines {
		args := append([]string{"list-tools"}, line...)
		narrow, narrowErr := parseWith(args, true)
		whole, wholeErr := parseWith(args, false)
		if (narrowErr == nil) != (wholeErr == nil) {
			t.Errorf("%q: narrow grammar: %v, whole grammar: %v", line, narrowErr, wholeErr)
		}
		if wholeErr != nil {
			continue // the narrow grammar's message is seen by nobody
		}
		if diff := cmp.Diff(whole, narrow); diff != "" {
			t.Errorf("%q: (-whole +narrow)\n%s", line, diff)
		}
	}
}

// TestHelpEndsTag makes sure that narrow can cut it off.
func TestHelpEndsTag(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[grammar]()) {
		if _, after, ok := strings.Cut(string(field.Tag), ` help:"`); ok && strings.Count(after, `"`) != 1 {
			t.Errorf("%s: something follows the help in `%s`", field.Name, field.Tag)
		}
	}
}

func wholeModel(t *testing.T) *kong.Application {
	r := &runner{env: testEnv()}
	parser, err := r.parser(new(grammar), table(), helpOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

func names(flag *kong.Flag) []string {
	all := []string{"--" + flag.Name}
	if flag.Short != 0 {
		all = append(all, "-"+string(flag.Short))
	}
	return all
}

func parseWith(args []string, narrowly bool) (*grammar, error) {
	r := &runner{env: testEnv()}
	_, err := r.parse(args, candidates(args), narrowly)
	return r.grammar, err
}

func testEnv() *Env {
	return &Env{Streams: &output.Streams{Out: io.Discard, Err: io.Discard}, Getenv: func(string) string { return "" }}
}
