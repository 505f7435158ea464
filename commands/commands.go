// Package commands is the command line of mcpq: its grammar, one file a
// command, and the contract of what goes where: results to stdout, everything
// else to stderr, and an exit code for each kind of failure.
package commands

import (
	"context"
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/mcp"
	"mcpq/output"
)

// grammar is the command line. A command is a struct that kong fills; its Run
// method does the work.
type grammar struct {
	ServerFlags `embed:""`
	PrintFlags  `embed:""`

	Info          InfoCmd     `cmd:"" group:"commands" help:"Show what a server is: version, capabilities, instructions."`
	Ping          PingCmd     `cmd:"" group:"commands" help:"Check that a server answers, and how fast."`
	ListTools     ListCmd     `cmd:"" group:"commands" aliases:"tools" help:"List all tools."`
	ListResources ListCmd     `cmd:"" group:"commands" aliases:"resources" help:"List all resources."`
	ListTemplates ListCmd     `cmd:"" group:"commands" aliases:"templates" help:"List all resource templates."`
	ListPrompts   ListCmd     `cmd:"" group:"commands" aliases:"prompts" help:"List all prompts."`
	Call          CallCmd     `cmd:"" group:"commands" help:"Call a tool."`
	Read          ReadCmd     `cmd:"" group:"commands" help:"Read resources, or a resource template."`
	GetPrompt     PromptCmd   `cmd:"" group:"commands" aliases:"prompt" help:"Get a prompt."`
	Complete      CompleteCmd `cmd:"" group:"commands" help:"Complete an argument of a prompt or template."`
	RPC           RPCCmd      `cmd:"" name:"rpc" group:"commands" help:"Send any request or notification."`
	Demo          DemoCmd     `cmd:"" group:"commands" help:"Run the built-in demo server."`
	HelpTopic     HelpCmd     `cmd:"" name:"help" group:"commands" help:"Show help on a command or topic: arguments, exit-codes, jq, servers."`
	Version       VersionCmd  `cmd:"" group:"commands" help:"Print the version."`
}

const description = `curl and jq for MCP: one operation on a Model Context Protocol server, JSON on stdout, an exit code to branch on.

mcpq [FLAGS] COMMAND [ARG…] [-- SERVER-COMMAND [ARG…]]`

// Main runs the command line args and returns the exit code.
func Main(args []string, env *Env) int {
	r := &runner{env: env}
	r.messages = output.NewMessages(r.secrets.writer(env.Err))
	err := r.run(args)
	report(r.messages, err)
	return exitCode(err)
}

func (r *runner) run(args []string) error {
	// kong takes what follows -- as arguments of the command, so the server's
	// command is cut off first.
	for i, a := range args {
		if a == "--" {
			args, r.command, r.dashes = args[:i], args[i+1:], true
			break
		}
	}
	r.grammar = new(grammar)
	exited := false
	parser, err := kong.New(r.grammar,
		kong.Name("mcpq"),
		kong.Description(description),
		kong.Writers(r.env.Out, r.env.Err),
		kong.Exit(func(int) { exited = true }),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.ExplicitGroups(helpGroups()),
		kong.Vars{"versions": strings.Join(mcp.Versions(), ", ")},
	)
	if err != nil {
		return err
	}
	if len(args) == 0 && !r.dashes {
		return &UsageError{Err: errors.New("no command given"), Hint: "'mcpq --help' lists them"}
	}
	parsed, err := parser.Parse(args)
	if exited { // help was printed
		return nil
	}
	if err != nil {
		return usageError(err)
	}
	parsed.BindTo(r.context(), (*context.Context)(nil))
	defer r.close()
	return causeOf(r.ctx, parsed.Run(r))
}

// usageError makes one of kong's errors ours.
func usageError(err error) error {
	u := &UsageError{Err: err, Hint: "'mcpq --help' shows the usage"}
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		u.Hint = "usage: mcpq " + strings.TrimPrefix(parse.Context.Selected().Summary(), "mcpq ")
	}
	return u
}
