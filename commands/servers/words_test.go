package servers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	tests := []struct {
		text          string
		windows, unix []string // nil: an error
	}{
		{`a b  c`, []string{"a", "b", "c"}, []string{"a", "b", "c"}},
		{`C:\bin\srv.exe --root C:\data`, []string{`C:\bin\srv.exe`, "--root", `C:\data`}, []string{"C:binsrv.exe", "--root", "C:data"}},
		{`"C:\Program Files\srv.exe" -x`, []string{`C:\Program Files\srv.exe`, "-x"}, []string{`C:\Program Files\srv.exe`, "-x"}},
		{`"C:\Program Files\dir\\" x`, []string{`C:\Program Files\dir\`, "x"}, []string{`C:\Program Files\dir\`, "x"}},
		{`\\server\share\x`, []string{`\\server\share\x`}, []string{`\serversharex`}},
		{`C:\O'Brien\x.exe`, []string{`C:\O'Brien\x.exe`}, nil},
		{`a "" b`, []string{"a", "", "b"}, []string{"a", "", "b"}},
		{`say \"hi\"`, []string{"say", `"hi"`}, []string{"say", `"hi"`}},
		{`"say ""hi"""`, []string{`say "hi"`}, []string{`say hi`}},
		{`a"b c"d`, []string{"ab cd"}, []string{"ab cd"}},
		{`a\\\"b`, []string{`a\"b`}, []string{`a\"b`}},
		{"tab\tbed", []string{"tab", "bed"}, []string{"tab", "bed"}},
		{`"open`, nil, nil},
		{`папка\имя 日本`, []string{`папка\имя`, "日本"}, []string{"папкаимя", "日本"}},
	}
	for _, tt := range tests {
		for goos, want := range map[string][]string{"windows": tt.windows, "linux": tt.unix} {
			got, err := WordsOn(goos, tt.text)
			if (err != nil) != (want == nil) {
				t.Errorf("%s on %s: %v", tt.text, goos, err)
			} else if diff := cmp.Diff(want, got); want != nil && diff != "" {
				t.Errorf("%s on %s (-want +got):\n%s", tt.text, goos, diff)
			}
		}
	}
}

// The letter of a drive is no scheme.
func TestDrivePaths(t *testing.T) {
	for _, flag := range []string{`C:\bin\srv.exe`, `c:/bin/srv.exe`, `C://bin/srv.exe`} {
		_, err := Resolve(nil, false, flag, "")
		if err == nil || !strings.Contains(err.Error(), "-- COMMAND starts a program") {
			t.Errorf("%s: %v", flag, err)
		}
	}
	target, err := Resolve(nil, false, `unix:C:\run\mcp.sock`, "")
	if diff := cmp.Diff(&Target{Kind: Socket, Network: "unix", Address: `C:\run\mcp.sock`}, target); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}
