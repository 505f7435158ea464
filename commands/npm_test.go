package commands_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestNpm runs the pages under testdata/npm against the npm reference servers.
// They are where MCPQ_NPM_DIR says; scripts/test-npm installs them and sets it.
// With MCPQ_REQUIRE_NPX set their absence is a failure.
func TestNpm(t *testing.T) {
	dir := os.Getenv("MCPQ_NPM_DIR")
	server := func(name string) string {
		return filepath.Join(dir, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	}
	_, err := exec.LookPath("node")
	if err == nil && dir != "" {
		_, err = os.Stat(server("server-everything"))
	}
	if err != nil || dir == "" {
		const why = "the npm reference servers are not here: scripts/test-npm installs them (needs node and npm)"
		if os.Getenv("MCPQ_REQUIRE_NPX") != "" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/npm",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EVERYTHING", server("server-everything"))
			e.Setenv("FILESYSTEM", server("server-filesystem"))
			return setup(e)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      cmdExits,
			"everything": cmdEverything,
		},
	})
}

// cmdEverything starts server-everything over HTTP: everything KIND URL, where
// KIND is streamableHttp or sse.
func cmdEverything(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: everything KIND URL")
	}
	addr := freeAddress(ts)
	_, port, _ := strings.Cut(addr, ":")
	if _, err := strconv.Atoi(port); err != nil {
		ts.Fatalf("no port in %s", addr)
	}
	cmd := exec.Command("node", ts.Getenv("EVERYTHING"), args[0])
	cmd.Env = append(os.Environ(), "PORT="+port)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	waitListening(ts, addr)
	path := "/mcp"
	if args[0] == "sse" {
		path = "/sse"
	}
	ts.Setenv(args[1], "http://"+addr+path)
}
