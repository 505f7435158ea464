package commands_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdPastes logs in as a person does who opens the URL on another machine: what
// is shown is opened there, and where that ends is typed in.
func cmdPastes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pastes CODE SERVER [FLAG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	server := args[1]
	cmd := exec.Command(lookPath(ts.Getenv("PATH"), "mcpq"), append([]string{"auth", "login", "--no-browser", "-s", server}, args[2:]...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.SysProcAttr = withoutTerminal()
	ts.Check(cmd.Start())
	var log strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		text := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(text, "http") {
			continue
		}
		resp, err := http.Get(strings.TrimSuffix(server, "/mcp") + "/approve?url=" + url.QueryEscape(text))
		ts.Check(err)
		ended, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		ts.Check(err)
		_, err = stdin.Write(ended)
		ts.Check(err)
	}
	code := 0
	if err := cmd.Wait(); err != nil {
		code = cmd.ProcessState.ExitCode()
	}
	ts.Logf("[stdout]\n%s[stderr]\n%s", &out, log.String())
	if code != want {
		ts.Fatalf("exit code %d instead of %d", code, want)
	}
}
