package servers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResolveForms(t *testing.T) {
	for flag, want := range map[string]*Target{
		"http://h/mcp":          {Kind: HTTP, URL: "http://h/mcp"},
		"HTTPS://h/mcp#part":    {Kind: HTTP, URL: "https://h/mcp"},
		"stdio:a 'b c'":         {Kind: Command, Args: []string{"a", "b c"}},
		"demo:":                 {Kind: Demo},
		"unix:/run/mcp.sock":    {Kind: Socket, Network: "unix", Address: "/run/mcp.sock"},
		"unix:with:colon":       {Kind: Socket, Network: "unix", Address: "with:colon"},
		"tcp:localhost:7000":    {Kind: Socket, Network: "tcp", Address: "localhost:7000"},
		"TCP:[::1]:7000":        {Kind: Socket, Network: "tcp", Address: "[::1]:7000"},
		"tcp::7000":             {Kind: Socket, Network: "tcp", Address: ":7000"},
		"tcp:":                  nil,
		"tcp:localhost":         nil,
		"tcp:localhost:":        nil,
		"tcp://localhost:7000":  {Kind: Socket, Network: "tcp", Address: "localhost:7000"},
		"unix:":                 nil,
		"http://":               nil,
		"stdio:":                nil,
		"stdio:'":               nil,
		"demo":                  {Kind: Named, Name: "demo"},
		"http":                  {Kind: Named, Name: "http"},
		"plugin:docs:search":    {Kind: Named, Name: "plugin:docs:search"},
		"demo:x":                nil,
		"ftp://example.com/mcp": nil,
	} {
		t.Run(flag, func(t *testing.T) {
			got, err := Resolve(nil, false, flag, "")
			if (err != nil) != (want == nil) {
				t.Fatalf("error is %v", err)
			}
			if want != nil {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				if env, err := Resolve(nil, false, "", flag); err != nil || !cmp.Equal(env, got) {
					t.Errorf("from the environment: %v, %v", env, err)
				}
			}
		})
	}
}
