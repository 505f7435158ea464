//go:build unix

package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcpq/output"
)

// answeringRun is a run that can answer, and what it says on stderr.
func answeringRun(t *testing.T) (*runner, *bytes.Buffer) {
	t.Helper()
	said := new(bytes.Buffer)
	r := &runner{
		env:      &Env{Streams: &output.Streams{Err: said}, Environ: os.Environ, Getenv: os.Getenv},
		grammar:  new(grammar),
		messages: output.NewMessages(said),
	}
	r.floor = make(chan struct{}, 1)
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	t.Cleanup(func() { r.stop(nil) })
	return r, said
}

func TestExecAnswer(t *testing.T) {
	t.Setenv("MCPQ_TEST_OURS", "inherited")
	tests := []struct{ name, command, want, err, said string }{
		{"params come in, the answer goes out", `cat`, `{"a":1}`, "", ""},
		{"white space around the answer", `echo; cat; echo`, `{"a":1}`, "", ""},
		{"our environment and no more", `echo "\"$MCPQ_TEST_OURS $MCPQ_TEST_SERVER\""`, `"inherited "`, "", ""},
		{"stderr is passed on safely", `printf 'a\033[2Jb\n' >&2; cat`, `{"a":1}`, "", `a\x1b[2Jb` + "\n"},
		{"not reading the params", `exec <&-; echo 1`, `1`, "", ""},
		{"failing", `echo 1; exit 7`, "", `"echo 1; exit 7" failed: exit status 7`, ""},
		{"no answer", `cat >/dev/null`, "", `"cat >/dev/null" answered nothing`, ""},
		{"two answers", `echo 1 2`, "", `"echo 1 2" answered what is not JSON: "1 2"`, ""},
		{"no end of an answer", `yes`, "", errTooLong.Error(), ""},
		{"a process left behind", `sleep 60 & cat`, `{"a":1}`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, said := answeringRun(t)
			r.grammar.Env = []string{"MCPQ_TEST_SERVER=secret"}
			got, err := r.execAnswer(context.Background(), tt.command, json.RawMessage(`{"a":1}`))
			reason := ""
			if err != nil {
				reason = err.Error()
			}
			if string(got) != tt.want || reason != tt.err || said.String() != tt.said {
				t.Errorf("got %q, error %q, said %q; want %q, %q, %q", got, reason, said, tt.want, tt.err, tt.said)
			}
		})
	}
}

// A command ends with what it answers for, and with the run.
func TestExecAnswerEnds(t *testing.T) {
	why := errors.New("enough")
	for name, end := range map[string]func(r *runner, cancel context.CancelCauseFunc){
		"the question": func(_ *runner, cancel context.CancelCauseFunc) { cancel(why) },
		"the run":      func(r *runner, _ context.CancelCauseFunc) { r.stop(why) },
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := answeringRun(t)
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			began := time.Now()
			started := filepath.Join(t.TempDir(), "started")
			go func() {
				waitForFile(t, started)
				end(r, cancel)
			}()
			_, err := r.execAnswer(ctx, "trap '' TERM INT; touch "+started+"; sleep 60; sleep 60", nil)
			if !errors.Is(err, why) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func waitForFile(t *testing.T, name string) {
	for deadline := time.Now().Add(20 * time.Second); ; {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Error("the command did not start")
			return
		}
		<-time.After(5 * time.Millisecond) // another process gives no event
	}
}

// One question at a time has the terminal.
func TestTurns(t *testing.T) {
	r, _ := answeringRun(t)
	if err := r.atTerminal(context.Background()); err != nil {
		t.Fatal(err)
	}
	why := errors.New("waited enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	if err := r.atTerminal(ctx); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	r.leaveTerminal()
	if err := r.atTerminal(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestBrief(t *testing.T) {
	if got := brief(strings.Repeat("ä", 61)); got != strings.Repeat("ä", 60)+"…" {
		t.Errorf("got %q", got)
	}
}
