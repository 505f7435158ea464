package commands

import (
	"fmt"
	"io"

	"mcpq/commands/completion"
	"mcpq/output"
)

// CompletionCmd prints the script that has a shell complete command lines.
type CompletionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Run prints it.
func (c *CompletionCmd) Run(r *runner) error {
	_, err := fmt.Fprint(r.env.Out, completion.Shell(c.Shell).Script())
	return err
}

// askedByShell is the command that those scripts call. It is in no help.
const askedByShell = "__complete"

// answerShell tells a shell what may stand at the cursor. A person is typing: it
// never says anything but the answer, and never asks. Whatever fails is no
// answer.
func answerShell(env *Env, args []string) {
	const least = 3 // shell, text before the cursor, text behind it
	if len(args) < least || !completion.Shell(args[0]).Known() {
		return
	}
	replaced := args[1] // at most: the whole word
	if len(args) > least {
		replaced = args[least]
	}
	line := completion.Read(completion.Shell(args[0]), args[1], args[2], replaced, env.Getenv)
	c := &completer{r: silentRunner(env), line: line, terminal: env.Terminal}
	defer c.r.close()
	answer, err := c.answer()
	if err != nil {
		return
	}
	_, _ = env.Out.Write(line.Encode(answer)) // a shell that has gone away wants nothing
}

// silentRunner is one that says and asks nothing.
func silentRunner(env *Env) *runner {
	silent := *env
	streams := *env.Streams
	streams.In, streams.InTTY = noInput{}, false
	streams.Err, streams.ErrTTY = io.Discard, false
	silent.Streams = &streams
	silent.Terminal = nil
	silent.Getenv = func(name string) string {
		if name == "MCPQ_NO_KEYRING" {
			return "1" // a keyring that is locked has a person asked to unlock it
		}
		return env.Getenv(name)
	}
	return &runner{env: &silent, messages: output.NewMessages(io.Discard), unattended: true}
}

type noInput struct{}

func (noInput) Read([]byte) (int, error) { return 0, io.EOF }
