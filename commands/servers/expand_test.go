package servers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testExpander() *Expander {
	env := map[string]string{"A": "1", "EMPTY": "", "REF": "${A}", "MCPQ_INPUT_A_KEY": "from-env"}
	return &Expander{
		Lookup: func(name string) (string, bool) {
			value, set := env[name]
			return value, set
		},
		Input: func(_ context.Context, _ *Entry, in Input) (string, error) {
			if in.ID == "nobody" {
				return "", &InputError{Input: in}
			}
			return "<" + in.ID + " " + in.Description + ">", nil
		},
		Home: "/home/u",
	}
}

func TestText(t *testing.T) {
	inputs := []byte(`[{"id":"who","type":"promptString","description":"Who?"},{"id":"pick","type":"pickString","options":["a",{"label":"B","value":"b"}]},{"id":"cmd","type":"command"}]`)
	for _, c := range []struct{ client, text, want string }{
		{"", "no variable, $A $ ${", "no variable, $A $ ${"},
		{"", "x${A}y${env:A}z", "x1y1z"},
		{"", "${EMPTY}|${EMPTY:-d}|${NONE:-d}|${NONE:-}|${env:NONE:-e}", "|d|d||e"},
		{"", "${REF}", "${A}"},
		{"", "${NONE:-${A}", "${A"},
		{"", "${A%x} ${A:+y} ${1} ${} ${a b}", "${A%x} ${A:+y} ${1} ${} ${a b}"},
		{"", "${workspaceFolder}${/}${workspaceFolderBasename} ${userHome}", "/src/p" + string(filepath.Separator) + "p /home/u"},
		{"", "${input:who} ${input:A-key} ${input:unknown}", "<who Who?> from-env <unknown >"},
		{"gemini", "$A ${A} $NONE $1 $", "1 1 $NONE $1 $"},
		{"", "${NONE}", "!the variable NONE is not set"},
		{"", "${env:NONE}", "!the variable NONE is not set"},
		{"", "${command:x}", "!mcpq does not know ${command:x}"},
		{"", "${file:/x}", "!mcpq does not know ${file:/x}"},
		{"", "${input:cmd}", "!only known to VS Code"},
		{"", "${input:nobody}", "!no terminal to ask for the input \"nobody\""},
	} {
		e := &Entry{Name: "n", File: &File{Path: "f", Client: c.client}, Folder: "/src/p", inputs: inputs}
		got, err := testExpander().Text(t.Context(), e, "args", c.text)
		if want, fails := strings.CutPrefix(c.want, "!"); fails {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), `server "n" in f: args: `) {
				t.Errorf("%s: got %q, %v", c.text, got, err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.text, got, err, c.want)
		}
	}
}

func TestInputVariableIsChecked(t *testing.T) {
	x := testExpander()
	x.Lookup = func(name string) (string, bool) { return "c", name == "MCPQ_INPUT_PICK" }
	e := &Entry{Name: "n", File: &File{}, inputs: []byte(`[{"id":"pick","type":"pickString","options":["a","b"]}]`)}
	if _, err := x.Text(t.Context(), e, "args", "${input:pick}"); err == nil || !strings.Contains(err.Error(), "it can be a, b") {
		t.Errorf("got %v", err)
	}
}

func TestLaunch(t *testing.T) {
	folder := t.TempDir()
	vars := "# comment\nexport A = from file\nQ=\"a b # c\\n\"\nS='x' # y\nP=plain # z\n\nE=\n"
	if err := os.WriteFile(filepath.Join(folder, ".env"), []byte(vars), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		raw  string
		want *Launch
		err  string
	}{
		{raw: `{"command":"run-${A}","args":["${input:pw}"],"cwd":"sub","env":{"K":"${input:pw}"}}`, want: &Launch{
			Target:  &Target{Kind: Command, Name: "n", Args: []string{"run-1", "<pw >"}},
			Dir:     filepath.Join(folder, "sub"),
			Env:     []Pair{{"K", "<pw >"}},
			Secrets: []Pair{{"A", "1"}, {"password", "<pw >"}},
		}},
		{raw: `{"command":"x","envFile":"${workspaceFolder}/.env","env":{"A":"mine"},"env_vars":["EMPTY","NONE"]}`, want: &Launch{
			Target: &Target{Kind: Command, Name: "n", Args: []string{"x"}},
			Dir:    folder,
			Env:    []Pair{{"EMPTY", ""}, {"A", "from file"}, {"Q", "a b # c\n"}, {"S", "x"}, {"P", "plain"}, {"E", ""}, {"A", "mine"}},
		}},
		{raw: `{"url":"https://h/${A}#x","headers":{"X":"b${A}"},"env":{"A":"${NONE}"},"type":"sse"}`, want: &Launch{
			Target:    &Target{Kind: HTTP, Name: "n", URL: "https://h/1"},
			Transport: "sse",
			Headers:   []Pair{{"X", "b1"}},
			Secrets:   []Pair{{"A", "1"}, {"A", "1"}},
		}},
		{raw: `{"url":"unix:/s"}`, want: &Launch{Target: &Target{Kind: Socket, Name: "n", Network: "unix", Address: "/s"}, Headers: []Pair{}}},
		{raw: `{"url":"stdio:rm x"}`, err: "url: it has to begin with https://"},
		{raw: `{"url":"demo:"}`, err: "url: it has to begin with https://"},
		{raw: `{"url":"secret text"}`, err: "url: "},
		{raw: `{"command":"x","envFile":"none"}`, err: "envFile " + filepath.Join(folder, "none") + ": no such file"},
		{raw: `{"command":"x","env":{"A=B":"c"}}`, err: `"A=B" is no name of a variable`},
		{raw: `{}`, err: "neither a command nor a url"},
	} {
		e := &Entry{Name: "n", File: &File{Path: "f", Scope: Project}, Folder: folder, Raw: []byte(c.raw)}
		got, err := testExpander().Launch(t.Context(), e)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "secret text") {
				t.Errorf("%s: got %v", c.raw, err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.raw, err, diff)
		}
	}
}

func TestLaunchIsTold(t *testing.T) {
	e := &Entry{Name: "n", File: &File{Path: "f"}, Raw: []byte(`{"command":"${X}"}`)}
	_, err := testExpander().Launch(t.Context(), e)
	var variable *VariableError
	if !errors.As(err, &variable) || variable.Variable != "X" {
		t.Errorf("got %v", err)
	}
}

func TestMinimalEnviron(t *testing.T) {
	env := []string{"PATH=p", "HOME=h", "LC_ALL=C", "XDG_RUNTIME_DIR=x", "AWS_SECRET_ACCESS_KEY=s", "Path=p", "SystemRoot=w", "HOMEBREW=1"}
	if diff := cmp.Diff([]string{"PATH=p", "HOME=h", "LC_ALL=C", "XDG_RUNTIME_DIR=x"}, MinimalEnviron(env, "linux")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"PATH=p", "HOME=h", "LC_ALL=C", "XDG_RUNTIME_DIR=x", "Path=p", "SystemRoot=w"}, MinimalEnviron(env, "windows")); diff != "" {
		t.Error(diff)
	}
}
