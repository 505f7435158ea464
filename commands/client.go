package commands

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"

	"mcpq/commands/form"
	"mcpq/commands/servers"
	"mcpq/mcp"
	"mcpq/output"
)

// clientSide is what a run needs to answer a server that asks something.
type clientSide struct {
	answers *answers
	target  string // what the user called the server
	session atomic.Pointer[mcp.Client]

	progress *output.Progress
	device   io.ReadWriteCloser
	terminal *form.Terminal
	floor    chan struct{} // full while somebody asks at the terminal

	visits  map[string]bool // URLs that were consented to; for who is at the terminal
	waited  bool            // somebody has waited for visits; for who is at the terminal
	refused atomic.Bool     // a request of the server was answered with an error
}

// prepareClient checks the flags that answer the server.
func (r *runner) prepareClient(target *servers.Target) error {
	r.floor = make(chan struct{}, 1)
	r.visits = make(map[string]bool)
	r.target = targetName(target)
	r.progress = r.newProgress()
	var err error
	r.answers, err = r.grammar.answers(r.env.InTTY && r.env.ErrTTY, r.openTerminal, r.inputs())
	return err
}

// openTerminal reports whether there is a terminal to ask on, and opens it.
func (r *runner) openTerminal() bool {
	if r.terminal != nil {
		return true
	}
	if r.env.Terminal == nil {
		return false
	}
	device, err := r.env.Terminal()
	if err != nil {
		return false
	}
	// It is not closed: a read that nobody waits for any more may hold it.
	r.device = device
	r.terminal = form.NewTerminal(device, terminalColour(r.grammar.Color, r.env))
	return true
}

// atTerminal waits for the turn to ask at the terminal; leaveTerminal ends it.
// Meanwhile no progress is drawn there.
func (r *runner) atTerminal(ctx context.Context) error {
	select {
	case r.floor <- struct{}{}:
		r.messages.HoldStatus()
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *runner) leaveTerminal() {
	r.messages.ReleaseStatus()
	<-r.floor
}

// untilEnd is ctx that ends with the run too.
func (r *runner) untilEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// answering adds what the flags, or a person, can answer.
func (r *runner) answering(h *mcp.Handlers) {
	a := r.answers
	if len(a.roots) > 0 {
		h.Roots = func(context.Context) ([]mcp.Root, error) { return a.roots, nil }
	}
	if h.Sample = r.sampler(); h.Sample != nil {
		h.SampleTools = a.sampleExec != ""
	}
	switch {
	case a.elicitExec != "":
		h.Elicit, h.ElicitURL = r.elicitByCommand, r.elicitByCommand
	case a.elicit == elicitAsk:
		h.Elicit, h.ElicitURL, h.AwaitVisits = r.elicitForm, r.elicitURL, r.awaitVisits
	case a.elicit != "":
		h.Elicit = r.elicitForm
	}
}

// serverName tells a person which server asks: what it was called on the
// command line, and what it calls itself.
func (r *runner) serverName() string {
	if c := r.session.Load(); c != nil {
		var info struct{ Name, Title string }
		_ = json.Unmarshal(c.Info().ServerInfo, &info) // it may be missing
		if info.Title != "" {
			info.Name = info.Title
		}
		if name := output.SafeLine(info.Name); name != "" {
			return "server " + r.target + " (" + brief(name) + ")"
		}
	}
	return "server " + r.target
}

// targetName is a server as a person reads it, without secrets.
func targetName(t *servers.Target) string {
	if t.Name != "" {
		return brief(t.Name)
	}
	switch t.Kind {
	case servers.HTTP:
		return brief(safeURL(t.URL))
	case servers.Demo:
		return "demo:"
	case servers.Socket:
		return brief(t.Network + ":" + t.Address)
	}
	return brief(strings.Join(t.Args, " "))
}
