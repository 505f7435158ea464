package commands

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"mcpq/commands/completion"
	"mcpq/commands/servers"
	"mcpq/mcp"
)

// completeTime is how long a person waits for an answer. completeTimeVariable
// says otherwise, for servers that are slow to start.
const (
	completeTime         = 2 * time.Second
	completeTimeVariable = "MCPQ_COMPLETION_TIME"
)

// How the time is spent: the server has most of it, and its process is given
// some to end, each step completeGrace. A server that stays silent about the
// newest version is asked in the older way soon, too.
const (
	answerShare   = 0.7
	killShare     = 0.9
	completeGrace = 150 * time.Millisecond
	completeProbe = 500 * time.Millisecond
)

// completePeer is the server of the line that is being typed. It is asked only
// when that is needed; whatever fails is an empty answer.
type completePeer struct {
	r        *runner
	terminal func() (io.ReadWriteCloser, error)
	walk     *walk
	dashes   bool              // a command of a server stands on the line
	command  []completion.Word // that is it

	tried  bool
	target *servers.Target
	client *mcp.Client // nil until needed
	failed bool
	ctx    context.Context
	kept   *keptLists
}

// errNoPeer is a line that names no server, or not one that is known here.
var errNoPeer = errors.New("no server to ask")

// resolve reads the flags of the line that are about the server.
func (p *completePeer) resolve() bool {
	if !p.tried {
		p.tried = true
		if err := p.prepare(); err != nil {
			p.target = nil
		}
	}
	return p.target != nil
}

func (p *completePeer) prepare() error {
	words, ok := p.flags()
	for _, w := range p.command {
		ok = ok && !w.Unknown
		p.r.command = append(p.r.command, w.Text)
	}
	if !ok {
		return errNoPeer
	}
	p.r.dashes = p.dashes
	info := slices.IndexFunc(table(), func(k command) bool { return k.name == "info" })
	parsed, err := p.r.parse(append([]string{"info"}, words...), table()[info:info+1], false)
	if err != nil {
		return err
	}
	p.r.given = flagsGiven(parsed)
	g := p.r.grammar
	target, err := servers.Resolve(p.r.command, p.r.dashes, g.Server, p.r.env.Getenv("MCPQ_SERVER"))
	if err != nil {
		return err
	}
	p.limit()
	if target.Kind == servers.Named {
		if target, err = p.r.configured(target.Name); err != nil {
			return err
		}
	}
	g.Grace = Duration(completeGrace)
	g.ConnectTimeout, g.Timeout = 0, 0 // the context ends all
	// What is declared to a server decides what it lists and what is cached, so
	// it is to be as it will be when the line is run; nobody is asked, though.
	p.r.target, p.r.progress = targetName(target), p.r.newProgress()
	terminal := p.hasTerminal()
	if p.r.answers, err = g.answers(terminal, func() bool { return terminal }, p.r.inputs()); err != nil {
		return err
	}
	path := p.walk.path()
	p.r.knowsTasks = path == "call" && p.walk.value("no-task") == nil || strings.HasPrefix(path, "tasks")
	p.target = target
	p.kept = p.r.keptLists(target, words)
	return nil
}

// limit begins the time that there is.
func (p *completePeer) limit() {
	all := completeTime
	var asked Duration
	if err := asked.UnmarshalText([]byte(p.r.env.Getenv(completeTimeVariable))); err == nil && asked > 0 {
		all = time.Duration(asked)
	}
	share := func(part float64) time.Duration { return time.Duration(part * float64(all)) }
	ctx := p.r.context()
	kill := time.AfterFunc(share(killShare), p.r.kill)
	ctx, cancel := context.WithTimeout(ctx, share(answerShare))
	p.r.cleanup = append(p.r.cleanup, cancel, func() { kill.Stop() })
	p.ctx = ctx
}

// flags are the flags of the line that say which server and how; false when the
// value of one is known to the shell alone.
func (p *completePeer) flags() (words []string, known bool) {
	for _, f := range p.walk.root.Flags {
		values, given := p.walk.values[f]
		if !given || p.leftOut(f) {
			continue
		}
		if !p.walk.known[f] {
			return nil, false
		}
		for _, v := range values {
			if takesValue(f) || v != "" {
				words = append(words, "--"+f.Name+"="+v)
			} else {
				words = append(words, "--"+f.Name)
			}
		}
	}
	return words, true
}

// leftOut are flags that are not for now: how results look, what is said on
// stderr, what has a person asked or writes files.
func (p *completePeer) leftOut(f *kong.Flag) bool {
	switch f.Name {
	case "help", "login", "browser", "no-browser", "device", "max-time", "timeout", "connect-timeout", "grace":
		return true
	case "session-file":
		files := p.walk.values[f]
		_, err := os.Stat(files[len(files)-1])
		return err != nil // it would be made
	}
	return f.Group != nil && (f.Group.Key == "output" || f.Group.Key == "diagnosis")
}

// hasTerminal tells whether a person could be asked when the line is run.
func (p *completePeer) hasTerminal() bool {
	if p.terminal == nil {
		return false
	}
	device, err := p.terminal()
	if err != nil {
		return false
	}
	_ = device.Close() // nothing was written
	return true
}

// open gives the session, opened when it is first needed; nil if there is none.
func (p *completePeer) open() *mcp.Client {
	if p.client == nil && !p.failed && p.resolve() {
		client, err := p.r.connect(p.ctx, p.target)
		p.client, p.failed = client, err != nil
	}
	return p.client
}
