package commands_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mcpq/commands"
	"mcpq/internal/demo"
	"mcpq/mcp/auth/authtest"
	"mcpq/mcp/mcptest"
)

// The pages under testdata/script run the real program: the test binary is
// mcpq itself, the scriptable server mcptest-server, and auth-server, the demo
// server behind an authorization server, when started under those names. Besides testscript's own commands there are:
//
//	exits CODE PROGRAM [ARG…]     run it and compare its exit code
//	serve NAME PROGRAM [ARG…]     start an HTTP server in the background; it is
//	                              given -http, and its URL is put into $NAME
//	gone FILE                     wait until the process whose id is in FILE is gone
//	gosdk PACKAGE NAME [URL]      build a server of the go-sdk, its path into $NAME;
//	                              run it over HTTP as well, its URL into $URL
//	demo NAME                     start mcpq demo --http and put its URL into $NAME
//	hold NAME [ARG…]              start mcpq hold on a socket, which is put into $NAME
//	pastes CODE SERVER [FLAG…]    log in by pasting a URL, and compare the exit code
//	listen, https                 servers on sockets and with TLS, see there

// raceOptions keep the race detector from holding every process for a second
// at its end.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if err := os.Setenv("GORACE", raceOptions); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"mcpq":           func() { os.Exit(commands.Main(os.Args[1:], commands.System())) },
		"mcptest-server": func() { os.Exit(mcptest.Main()) },
		"auth-server":    func() { os.Exit(authtest.Main(demo.New(demo.Options{}).Handler())) },
	})
}

func TestScripts(t *testing.T) {
	const root = "testdata/script"
	sdk := &peers{dir: t.TempDir()}
	folders := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == root {
			return err
		}
		pages, err := filepath.Glob(filepath.Join(path, "*.txtar"))
		if err != nil {
			return err
		}
		if len(pages) == 0 {
			return fmt.Errorf("no page in %s", path)
		}
		folders++
		t.Run(filepath.Base(path), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 path,
				RequireExplicitExec: true,
				Setup:               setup,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"exits": cmdExits,
					"serve": cmdServe,
					"demo":  cmdDemo,
					"gone":  cmdGone,
					"gosdk": sdk.cmdGoSDK,
					"hold":  cmdHold,

					"pastes": cmdPastes,
					"listen": cmdListen,
					"https":  cmdHTTPS,
				},
			})
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if folders == 0 {
		t.Fatal("no folder of pages")
	}
}

// setup gives every page an empty home and no settings from outside.
func setup(e *testscript.Env) error {
	e.Setenv("GORACE", raceOptions)
	home := filepath.Join(e.WorkDir, "home")
	e.Setenv("HOME", home)
	e.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	e.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	e.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	for _, name := range []string{"MCPQ_SERVER", "MCPQ_TOKEN", "MCPQ_CLIENT_SECRET", "BROWSER", "DBUS_SESSION_BUS_ADDRESS"} {
		e.Setenv(name, "")
	}
	return os.MkdirAll(home, 0o700)
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d instead of %d\n[stdout]\n%s[stderr]\n%s", code, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: serve NAME PROGRAM [ARG…]")
	}
	addr := ts.MkAbs("addr-" + args[0])
	words := append([]string{"-http", "127.0.0.1:0", "-addr-file", addr}, args[2:]...)
	start(ts, args[1], words...)
	waitFor(ts, "the address of "+args[1], func() bool {
		data, err := os.ReadFile(addr)
		if err == nil && bytes.HasSuffix(data, []byte("\n")) {
			ts.Setenv(args[0], strings.TrimSpace(string(data)))
			return true
		}
		return false
	})
}

func cmdDemo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: demo NAME")
	}
	addr := freeAddress(ts)
	start(ts, "mcpq", "demo", "--http", addr)
	waitListening(ts, addr)
	ts.Setenv(args[0], "http://"+addr+"/mcp")
}

func cmdHold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: hold NAME [FLAG…] -- COMMAND [ARG…]")
	}
	dir, err := os.MkdirTemp("", "mcpq") // the page's own folder may be too long a path
	ts.Check(err)
	ts.Defer(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	start(ts, "mcpq", append([]string{"hold", "--listen", "unix:" + socket}, args[1:]...)...)
	waitFor(ts, "socket", func() bool {
		_, err := os.Stat(socket)
		return err == nil
	})
	ts.Setenv(args[0], "unix:"+socket)
}

// start runs a program of the page in the background until the page ends.
func start(ts *testscript.TestScript, program string, args ...string) {
	path, err := exec.LookPath(program)
	if p := lookPath(ts.Getenv("PATH"), program); p != "" {
		path, err = p, nil
	}
	ts.Check(err)
	cmd := exec.Command(path, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), "HOME="+ts.Getenv("HOME"))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if log.Len() > 0 {
			ts.Logf("[%s] %s", program, log.String())
		}
	})
}

func lookPath(path, program string) string {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, program)
		if info, err := os.Stat(file); err == nil && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

func freeAddress(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func waitListening(ts *testscript.TestScript, addr string) {
	waitFor(ts, "a server at "+addr, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// waitFor polls: what happens in other processes gives no event here.
func waitFor(ts *testscript.TestScript, what string, done func() bool) {
	const patience, step = 20 * time.Second, 5 * time.Millisecond
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			ts.Fatalf("no %s within %s", what, patience)
		}
		<-time.After(step)
	}
}

func cmdGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PIDFILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	waitFor(ts, fmt.Sprintf("end of process %d", pid), func() bool { return !running(pid) })
}

// peers builds servers of the official go-sdk, each once.
type peers struct {
	dir string
	mu  sync.Mutex
}

func (p *peers) build(pkg string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	file := filepath.Join(p.dir, filepath.Base(pkg))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	out, err := exec.Command("go", "build", "-o", file, "github.com/modelcontextprotocol/go-sdk/"+pkg).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
}

func (p *peers) cmdGoSDK(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: gosdk PACKAGE NAME [URL]")
	}
	file, err := p.build(args[0])
	ts.Check(err)
	ts.Setenv(args[1], file)
	if len(args) == 3 {
		addr := freeAddress(ts)
		flags := []string{"-http", addr}
		if filepath.Base(file) == "sse" { // it has others
			host, port, _ := net.SplitHostPort(addr)
			flags = []string{"-host", host, "-port", port}
		}
		start(ts, file, flags...)
		waitListening(ts, addr)
		ts.Setenv(args[2], "http://"+addr)
	}
}
