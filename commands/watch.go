package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// WatchCmd prints notifications as they come, one a line.
type WatchCmd struct {
	URI []string `arg:"" optional:"" name:"uri" help:"Resources whose changes to print. Without any, and without the flags below: the changes of all lists of which the server tells."`

	Tools     bool     `help:"Print changes of the list of tools."`
	Prompts   bool     `help:"Print changes of the list of prompts."`
	Resources bool     `help:"Print changes of the list of resources."`
	Task      []string `sep:"none" placeholder:"ID" help:"Print changes of a task; repeatable."`
	Logs      bool     `help:"Print log messages of the server too, rather than show them on stderr."`

	Count  int      `placeholder:"N" help:"Stop after N notifications."`
	For    Duration `placeholder:"TIME" help:"Stop after TIME."`
	Reread bool     `help:"After each change of a resource read it, and print {\"uri\",\"result\"}; also when the stream broke, since a change may have been missed."`
}

// Validate checks the flags.
func (w *WatchCmd) Validate() error {
	switch {
	case w.Count < 0:
		return usagef("--count has to be at least 1")
	case w.Reread && len(w.URI) == 0:
		return usagef("--reread needs the resources to watch")
	}
	return nil
}

// WatchEndedError is a server that ended a watch before it was over.
type WatchEndedError struct{ Seen int }

func (e *WatchEndedError) Error() string {
	return fmt.Sprintf("the server ended the subscription early; notifications seen: %d", e.Seen)
}

// The ends of a watch that are meant.
var (
	errCounted = errors.New("all notifications asked for have come")
	errForOver = errors.New("the time to watch is over")
)

// Run prints notifications until one of the limits, a signal, or the server
// ends it.
func (w *WatchCmd) Run(ctx context.Context, r *runner) error {
	r.grammar.Compact = !r.grammar.Pretty // a line for each, on a terminal too
	r.anew, r.knowsTasks = true, len(w.Task) > 0
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	want := mcp.Subscription{Tools: w.Tools, Prompts: w.Prompts, Resources: w.Resources, Logs: w.Logs, URIs: w.URI, TaskIDs: w.Task}
	if !w.Tools && !w.Prompts && !w.Resources && !w.Logs && len(w.URI)+len(w.Task) == 0 {
		want = c.Info().ListChanges()
		if !want.Tools && !want.Prompts && !want.Resources {
			return &mcp.SubscriptionError{Reason: "the server does not tell when its lists change; resources are watched by their URIs"}
		}
	}
	run := &watching{cmd: w, r: r, client: c}
	run.ctx, run.stop = context.WithCancelCause(ctx)
	defer run.end()
	err = c.Watch(run.ctx, want, mcp.Watcher{Notified: run.notified, Opened: run.opened, Dropped: run.dropped})
	switch {
	case ctx.Err() != nil:
		return err
	case errors.Is(err, errCounted), errors.Is(err, errForOver):
		return r.printer.Status()
	case err != nil:
		return err
	case w.Count > 0 || w.For > 0:
		return &WatchEndedError{Seen: run.seen}
	}
	r.messages.Warningf("the server ended the subscription")
	return r.printer.Status()
}

// watching is one watch going on.
type watching struct {
	cmd    *WatchCmd
	r      *runner
	client *mcp.Client
	ctx    context.Context
	stop   context.CancelCauseFunc
	timer  *time.Timer // of --for, once the watch stands
	seen   int
}

func (w *watching) end() {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.stop(nil)
}

func (w *watching) notified(n mcp.Notification) error {
	line := rawjson.Object{}.Set("method", rawjson.Quote(n.Method))
	if n.Params != nil {
		line = line.Set("params", n.Params)
	}
	if err := w.r.printer.JSON(w.ctx, line.Raw()); err != nil {
		return err
	}
	if w.cmd.Reread && n.Method == "notifications/resources/updated" {
		var p struct {
			URI string `json:"uri"`
		}
		if json.Unmarshal(n.Params, &p) == nil && p.URI != "" {
			if err := w.reread(p.URI); err != nil {
				return err
			}
		}
	}
	w.seen++
	if w.seen == w.cmd.Count {
		return errCounted
	}
	return nil
}

// opened starts the clock, and makes good for what a break may have hidden.
func (w *watching) opened(again bool) error {
	if !again {
		if w.cmd.For > 0 && w.timer == nil {
			w.timer = time.AfterFunc(time.Duration(w.cmd.For), func() { w.stop(errForOver) })
		}
		if w.r.grammar.Verbose > 0 {
			w.r.messages.Line("* watching")
		}
		return nil
	}
	w.r.messages.Warningf("the notifications broke off and were taken up again; some may be missing")
	if !w.cmd.Reread {
		return nil
	}
	for _, uri := range w.cmd.URI {
		if err := w.reread(uri); err != nil {
			return err
		}
	}
	return nil
}

func (w *watching) dropped(what []string) error {
	w.r.messages.Warningf("the server does not tell of %s", strings.Join(what, ", "))
	return nil
}

// reread prints a resource as it is now. One that cannot be read at the moment
// does not end the watch.
func (w *watching) reread(uri string) error {
	quoted := rawjson.Quote(uri)
	res, err := w.client.Do(w.ctx, &mcp.Request{Method: "resources/read", Params: rawjson.Object{}.Set("uri", quoted).Raw()})
	var refused *mcp.RPCError
	if errors.As(err, &refused) {
		w.r.messages.Warningf("%s: %v", uri, err)
		return nil
	}
	if err != nil {
		return err
	}
	return w.r.printer.JSON(w.ctx, rawjson.Object{}.Set("uri", quoted).Set("result", res.Raw).Raw())
}
