// Package commands is the command line of mcpq: its grammar, one file a
// command, and the contract of what goes where: results to stdout, everything
// else to stderr, and an exit code for each kind of failure.
package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"mcpq/mcp"
	"mcpq/output"
)

// grammar is what all commands share of the command line.
type grammar struct {
	ServerFlags  `embed:""`
	PrintFlags   `embed:""`
	ClientFlags  `embed:""`
	SessionFlags `embed:""`
	CacheFlags   `embed:""`
	AuthFlags    `embed:""`
}

// command is one command of the command line. The struct that make gives is
// filled by kong; its Run method does the work.
type command struct {
	name    string
	aliases string // separated by commas
	help    string
	bare    bool // it has nothing to do with a server: no shared flags
	make    func() any
}

// table lists the commands in the order of --help.
func table() []command {
	return []command{
		{name: "info", help: "Show what a server is: version, capabilities, instructions.", make: func() any { return new(InfoCmd) }},
		{name: "ping", help: "Check that a server answers, and how fast.", make: func() any { return new(PingCmd) }},
		{name: "list-tools", aliases: "tools", help: "List all tools.", make: func() any { return new(ListCmd) }},
		{name: "list-resources", aliases: "resources", help: "List all resources.", make: func() any { return new(ListCmd) }},
		{name: "list-templates", aliases: "templates", help: "List all resource templates.", make: func() any { return new(ListCmd) }},
		{name: "list-prompts", aliases: "prompts", help: "List all prompts.", make: func() any { return new(ListCmd) }},
		{name: "list-skills", aliases: "skills", help: "List all skills.", make: func() any { return new(ListCmd) }},
		{name: "describe", help: "Show how a tool, prompt or template is used.", make: func() any { return new(DescribeCmd) }},
		{name: "call", help: "Call a tool.", make: func() any { return new(CallCmd) }},
		{name: "read", help: "Read resources, or a resource template.", make: func() any { return new(ReadCmd) }},
		{name: "get-prompt", aliases: "prompt", help: "Get a prompt.", make: func() any { return new(PromptCmd) }},
		{name: "complete", help: "Complete an argument of a prompt or template.", make: func() any { return new(CompleteCmd) }},
		{name: "skill", help: "Print a file of a skill, or save the skill, verified.", make: func() any { return new(SkillCmd) }},
		{name: "watch", help: "Print changes of lists and resources, as the server tells of them.", make: func() any { return new(WatchCmd) }},
		{name: "tasks", help: "Follow tasks: list, get, wait, result, update, cancel.", make: func() any { return new(TasksCmd) }},
		{name: "run", help: "Do many operations over one session: NDJSON in, NDJSON out.", make: func() any { return new(RunCmd) }},
		{name: "rpc", help: "Send any request or notification.", make: func() any { return new(RPCCmd) }},
		{name: "hold", help: "Keep a server running, for many clients on a socket.", make: func() any { return new(HoldCmd) }},
		{name: "check", help: "Run smoke tests from files: steps, and what is expected of them.", make: func() any { return new(CheckCmd) }},
		{name: "snapshot", help: "Print all definitions of a server as one canonical document.", make: func() any { return new(SnapshotCmd) }},
		{name: "diff", help: "Show what changed since a snapshot, and whether it breaks anything.", make: func() any { return new(DiffCmd) }},
		{name: "auth", help: "Log in to a server, log out, show logins, print a token.", make: func() any { return new(AuthCmd) }},
		{name: "servers", help: "Servers of config files: list, show, add, remove, import, trust.", make: func() any { return new(ServersCmd) }},
		{name: "demo", bare: true, help: "Run the built-in demo server.", make: func() any { return new(DemoCmd) }},
		{name: "completion", bare: true, help: "Print the script that completes command lines: bash, zsh or fish.", make: func() any { return new(CompletionCmd) }},
		{name: "help", bare: true, help: "Show help on a command or topic.", make: func() any { return new(HelpCmd) }},
		{name: "man", bare: true, help: "Print the manual page, for man.", make: func() any { return new(ManCmd) }},
		{name: "version", bare: true, help: "Print the version.", make: func() any { return new(VersionCmd) }},
	}
}

// Main runs the command line args and returns the exit code.
func Main(args []string, env *Env) int {
	r := &runner{env: env, began: time.Now()}
	r.messages = r.newMessages(args)
	err := r.run(args)
	code := exitCode(err)
	r.note("exit %d after %s", code, roughly(time.Since(r.began)))
	r.report(err, wordValue(args, "--errors") == errorsJSON)
	return code
}

func (r *runner) run(args []string) error {
	if len(args) > 0 && args[0] == askedByShell {
		answerShell(r.env, args[1:])
		return nil
	}
	// kong takes what follows -- as arguments of the command, so the server's
	// command is cut off first.
	for i, a := range args {
		if a == "--" {
			args, r.command, r.dashes = args[:i], args[i+1:], true
			break
		}
	}
	if len(args) == 0 {
		return r.noCommand()
	}
	if len(args) == 1 && (args[0] == "version" || args[0] == "--version") { // nothing to parse: no grammar
		return VersionCmd{}.Run(r)
	}
	if shown, err := r.toolHelp(args); shown {
		return err
	}
	if usesServer(candidates(args)) && !asksForHelp(args) {
		r.listen() // while the words are read
	}
	// Building the whole grammar takes longer than many a call, so the first
	// try knows only the flags and commands that the words can mean.
	parsed, err := r.parse(args, candidates(args), !asksForHelp(args))
	if err != nil {
		parsed, err = r.parse(args, table(), false)
	}
	if err != nil {
		return r.usageError(err, args)
	}
	if parsed == nil { // help was printed
		return nil
	}
	if parsed.Selected() == nil {
		return r.noCommand()
	}
	r.selected = parsed.Selected().Name
	defer r.close()
	r.given = flagsGiven(parsed)
	err = r.runSelected(parsed)
	if r.ctx != nil {
		err = causeOf(r.ctx, err)
	}
	return err
}

// runSelected calls the Run method of the command that the words select. One
// that asks for no context needs no signals either. kong can find out what else
// a method asks for, but takes longer.
func (r *runner) runSelected(parsed *kong.Context) error {
	switch c := parsed.Selected().Target.Addr().Interface().(type) {
	case interface {
		Run(ctx context.Context, r *runner) error
	}:
		return c.Run(r.context(), r)
	case interface{ Run(r *runner) error }:
		return c.Run(r)
	}
	if err := parsed.BindToProvider(func() (context.Context, error) { return r.context(), nil }); err != nil {
		return err
	}
	return parsed.Run(r)
}

func usesServer(commands []command) bool {
	return slices.ContainsFunc(commands, func(c command) bool { return !c.bare })
}

// candidates are the commands whose names are among the words.
func candidates(args []string) []command {
	if asksForHelp(args) {
		return table()
	}
	var found []command
	for _, c := range table() {
		for _, a := range args {
			if a == c.name || a != "" && slices.Contains(strings.Split(c.aliases, ","), a) {
				found = append(found, c)
				break
			}
		}
	}
	return found
}

func asksForHelp(args []string) bool {
	return slices.Contains(args, "-h") || slices.Contains(args, "--help")
}

// parse parses the command line with the commands given, and with all the
// shared flags or, where no help can be asked for, only those that the words can
// mean. It returns nil when all that was asked for was help, and that has been
// printed.
func (r *runner) parse(args []string, commands []command, narrowly bool) (*kong.Context, error) {
	r.grammar = new(grammar)
	root, adopt := any(r.grammar), func() {}
	exited := false
	options := []kong.Option{kong.Exit(func(int) { exited = true })}
	if narrowly {
		n := narrow(r.grammar, args)
		root, adopt = n.root(), n.adopt
		options = append(options, kong.PostBuild(withoutTexts))
	} else {
		options = append(helpOptions(), append(options, kong.Help(r.printHelp))...)
	}
	if len(commands) == 1 && commands[0].bare {
		root, adopt = new(struct{}), func() {}
	}
	parser, err := r.parser(root, commands, options...)
	if err != nil {
		return nil, err
	}
	parsed, err := parser.Parse(args)
	if exited {
		return nil, nil
	}
	if err == nil {
		adopt()
	}
	return parsed, err
}

// parser makes the grammar of the commands given, with the flags of the struct
// root.
func (r *runner) parser(root any, commands []command, more ...kong.Option) (*kong.Kong, error) {
	options := append([]kong.Option{
		kong.Name("mcpq"),
		kong.Writers(r.env.Out, r.env.Err),
	}, more...)
	for _, c := range commands {
		var tags []string
		if c.aliases != "" {
			tags = append(tags, fmt.Sprintf("aliases:%q", c.aliases))
		}
		options = append(options, kong.DynamicCommand(c.name, c.help, "", c.make(), tags...))
	}
	return kong.New(root, options...)
}

// wholeParser makes the grammar of everything. Its Model is what help, completion
// and manual are made from.
func (r *runner) wholeParser() (*kong.Kong, error) {
	return r.parser(new(grammar), table(), helpOptions()...)
}

// helpOptions are what help is made from besides the table and the flags.
func helpOptions() []kong.Option {
	return []kong.Option{
		kong.ExplicitGroups(helpGroups()),
		kong.PostBuild(nameHelpFlag),
		kong.Vars{"versions": strings.Join(mcp.Versions(), ", "), "levels": strings.Join(logLevels(), ", "),
			"formats": strings.Join(output.Formats(), ", ")},
	}
}

func nameHelpFlag(k *kong.Kong) error {
	k.Model.HelpFlag.Help = "Show help on mcpq, or on the command that is given."
	return nil
}

// withoutTexts takes the texts of help out of the grammar before kong looks for
// variables in them.
func withoutTexts(k *kong.Kong) error {
	return kong.Visit(k.Model.Node, func(v kong.Visitable, next kong.Next) error {
		switch v := v.(type) {
		case *kong.Node:
			v.Help = ""
		case *kong.Value:
			v.Help = ""
		}
		return next(nil)
	})
}
