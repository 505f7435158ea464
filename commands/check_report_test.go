package commands

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"mcpq/commands/check"
	"mcpq/output"
)

// A run that has ended still says so in its report.
func TestBailOutAfterEnd(t *testing.T) {
	f, err := check.Read("f", []byte("steps: [{call: a}, {call: b}]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ format, want string }{
		{formatTAP, "1..2\nBail out! interrupted\n"},
		{formatJUnit, "</testsuites>\n"},
		{"json", `"skipped":2`},
	} {
		for range 100 { // it takes luck to be written behind the end
			var out bytes.Buffer
			ctx, stop := context.WithCancel(context.Background())
			r := &runner{env: &Env{Streams: &output.Streams{Out: &out}, Getenv: func(string) string { return "" }}, grammar: new(grammar), ctx: ctx, closeCtx: context.Background()}
			r.grammar.Format = c.format
			report, err := r.newCheckReport()
			if err != nil {
				t.Fatal(err)
			}
			report.files = []*check.File{f}
			if err := report.begin(); err != nil {
				t.Fatal(err)
			}
			stop()
			if err := report.bailOut(errors.New("interrupted")); err != nil || !strings.Contains(out.String(), c.want) {
				t.Fatalf("%s: %v, printed %q", c.format, err, out.String())
			}
		}
	}
}
