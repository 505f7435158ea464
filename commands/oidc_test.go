package commands_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestOIDC runs the pages under testdata/oidc against a certified authorization
// server, which is where MCPQ_OIDC_DIR says; scripts/test-oidc installs it and
// sets it. With MCPQ_REQUIRE_OIDC set its absence, or that of a browser, is a
// failure.
func TestOIDC(t *testing.T) {
	modules := filepath.Join(os.Getenv("MCPQ_OIDC_DIR"), "node_modules")
	required := os.Getenv("MCPQ_REQUIRE_OIDC") != ""
	if _, err := os.Stat(filepath.Join(modules, "oidc-provider")); err != nil || os.Getenv("MCPQ_OIDC_DIR") == "" {
		const why = "no authorization server is here: scripts/test-oidc installs one (needs npm)"
		if required {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	script, err := filepath.Abs("testdata/oidc/server.mjs")
	if err != nil {
		t.Fatal(err)
	}
	chromium := "chromium"
	if name := os.Getenv("MCPQ_CHROMIUM"); name != "" {
		chromium = name
	}
	if _, err := exec.LookPath(chromium); err != nil && required {
		t.Fatalf("no browser: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/oidc",
		RequireExplicitExec: true,
		Condition: func(name string) (bool, error) {
			if name == "chromium" {
				_, err := exec.LookPath(chromium)
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("CURL", "curl -fsSL -b '' -o /dev/null")
			e.Setenv("OIDC_MODULES", modules)
			e.Setenv("OIDC_SCRIPT", script)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "home", "state"))
			e.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
			if err := writeKeys(e); err != nil {
				return err
			}
			if err := writeBrowser(e, chromium); err != nil {
				return err
			}
			return setup(e)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    cmdExits,
			"oidc":     cmdOIDC,
			"expire":   cmdExpire,
			"counts":   cmdCounts,
			"parallel": cmdParallel,
			"hides":    cmdHides,
			"appears":  cmdAppears,
			"device":   cmdDevice,
		},
	})
}

// writeKeys makes the key pair of the client robot-key.
func writeKeys(e *testscript.Env) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	public, err := jose.JSONWebKey{Key: key.Public(), Algorithm: "ES256", Use: "sig"}.MarshalJSON()
	if err != nil {
		return err
	}
	e.Setenv("KEY", filepath.Join(e.WorkDir, "key.pem"))
	if err := os.WriteFile(filepath.Join(e.WorkDir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(e.WorkDir, "key.jwk"), public, 0o600)
}

// writeBrowser makes a program that opens a URL in a real browser, and keeps
// its arguments and the page it ends at.
func writeBrowser(e *testscript.Env, chromium string) error {
	script := fmt.Sprintf(`#!/bin/sh
cd %q
echo "$@" >args
env >environment
%q --headless --no-sandbox --disable-gpu --user-data-dir=profile --virtual-time-budget=10000 --dump-dom "$1" >page.new 2>browser.log
mv page.new page.html
`, e.WorkDir, chromium)
	return os.WriteFile(filepath.Join(e.WorkDir, "browser.sh"), []byte(script), 0o700)
}

func cmdOIDC(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: oidc NAME")
	}
	addr := ts.MkAbs("addr")
	cmd := exec.Command("node", ts.Getenv("OIDC_SCRIPT"), ts.Getenv("OIDC_MODULES"), addr, ts.MkAbs("key.jwk"))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ts.Logf("[authorization server] %s", log.String())
	})
	waitFor(ts, "authorization server", func() bool {
		data, err := os.ReadFile(addr)
		ts.Setenv(args[0], strings.TrimSpace(string(data)))
		return err == nil
	})
	ts.Setenv("OIDC_BASE", strings.TrimSuffix(ts.Getenv(args[0]), "/mcp"))
}

func fetch(ts *testscript.TestScript, path string) string {
	resp, err := http.Get(ts.Getenv("OIDC_BASE") + path)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	return string(body)
}

// cmdExpire ends all access tokens.
func cmdExpire(ts *testscript.TestScript, _ bool, _ []string) { fetch(ts, "/expire") }

// cmdCounts compares what the servers counted with a pattern.
func cmdCounts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: counts PATTERN")
	}
	if got := fetch(ts, "/counts"); !regexp.MustCompile(args[0]).MatchString(got) {
		ts.Fatalf("counted %s", got)
	}
}

// cmdParallel runs a program several times at once; all have to succeed.
func cmdParallel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: parallel N PROGRAM [ARG…]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	path := lookPath(ts.Getenv("PATH"), args[1])
	failures := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		cmd := exec.Command(path, args[2:]...)
		cmd.Dir = ts.MkAbs(".")
		for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				failures[i] = fmt.Sprintf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	if all := strings.Join(failures, ""); all != "" {
		ts.Fatalf("%s", all)
	}
}

// cmdDevice logs in as a person does who has another device.
func cmdDevice(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: device SERVER")
	}
	cmd := exec.Command(lookPath(ts.Getenv("PATH"), "mcpq"), "auth", "login", "--device", "-s", args[0])
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.SysProcAttr = withoutTerminal()
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var log, page strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		log.WriteString(lines.Text() + "\n")
		if text := strings.TrimSpace(lines.Text()); strings.Contains(text, "user_code=") {
			page.WriteString(fetch(ts, "/approve?url="+url.QueryEscape(text)))
		}
	}
	if err := cmd.Wait(); err != nil {
		ts.Fatalf("%v\n%s%s", err, &log, &page)
	}
	ts.Logf("%s", &log)
}

// cmdHides fails when the text of one file is in another.
func cmdHides(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hides SECRETFILE FILE")
	}
	secret := strings.TrimSpace(ts.ReadFile(args[0]))
	if text := ts.ReadFile(args[1]); secret == "" || text == "" || strings.Contains(text, secret) {
		ts.Fatalf("%s has %q in it, or one of them is empty", args[1], secret)
	}
}

// cmdAppears waits for a file.
func cmdAppears(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: appears FILE")
	}
	waitFor(ts, args[0], func() bool {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil
	})
}
