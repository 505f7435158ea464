package commands

import (
	"bytes"
	"testing"

	"mcpq/commands/form"
	"mcpq/output"
)

// What a login shows has parts that an authorization server wrote.
func TestTellIsSafe(t *testing.T) {
	const said = "https://example.com/\u202e?\x1b[2J"
	const want = `https://example.com/\u202e?\x1b[2J` + "\n"
	var onTerminal, onStderr bytes.Buffer
	(&runner{clientSide: clientSide{terminal: form.NewTerminal(&onTerminal, false)}}).tell(said)
	(&runner{messages: output.NewMessages(&onStderr)}).tell(said)
	for name, got := range map[string]string{"a terminal": onTerminal.String(), "stderr": onStderr.String()} {
		if got != want {
			t.Errorf("%s gets %q, want %q", name, got, want)
		}
	}
}
