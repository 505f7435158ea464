package servers

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzEntries reads config files of both formats, and makes servers of what is in
// them; and files of variables.
func FuzzEntries(f *testing.F) {
	for _, text := range []string{
		`{"mcpServers":{"a":{"command":"${X:-y}","args":["$A","${input:b}"],"env":{"K":"${env:V}"},"mcpq":{"timeout":1}},},} // end`,
		`{"servers":{"b":{"type":"sse","url":"https://h/${A}","headers":{"X":"y"}}},"inputs":[{"id":"b","type":"pickString","options":["x",{"value":1}]}]}`,
		`{"projects":{"/":{"mcpServers":{"a":{}}},"x":[]},"mcpServers":null}`,
	} {
		f.Add([]byte(text), false)
	}
	f.Add([]byte("[mcp_servers.a]\ncommand='x'\nenv={A=\"1\"}\n[mcp_servers.a.http_headers]\n\"x.y\"=1_0\nbearer_token_env_var=\"T\"\n[[mcp_servers]]\n"), true)
	f.Add([]byte("mcp_servers={a={url=\"https://h\",args=[1,[2],{b=0x1}],t=1979-05-27,f=inf}}"), true)
	f.Fuzz(func(t *testing.T, text []byte, toml bool) {
		if pairs, err := parseEnvFile(text); err == nil {
			for _, p := range pairs {
				if p.Name == "" || strings.Contains(p.Name, "=") {
					t.Fatalf("a variable named %q", p.Name)
				}
			}
		}
		file := &File{Path: "x", Scope: Project, Folder: "/p", projects: []string{"/"}}
		read := file.readJSON
		if toml {
			read = file.readTOML
		}
		entries, err := read(text)
		var broken *FileError
		if err != nil && !errors.As(err, &broken) {
			t.Fatalf("%T: %v", err, err)
		}
		x := &Expander{
			Lookup: func(name string) (string, bool) { return "value", name == "A" },
			Input:  func(context.Context, *Entry, Input) (string, error) { return "typed", nil },
		}
		for _, e := range entries {
			if !json.Valid(e.Raw) {
				t.Fatalf("%q: %s", e.Name, e.Raw)
			}
			l, err := x.Launch(t.Context(), e)
			var bad *EntryError
			switch {
			case errors.As(err, &bad):
				continue
			case err != nil:
				t.Fatalf("%T: %v", err, err)
			case l.Target.Kind == Command && len(l.Target.Args) == 0, l.Target.Kind == Command && e.NeedsTrust() == "":
				t.Fatalf("%s became %+v", e.Raw, l.Target)
			}
		}
	})
}
