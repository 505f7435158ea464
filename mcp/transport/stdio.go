package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"mcpq/mcp/jsonrpc"
)

// DefaultGrace is how long a server process is given for each step of its end.
const DefaultGrace = 2 * time.Second

// Command is the Dialer of a server process that speaks over its standard
// input and output, one message a line.
//
// The process gets a process group of its own. Closing the connection closes
// its standard input, then sends SIGTERM, then SIGKILL to the whole group, with
// Grace between the steps. On Linux it also dies with this process.
type Command struct {
	Args []string // program and arguments; no shell is involved
	Env  []string // as "K=V"; nil means the environment of this process
	Dir  string   // working directory; empty means that of this process

	// Stderr takes what the server writes to its standard error. The last
	// lines are kept for error messages in any case.
	Stderr io.Writer

	Grace time.Duration // 0 means DefaultGrace

	// Framing tells messages apart; nil means jsonrpc.NewStream.
	Framing jsonrpc.Framing
}

// process is a running server and our ends of its pipes.
type process struct {
	name   string
	grace  time.Duration
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	errors *os.File // our end of its standard error
	stderr *tail

	ending     atomic.Bool   // we have begun to shut it down
	exited     chan struct{} // closed once the process has been waited for
	stderrDone chan struct{}
}

// Dial starts the process.
func (c Command) Dial(ctx context.Context, p Peer) (Conn, error) {
	if len(c.Args) == 0 {
		return nil, &ConnectError{Target: "server command", Err: errors.New("it is empty")}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	proc, err := c.start()
	if err != nil {
		return nil, &ConnectError{Target: "cannot start " + c.Args[0], Err: c.startReason(err)}
	}
	framing := c.Framing
	if framing == nil {
		framing = jsonrpc.NewStream
	}
	stream := framing(proc.stdout, proc.stdin, func() error {
		// Both may be closed already.
		_, _ = proc.stdin.Close(), proc.stdout.Close()
		return nil
	})
	conn := newStreamConn("stdio", stream, p)
	conn.cause = proc.explain
	conn.end = func(ctx context.Context) error {
		select {
		case <-conn.mux.Done(): // nobody reads what it may be busy writing
			_ = proc.stdout.Close()
		default:
		}
		return proc.end(ctx)
	}
	return conn, nil
}

// startReason is err without what its reader knows, and with what the system
// does not say: which of the two paths it means.
func (c Command) startReason(err error) error {
	var pathErr *fs.PathError
	if c.Dir != "" {
		if _, dirErr := os.Stat(c.Dir); errors.As(dirErr, &pathErr) {
			return fmt.Errorf("working directory %s: %w", c.Dir, pathErr.Err)
		}
	}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("command not found")
	case errors.As(err, &pathErr):
		return pathErr.Err
	}
	return err
}

func (c Command) start() (*process, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inR.Close(), inW.Close())
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inR.Close(), inW.Close(), outR.Close(), outW.Close())
	}
	widen(outR)
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	cmd.SysProcAttr = processAttributes()

	p := &process{
		name:       c.Args[0],
		grace:      c.Grace,
		cmd:        cmd,
		stdin:      inW,
		stdout:     outR,
		errors:     errR,
		stderr:     &tail{next: c.Stderr},
		exited:     make(chan struct{}),
		stderrDone: make(chan struct{}),
	}
	if p.grace <= 0 {
		p.grace = DefaultGrace
	}
	started := make(chan error)
	go func() {
		// The parent-death signal is tied to the thread that started the
		// process, so that thread has to live as long as the process does.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // its status is in cmd.ProcessState
			close(p.exited)
		}
	}()
	err = <-started
	for _, f := range []*os.File{inR, outW, errW} {
		_ = f.Close() // the process has its own
	}
	if err != nil {
		for _, f := range []*os.File{inW, outR, errR} {
			_ = f.Close()
		}
		return nil, err
	}
	go func() {
		defer close(p.stderrDone)
		_, _ = io.Copy(p.stderr, errR)
		_ = errR.Close()
	}()
	return p, nil
}

// explainPatience is how long the end of a process may trail the end of its
// output.
const explainPatience = 500 * time.Millisecond

// explain turns the loss of the connection into the end of the process.
func (p *process) explain(err error) error {
	var closed *jsonrpc.ClosedError
	if !errors.As(err, &closed) || p.ending.Load() {
		return err
	}
	select {
	case <-p.exited:
	case <-time.After(explainPatience):
		return err
	}
	select { // the last lines may still be on their way
	case <-p.stderrDone:
	case <-time.After(explainPatience):
	}
	return &ExitError{
		Command: p.name,
		Status:  p.cmd.ProcessState.String(),
		Stderr:  p.stderr.lines(),
		Err:     err,
	}
}

// end shuts the process down, and with it its group: each step gets p.grace,
// and the end of ctx goes straight to the last.
func (p *process) end(ctx context.Context) error {
	p.ending.Store(true)
	_ = p.stdin.Close() // may be closed already
	if !p.wait(ctx) {
		p.signal(terminate)
		if !p.wait(ctx) {
			p.signal(kill)
			<-p.exited
		}
	}
	p.endGroup(ctx)
	select {
	case <-p.stderrDone:
	case <-time.After(explainPatience): // held open by a process that left the group
		_ = p.errors.Close()
	}
	return nil
}

func (p *process) wait(ctx context.Context) bool {
	timer := time.NewTimer(p.grace)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// endGroup ends what the server process left behind.
func (p *process) endGroup(ctx context.Context) {
	if !groupAlive(p.cmd.Process.Pid) {
		return
	}
	p.signal(terminate)
	deadline := time.NewTimer(p.grace)
	defer deadline.Stop()
	const poll = 5 * time.Millisecond // there is no event to wait for
	for groupAlive(p.cmd.Process.Pid) {
		select {
		case <-time.After(poll):
			continue
		case <-deadline.C:
		case <-ctx.Done():
		}
		p.signal(kill)
		return
	}
}

func (p *process) signal(s signal) { signalGroup(p.cmd.Process, s) }
