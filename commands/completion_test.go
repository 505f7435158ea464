package commands

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"mcpq/commands/completion"
	"mcpq/output"
)

// completed are the candidates for a line whose cursor stands at its end.
func completed(line string) []string {
	var out bytes.Buffer
	env := &Env{Streams: &output.Streams{Out: &out, Err: &out}, Getenv: func(string) string { return "" }}
	answerShell(env, []string{string(completion.Fish), "mcpq " + line, ""})
	var words []string
	for l := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		words = append(words, word)
	}
	return words[1:]
}

// TestCompletionKnowsTheGrammar looks for every command, sub-command, flag and
// value that the grammar has.
func TestCompletionKnowsTheGrammar(t *testing.T) {
	r := &runner{env: &Env{Streams: new(output.Streams)}}
	parser, err := r.parser(new(grammar), table(), helpOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	flags := 0
	var look func(n *kong.Node, line string)
	look = func(n *kong.Node, line string) {
		commands := completed(line)
		for _, c := range n.Children {
			if !slices.Contains(commands, c.Name) {
				t.Errorf("mcpq %s: no %s", line, c.Name)
			}
			look(c, line+c.Name+" ")
		}
		offered := completed(line + "--")
		for _, f := range n.Flags {
			if flags++; !f.Hidden && !slices.Contains(offered, "--"+f.Name) {
				t.Errorf("mcpq %s: no --%s", line, f.Name)
			}
			for _, value := range f.EnumSlice() {
				if value != "" && f.Enum != "" && !slices.Contains(completed(line+"--"+f.Name+" "), value) {
					t.Errorf("mcpq %s--%s: no %s", line, f.Name, value)
				}
			}
		}
	}
	look(parser.Model.Node, "")
	if flags < 80 {
		t.Errorf("only %d flags", flags)
	}
}

// TestCompletionOfValues holds the flags with values of their own against what
// takes them.
func TestCompletionOfValues(t *testing.T) {
	for line, values := range map[string][]string{
		"info --protocol ":  {"auto", "2024-11-05", "2026-07-28"},
		"info --format ":    output.Formats(),
		"info --log-level ": logLevels(),
		"completion ":       {"bash", "zsh", "fish"},
		"rpc ":              {"tools/list"},
	} {
		got := completed(line)
		for _, v := range values {
			if !slices.Contains(got, v) {
				t.Errorf("mcpq %s: no %s", line, v)
			}
		}
	}
	for _, s := range completion.Shells() {
		if !slices.Contains(completed("completion "), string(s)) {
			t.Errorf("no %s", s)
		}
	}
}

// TestHelpTopics looks for the text of every topic.
func TestHelpTopics(t *testing.T) {
	for _, item := range helpTopics() {
		if findTopic([]string{item.Text}) == nil || item.Help == "" {
			t.Errorf("there is no topic %s", item.Text)
		}
	}
}

// TestWalk follows lines as kong would.
func TestWalk(t *testing.T) {
	r := &runner{env: &Env{Streams: new(output.Streams)}}
	parser, err := r.parser(new(grammar), table(), helpOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, path, args, pending string
		server                    string
	}{
		{line: "call add a=1", path: "call", args: "add a=1"},
		{line: "-s demo: call add", path: "call", args: "add", server: "demo:"},
		{line: "call --server=demo: add", path: "call", args: "add", server: "demo:"},
		{line: "call -vvsdemo: add", path: "call", args: "add", server: "demo:"},
		{line: "call -v -s", path: "call", pending: "server"},
		{line: "call -vs", path: "call", pending: "server"},
		{line: "tools --limit", path: "list-tools", pending: "limit"},
		{line: "tasks get t-1", path: "tasks get", args: "t-1"},
		{line: "tasks t-1", path: "tasks", args: "t-1"},
		{line: "prompt get-prompt", path: "get-prompt", args: "get-prompt"},
		{line: "rpc ping -", path: "rpc", args: "ping -"},
		{line: "info --nothing --e x", path: "info", args: "x"},
	} {
		w := newWalk(parser.Model.Node)
		for _, text := range strings.Fields(c.line) {
			w.word(completion.Word{Text: text})
		}
		pending := ""
		if w.flag != nil {
			pending = w.flag.Name
		}
		server := strings.Join(w.value("server"), " ")
		if w.path() != c.path || strings.Join(w.args, " ") != c.args || pending != c.pending || server != c.server {
			t.Errorf("%s: got %q, %q, waiting for %q, server %q", c.line, w.path(), w.args, pending, server)
		}
	}
}
