package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/demo"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
	"mcpq/output"
)

// runner holds one run of the program together: its context, its server and
// its printer. What a command does not ask for is never made.
type runner struct {
	env     *Env
	began   time.Time
	grammar *grammar
	command []string // behind --
	dashes  bool
	given   map[string]bool // the flags that are on the command line, by name

	selected string // the name of the command, or of its part: list of tasks list

	signals   <-chan os.Signal // once listening is closed
	listening chan struct{}
	ctx       context.Context // ends with a signal or --max-time
	stop      context.CancelCauseFunc
	closeCtx  context.Context // ends with a second signal
	kill      context.CancelFunc

	knowsTasks bool // as a client of 2026-07-28 declares, or not
	sessions   *sessionFile
	keepsOpen  bool // the session at the server, for what goes on there
	anew       bool // nothing is to come from the cache
	isolated   bool // the server command gets little of our environment
	unattended bool // nobody is asked, and nothing is stored for good

	notified func(method string, params json.RawMessage) // by the server; may be nil
	tracing  func(transport.Event)                       // one for all sessions; nil before the first, or for none

	messages *output.Messages
	secrets  secrets
	printer  *output.Printer
	saving   *saving // of -o; nil without
	client   *mcp.Client
	cleanup  []func()
	clientSide
}

// listen begins to listen for signals in the background. The runtime needs a
// thread and several switches between threads for that, a tenth of a short run.
// Until it is done a signal ends the process, which is right as long as nothing
// has been begun.
func (r *runner) listen() {
	r.listening = make(chan struct{})
	go func() {
		r.signals = r.env.Signals()
		close(r.listening)
	}()
}

// context makes the run's context, which signals end.
func (r *runner) context() context.Context {
	if r.listening == nil {
		r.listen()
	}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	r.closeCtx, r.kill = context.WithCancel(context.Background())
	done := make(chan struct{})
	r.cleanup = append(r.cleanup, func() { close(done) })
	go r.watchSignals(done)
	if d := time.Duration(r.grammar.MaxTime); d > 0 {
		timer := time.AfterFunc(d, func() {
			r.stop(&mcp.TimeoutError{Limit: "max-time", After: d, Doing: "the run"})
		})
		r.cleanup = append(r.cleanup, func() { timer.Stop() })
	}
	return r.ctx
}

// watchSignals ends the run at the first signal and kills at the second.
func (r *runner) watchSignals(done <-chan struct{}) {
	<-r.listening
	count := 0
	for {
		select {
		case s := <-r.signals:
			sig, ok := s.(syscall.Signal)
			if !ok {
				sig = syscall.SIGINT
			}
			count++
			if count == 1 {
				r.stop(&SignalError{Signal: sig})
				continue
			}
			r.kill()
			const last = 500 * time.Millisecond // for the killing to be seen through
			time.AfterFunc(last, func() { r.env.Kill(exitSignal + int(sig)) })
		case <-done:
			return
		}
	}
}

// close ends the session and everything that was begun, in reverse order.
func (r *runner) close() {
	if r.client != nil {
		if err := r.client.Close(r.closeCtx); err != nil && r.grammar.Verbose > 0 {
			r.messages.Warningf("closing the session: %v", err)
		}
	}
	if r.progress != nil {
		r.progress.Close()
	}
	for i := len(r.cleanup) - 1; i >= 0; i-- {
		r.cleanup[i]()
	}
	if r.ctx != nil {
		r.stop(nil)
		r.kill()
	}
}

// preparePrinter checks the flags about output.
func (r *runner) preparePrinter() error { return r.printUntil(r.ctx) }

// printUntil makes a printer that waits for the reader of stdout until ctx ends.
func (r *runner) printUntil(ctx context.Context) error {
	opts, err := r.grammar.PrintFlags.options(r.env)
	if err != nil {
		return err
	}
	r.printer = output.NewPrinter(newInterruptible(ctx, r.stdout()), r.env.OutTTY, opts)
	return nil
}

// prepare checks what can be checked before a server is started.
func (r *runner) prepare() (*servers.Target, error) {
	if err := r.preparePrinter(); err != nil {
		return nil, err
	}
	target, err := servers.Resolve(r.command, r.dashes, r.grammar.Server, r.env.Getenv("MCPQ_SERVER"))
	if errors.Is(err, servers.ErrNone) {
		return nil, &UsageError{Err: err, Hint: "'-s demo:' is the one built in; 'mcpq help servers' tells how others are named"}
	}
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	if target.Kind == servers.Named {
		if target, err = r.configured(target.Name); err != nil {
			var usage *UsageError
			if errors.As(err, &usage) && r.grammar.Server == "" {
				err = &UsageError{Err: fmt.Errorf("MCPQ_SERVER: %w", err), Hint: usage.Hint}
			}
			return nil, err
		}
	}
	return target, r.prepareClient(target)
}

// connect opens a session with the server that the command line names.
func (r *runner) connect(ctx context.Context, target *servers.Target) (*mcp.Client, error) {
	flags := &r.grammar.ServerFlags
	version, err := flags.version()
	if err != nil {
		return nil, err
	}
	if r.sessions, err = r.openSessionFile(target); err != nil {
		return nil, err
	}
	dialer, err := r.dialer(target)
	if err != nil {
		return nil, err
	}
	trace, err := r.trace()
	if err != nil {
		return nil, err
	}
	header, err := flags.headers()
	if err != nil {
		return nil, err
	}
	options := mcp.Options{
		Version:         version,
		Client:          mcp.Implementation{Name: "mcpq", Version: r.env.Version},
		Handlers:        r.handlers(),
		LogLevel:        r.grammar.LogLevel,
		ConnectTimeout:  r.withLogin(flags.ConnectTimeout.limit()),
		Timeout:         r.withLogin(flags.Timeout.limit()),
		NoProgressReset: r.grammar.NoProgressReset,
		Extensions:      r.extensions(),
		Resume:          r.sessions.resumed(version),
		Trace:           trace,
		Exchanged:       r.exchanged(),
		Fallback:        flags.fallback(dialer),
		MaxMessage:      int64(flags.MaxBytes),
	}
	if r.unattended {
		options.ProbeTimeout = completeProbe
	}
	r.cache(&options, target, header)
	r.progress.Wait("connecting to " + r.target)
	r.note("connecting to %s", r.target)
	<-r.listening // a signal must not leave a server behind
	c, err := mcp.Connect(ctx, dialer, options)
	if err != nil {
		return nil, err
	}
	r.client = c
	r.keepSession(c)
	r.session.Store(c)
	r.progress.Wait("waiting for " + r.target)
	r.noteSession(c.Info())
	return c, nil
}

// handlers are what a server may tell or ask.
func (r *runner) handlers() mcp.Handlers {
	warned := false
	h := mcp.Handlers{
		Log: func(l mcp.LogMessage) { r.messages.Log(l.Level, l.Logger, l.Data) },
		Warn: func(err error) {
			var noise *jsonrpc.NotJSONError
			var tool *mcp.ToolError
			var lacks *mcp.CapabilityError
			var unanswered *mcp.UnansweredError
			switch {
			case as(err, &unanswered):
				r.warnUnanswered(unanswered)
			case as(err, &tool), as(err, &lacks):
				r.messages.Warningf("%v", err)
			case as(err, &noise) && !warned:
				warned = true
				r.messages.Warningf("the server writes to stdout what is no message, such as %q", noise.Head)
			case r.grammar.Verbose > 0:
				r.messages.Warningf("%v", err)
			}
		},
	}
	h.Progress, h.Notification = r.showProgress, r.notified
	r.answering(&h)
	if r.unattended {
		refuseAll(&h)
	}
	h.Tasks = r.knowsTasks
	return h
}

// open does both: it prepares, and connects.
func (r *runner) open(ctx context.Context) (*mcp.Client, error) {
	target, err := r.prepare()
	if err != nil {
		return nil, err
	}
	return r.connect(ctx, target)
}

// dialer makes what reaches the target.
func (r *runner) dialer(t *servers.Target) (transport.Dialer, error) {
	flags := &r.grammar.ServerFlags
	header, err := flags.headers()
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		if isSecret(name) {
			r.secrets.hide(secretParts(values)...)
		}
	}
	switch {
	case t.Kind != servers.HTTP && len(header) > 0:
		return nil, usagef("-H only goes with an HTTP server")
	case t.Kind != servers.HTTP && r.grammar.AuthFlags.given():
		return nil, usagef("only HTTP servers have logins and tokens")
	case t.Kind != servers.Command && (len(flags.Env) > 0 || flags.Cwd != ""):
		return nil, usagef("--env and --cwd only go with a server command")
	}
	if err := flags.check(t); err != nil {
		return nil, err
	}
	switch t.Kind {
	case servers.HTTP:
		rt, err := r.roundTripper(t.URL, header)
		if err != nil {
			return nil, err
		}
		return flags.overHTTP(r.sessions.keeping(transport.HTTP{URL: t.URL, Header: header, RoundTripper: rt})), nil
	case servers.Socket:
		return transport.Socket{Network: t.Network, Address: t.Address, Framing: flags.framing()}, nil
	case servers.Demo:
		return r.demo(), nil
	}
	env, err := r.serverEnv()
	if err != nil {
		return nil, err
	}
	c := transport.Command{Args: t.Args, Env: env, Dir: flags.Cwd, Grace: time.Duration(flags.Grace), Framing: flags.framing()}
	if flags.Verbose > 0 {
		w := r.messages.Writer()
		r.cleanup = append(r.cleanup, func() { _ = w.Close() })
		c.Stderr = w
	}
	return c, nil
}

// serverEnv is the environment of a server command: ours, or for one from a
// config file little of it, and what --env adds.
func (r *runner) serverEnv() ([]string, error) {
	env := r.env.Environ()
	if r.isolated && !r.grammar.InheritEnv {
		env = servers.MinimalEnviron(env, runtime.GOOS)
	}
	for _, pair := range r.grammar.Env {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usagef("bad --env %q: write NAME=VALUE", pair)
		}
		r.hideValue(value)
		env = append(env, pair)
	}
	return env, nil
}

// demo runs the built-in server on a pair of pipes in this process.
func (r *runner) demo() transport.Dialer {
	ctx, cancel := context.WithCancel(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := demo.New(demo.Options{Version: r.env.Version}).ServeStream(ctx, inR, outW)
		_ = outW.CloseWithError(err) // nil is io.EOF
		_ = inR.Close()
	}()
	return transport.Stream{Label: "demo", Stream: jsonrpc.NewStream(outR, inW, func() error {
		_ = inW.Close()
		cancel()
		_ = outR.Close()
		<-done
		return nil
	})}
}
