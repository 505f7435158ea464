package commands_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/commands"
	"mcpq/mcp"
	"mcpq/mcp/mcptest"
	"mcpq/output"
)

// What is declared on the wire for each flag, in each version: nothing that no
// flag stands for, and no more than the version knows.
func TestDeclared(t *testing.T) {
	sample := filepath.Join(t.TempDir(), "sample.json")
	if err := os.WriteFile(sample, []byte(`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const none = "{}"
	tests := []struct {
		name  string
		flags []string
		// by version: up to 2025-03-26, 2025-06-18, 2025-11-25 and later
		oldest, middle, newest string
	}{
		{"nothing", nil, none, none, none},
		{"roots", []string{"--root", "."}, `{"roots":{}}`, `{"roots":{}}`, `{"roots":{}}`},
		{"accept", []string{"--elicit", "accept"}, none, `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{"decline", []string{"--elicit", "decline"}, none, `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{"cancel", []string{"--elicit", "cancel"}, none, `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{"data", []string{"--elicit-data", "{}"}, none, `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{"exec", []string{"--elicit-exec", "false"}, none, `{"elicitation":{}}`, `{"elicitation":{"form":{},"url":{}}}`},
		{"sampling by file", []string{"--sample-file", sample}, `{"sampling":{}}`, `{"sampling":{}}`, `{"sampling":{}}`},
		{"sampling by command", []string{"--sample-exec", "false"}, `{"sampling":{}}`, `{"sampling":{}}`, `{"sampling":{"tools":{}}}`},
		{"all", []string{"--root", ".", "--sample-exec", "false", "--elicit-exec", "false"},
			`{"roots":{},"sampling":{}}`, `{"roots":{},"sampling":{},"elicitation":{}}`,
			`{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, version := range mcp.Versions() {
				want := tt.newest
				switch {
				case version < mcp.Version20250618:
					want = tt.oldest
				case version == mcp.Version20250618:
					want = tt.middle
				}
				if diff := cmp.Diff(want, declared(t, version, tt.flags)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", version, diff)
				}
			}
		})
	}
}

// declared makes a ping with the flags and returns the capabilities that were
// sent: in initialize, or in the metadata of every request.
func declared(t *testing.T, version string, flags []string) string {
	t.Helper()
	var record, out, errs bytes.Buffer
	server := httptest.NewServer(mcptest.Handler(mcptest.MustParse("era both").RecordTo(&record)))
	defer server.Close()
	env := commands.System()
	env.Streams = &output.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}
	env.Getenv = func(string) string { return "" }
	args := append([]string{"ping", "-s", server.URL, "--protocol", version}, flags...)
	if code := commands.Main(args, env); code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	found := ""
	for line := range strings.Lines(record.String()) {
		_, body, ok := strings.Cut(line, " | {")
		if !ok {
			continue
		}
		var m struct {
			Method string
			Params struct {
				Capabilities json.RawMessage
				Meta         map[string]json.RawMessage `json:"_meta"`
			}
		}
		if err := json.Unmarshal([]byte("{"+body), &m); err != nil {
			t.Fatal(err)
		}
		said := m.Params.Meta["io.modelcontextprotocol/clientCapabilities"]
		if m.Method == "initialize" {
			said = m.Params.Capabilities
		}
		if said == nil {
			continue
		}
		if found != "" && found != string(said) {
			t.Errorf("%s: declared %s and %s", version, found, said)
		}
		found = string(said)
	}
	return found
}
