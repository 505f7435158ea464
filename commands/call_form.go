package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"mcpq/commands/args"
	"mcpq/commands/form"
	"mcpq/commands/manual"
	"mcpq/commands/servers"
	"mcpq/internal/rawjson"
)

// complete asks a person at the terminal for arguments that are required and
// not given. In a script they stay missing, which the schema finds.
func (c *CallCmd) complete(ctx context.Context, r *runner, input, arguments json.RawMessage, missing []string) (json.RawMessage, error) {
	// A name that is misspelt is no reason to ask for the right one.
	if !r.env.InTTY || len(args.Misspelt(arguments, input)) > 0 || !r.openTerminal() {
		return arguments, nil
	}
	f, err := form.ForArguments(ctx, input, missing)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return arguments, nil // the check says what is wrong with the schema
	}
	if err := r.atTerminal(ctx); err != nil {
		return nil, err
	}
	defer r.leaveTerminal()
	noun := "an argument"
	if len(missing) > 1 {
		noun = fmt.Sprintf("%d arguments", len(missing))
	}
	answer, err := f.Ask(ctx, r.terminal, form.Question{Message: fmt.Sprintf("Tool %s needs %s:", c.Tool, noun), Edit: r.editor()})
	switch {
	case err != nil:
		return nil, err
	case answer.Action != form.Accept:
		return nil, &UsageError{Err: errors.New("cancelled: required arguments are missing"), Hint: "usage: " + manual.ToolUsage(c.Tool, input)}
	}
	object, err := rawjson.ParseObject(arguments)
	if err != nil {
		return nil, err
	}
	filled, err := rawjson.ParseObject(answer.Content)
	if err != nil {
		return nil, err
	}
	for _, m := range filled {
		object = object.Set(m.Key, m.Value)
	}
	return object.Raw(), nil
}

// editor runs $VISUAL or $EDITOR on a text; nil if neither is set.
func (r *runner) editor() func(context.Context, string) (string, error) {
	command := r.env.Getenv("VISUAL")
	if command == "" {
		command = r.env.Getenv("EDITOR")
	}
	words, err := servers.Words(command)
	if err != nil || len(words) == 0 {
		return nil
	}
	return func(ctx context.Context, text string) (string, error) {
		file, err := os.CreateTemp("", "mcpq-*.txt")
		if err != nil {
			return "", err
		}
		defer func() { _ = os.Remove(file.Name()) }()
		_, err = file.WriteString(text)
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", err
		}
		cmd := exec.CommandContext(ctx, words[0], append(words[1:], file.Name())...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = r.device, r.device, r.device
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(words, " "), err)
		}
		written, err := os.ReadFile(file.Name())
		return string(written), err
	}
}
