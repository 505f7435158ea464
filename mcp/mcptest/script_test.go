package mcptest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcptest-server": func() { os.Exit(Main()) },
	})
}

// TestProcess runs the pages in testdata, each a use of the command.
func TestProcess(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits CODE PROGRAM ARG… runs a program, with the input that stdin has set.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ script, want string }{
		{"nonsense", `script line 1: unknown setting "nonsense"`},
		{"\n  exit 3", "script line 2: a step outside a rule: exit 3"},
		{"on ping\n dance", `script line 2: unknown step "dance"`},
		{"on ping\n result $WHAT", "script line 2: unknown substitution $WHAT"},
		{"on ping\n result $REPEAT(3", "script line 2: $REPEAT( is not closed"},
		{"on ping\n result $REPEAT(x,y)", "script line 2: $REPEAT wants (COUNT,TEXT), not (x,y)"},
		{"on ping #x", `script line 1: not a count: "x"`},
		{"on a b c", `script line 1: a rule is "on METHOD [NAME] [#WHEN]", not "a b c"`},
		{"era bronze", `script line 1: "bronze" is none of stateful, stateless, both`},
		{"info {", "script line 1: not JSON: {"},
		{"on ping\n exit x", `script line 2: strconv.Atoi: parsing "x": invalid syntax`},
		{"on ping\n wait long", `script line 2: time: invalid duration "long"`},
		{"on ping\n flood moon 1", `script line 2: "moon" is none of stdout, stderr`},
		{"on ping\n sse xx", `script line 2: "xx" is none of lf, crlf, cr`},
		{"on ping\n error x", `script line 2: not an error code: "x"`},
		{"chunk -1", `script line 1: not a size: "-1"`},
	} {
		t.Run(tt.script, func(t *testing.T) {
			_, err := Parse(tt.script)
			var se *ScriptError
			if !errors.As(err, &se) {
				t.Fatalf("error %v, want a ScriptError", err)
			}
			if got := fmt.Sprint(err); got != tt.want {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		})
	}
}
