package servers

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestNeedsTrust(t *testing.T) {
	for raw, want := range map[string]string{
		`{"command":"x"}`:                                  "it runs a command",
		`{"url":"https://h/mcp"}`:                          "",
		`{"url":"https://h/mcp","mcpq":{"timeout":1}}`:     "",
		`{"url":"https://h/mcp","mcpq":{"insecure":true}}`: "it sets insecure",
		`{"url":"https://h/mcp","mcpq":{"roots":["/"]}}`:   "it sets roots",
		`{"url":"https://h/mcp","headers":{"X":"y"}}`:      "it sends headers",
		`{"url":"https://h/${TOKEN}"}`:                     "its URL has variables in it",
		`{"url":"${URL}"}`:                                 "it is not on the web",
		`{"url":"unix:/var/run/x.sock"}`:                   "it is not on the web",
		`{"type":"http","url":"https://h","command":"x"}`:  "",
		`{"type":"stdio","url":"https://h","command":"x"}`: "it runs a command",
		`{"url":"https://h","env":{"A":"${SECRET}"}}`:      "", // for commands alone
		`{"command":1}`:                                    "it makes no sense",
	} {
		e := &Entry{Name: "n", File: &File{Scope: Project}, Raw: []byte(raw)}
		if got := e.NeedsTrust(); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
		for _, scope := range []Scope{User, Explicit} {
			if got := (&Entry{Name: "n", File: &File{Scope: scope}, Raw: []byte(raw)}).NeedsTrust(); got != "" {
				t.Errorf("%s of the user: got %q", raw, got)
			}
		}
	}
}

func TestTrustStore(t *testing.T) {
	s := TrustStore{Dir: filepath.Join(t.TempDir(), "state", "trusted")}
	entry := func(name, path, raw, inputs string) *Entry {
		return &Entry{Name: name, File: &File{Path: path, Scope: Project}, Raw: []byte(raw), inputs: []byte(inputs)}
	}
	e := entry("a", "/p/.mcp.json", `{"command":"x"}`, "")
	if got := s.Of(e); got != Unknown {
		t.Errorf("at first: %v", got)
	}
	if err := s.Put(e); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e    *Entry
		want Trust
	}{
		{e, Trusted},
		{entry("a", "/p/.mcp.json", `{"command":"y"}`, ""), Changed},
		{entry("a", "/p/.mcp.json", `{"command":"x"}`, "[]"), Changed},
		{entry("b", "/p/.mcp.json", `{"command":"x"}`, ""), Unknown},
		{entry("a", "/q/.mcp.json", `{"command":"x"}`, ""), Unknown},
	} {
		if got := s.Of(c.e); got != c.want {
			t.Errorf("%s of %s, %s: got %v, want %v", c.e.Name, c.e.File.Path, c.e.Raw, got, c.want)
		}
	}
	if info, err := os.Stat(s.file(e)); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("the record is %v, %v", info, err)
	}
	// Without a home directory, the state would be the project's to give.
	t.Chdir(filepath.Dir(filepath.Dir(s.Dir)))
	lost := TrustStore{Dir: filepath.Join("state", "trusted")}
	if err := lost.Put(e); err == nil || lost.Of(e) != Unknown {
		t.Errorf("trusted by a file of the working directory: %v", err)
	}
	if there, err := s.Delete(e); !there || err != nil || s.Of(e) != Unknown {
		t.Errorf("deleted: %v, %v", there, err)
	}
	if there, err := s.Delete(e); there || err != nil {
		t.Errorf("deleted again: %v, %v", there, err)
	}
	if err := os.WriteFile(s.file(e), []byte("no record"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.Of(e); got != Unknown {
		t.Errorf("a record that makes no sense: %v", got)
	}
}
