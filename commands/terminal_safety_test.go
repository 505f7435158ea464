//go:build linux

package commands_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// nasty is a text, in JSON, that would recolour a terminal, rename it, write
// into its clipboard, hide a link, overwrite and reorder its lines, and hide what
// it says; by escapes and by raw bytes.
const nasty = `MARK\u001b[31m\u001b[2J\u001b]0;t\u0007\u001b]52;c;aGk=\u0007\u001b]8;;http://x\u001b\\\u0000\b\u007f\rover\u0085\u009b2J` +
	`\u202eabc\u2066\u200b\ufeff\udb40\udc41` + "\u009b31m\u202e\u2069\u200b\x7f"

// raw is such a text where there is no JSON. Colours may pass in the stderr of a
// server process, so it has none.
const raw = "MARK\x1b[2J\x1b]0;t\x07\x1b]52;c;aGk=\x07\x00\b\x7f\rover\u009b2J\x9b31m\u202eabc\u200b\xff"

// nastyScript is a server that says it in every place there is.
const nastyScript = `
info {"name":"NASTY","title":"NASTY","version":"NASTY"}
instructions INSTRUCTIONS
capabilities {"tools":{},"prompts":{},"resources":{},"logging":{},"completions":{}}
tool job {"title":"NASTY","description":"NASTY","inputSchema":{"type":"object","properties":{"aNASTY":{"type":"string","title":"NASTY","description":"NASTY","enum":["NASTY"],"default":"NASTY"},"b":{"type":"string","pattern":"NASTY","format":"NASTY"}}},"outputSchema":{"type":"object","properties":{"n":{"type":"integer","description":"NASTY"}}}}
tool needy {"title":"NASTY","inputSchema":{"type":"object","additionalProperties":false,"required":["aNASTY"],"properties":{"aNASTY":{"type":"string","title":"NASTY","description":"NASTY"}}}}
tool odd {"inputSchema":{"$schema":"http://NASTY","type":"object"}}
tool toolsNASTY {}
tool ask {}
tool visit {}
tool evil {}
tool progress {}
tool log {}
tool text {}
tool files {}
on tools/call job
	result {"content":[{"type":"text","text":"NASTY"}],"structuredContent":{"n":"NASTY"}}
on tools/call evil
	reply {"jsonrpc":"2.0","id":$ID,"error":{"code":-1,"message":"NASTY","data":{"NASTY":"NASTY"}}}
on tools/call ask
	request elicitation/create {"message":"NASTY","requestedSchema":{"type":"object","properties":{"aNASTY":{"type":"string","title":"NASTY","description":"NASTY","enum":["NASTY"],"enumNames":["NASTY"]},"b":{"type":"string","default":"NASTY"}}}}
	result {"content":[]}
on tools/call visit
	request elicitation/create {"mode":"url","elicitationId":"1","message":"NASTY","url":"https://example.com/NASTY?NASTY"}
	result {"content":[]}
on tools/call progress
	notify notifications/progress {"progressToken":$TOKEN,"progress":1,"total":2,"message":"NASTY"}
	result {"content":[]}
on tools/call log
	notify notifications/message {"level":"info","logger":"NASTY","data":"NASTY"}
	notify notifications/message {"level":"NASTY","data":{"NASTY":"NASTY"}}
	result {"content":[]}
on logging/setLevel
	result {}
on tools/call text
	result {"content":[{"type":"text","text":"NASTY"},{"type":"resource_link","uri":"x:NASTY","name":"NASTY","description":"NASTY"},{"type":"image","mimeType":"NASTY","data":"AA=="},{"type":"NASTY"}],"isError":true}
on tools/call files
	result {"content":[{"type":"resource","resource":{"uri":"x:/NASTY","mimeType":"NASTY","text":"x"}},{"type":"resource_link","uri":"x:NASTY","name":"NASTY"}]}
on prompts/list
	result {"prompts":[{"name":"p","title":"NASTY","description":"NASTY","arguments":[{"name":"aNASTY","description":"NASTY"}]}]}
on prompts/get
	result {"description":"NASTY","messages":[{"role":"NASTY","content":{"type":"text","text":"NASTY"}}]}
on resources/list
	result {"resources":[{"uri":"x:NASTY","name":"NASTY","description":"NASTY","mimeType":"NASTY"}]}
on resources/templates/list
	result {"resourceTemplates":[{"uriTemplate":"x:{a}","name":"t","title":"NASTY","description":"NASTY","mimeType":"NASTY"}]}
on resources/read
	result {"contents":[{"uri":"x:NASTY","mimeType":"NASTY","text":"NASTY"}]}
on completion/complete
	result {"completion":{"values":["NASTY"]}}
on no/json
	reply {"jsonrpc":"2.0","id":$ID,"result":NASTY}
on no/version
	reply {"jsonrpc":"NASTY","id":$ID,"result":{}}
on no/noise
	print RAW
	result {}
on no/stray
	reply {"jsonrpc":"2.0","id":"NASTY","result":{}}
	result {}
on no/end
	stderr RAW
	exit 9
on no/request
	request MARK/NASTY {}
	result {}
on start
	stderr RAW
`

// statelessScript is the same for what belongs to servers of the stateless era.
const statelessScript = `
era stateless
on server/discover
	result {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"extensions":{"io.modelcontextprotocol/tasks":{}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"NASTY","version":"1"}}}
tool job {}
tool kind {}
tool input {}
tool header {"inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"NASTY"}}}}
on tools/call job
	result {"resultType":"task","taskId":"IDNASTY","status":"working","statusMessage":"NASTY","createdAt":"NASTY","lastUpdatedAt":"NASTY","ttlMs":null,"pollIntervalMs":1}
on tasks/get
	result {"resultType":"complete","taskId":"IDNASTY","status":"failed","statusMessage":"NASTY","createdAt":"","lastUpdatedAt":"","ttlMs":null,"error":{"code":-9,"message":"NASTY"}}
on tools/call kind
	result {"resultType":"NASTY"}
on tools/call input #2
	result {"resultType":"complete","content":[]}
on tools/call input
	result {"resultType":"input_required","inputRequests":{"NASTY":{"method":"elicitation/create","params":{"message":"NASTY","requestedSchema":{"type":"object","properties":{"aNASTY":{"type":"string"}}}}}}}
on subscriptions/listen
	notify notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{"toolsListChanged":true}}
	notify notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":$ID,"NASTY":"NASTY"}}
	hang
`

// beforeIt is a snapshot of the same in an earlier version.
const beforeIt = `{"capabilities":{"NASTY":{},"tools":{}},"instructions":"NASTY","tools":[{"name":"goneNASTY"},
	{"name":"job","title":"x","inputSchema":{"type":"object","properties":{"aNASTY":{"type":"string","enum":["was"],"default":"was"},"b":{"pattern":"was","xNASTY":"NASTY"}}}}]}`

// Wherever a person reads what a server says, nothing of it reaches the terminal
// that would steer it.
func TestTerminalSafety(t *testing.T) {
	fill := strings.NewReplacer("NASTY", nasty, "RAW", raw, "INSTRUCTIONS", "MARK\u009b2J\u202e\x7f")
	dir := t.TempDir()
	stateful, stateless := filepath.Join(dir, "stateful.script"), filepath.Join(dir, "stateless.script")
	for file, script := range map[string]string{stateful: nastyScript, stateless: statelessScript} {
		if err := os.WriteFile(file, []byte(fill.Replace(script)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := filepath.Join(dir, "before.json")
	if err := os.WriteFile(before, []byte(fill.Replace(beforeIt)), 0o600); err != nil {
		t.Fatal(err)
	}
	checks := filepath.Join(dir, "check.json")
	if err := os.WriteFile(checks, []byte(`{"steps":[{"call":"evil"},{"call":"text","expect":[".isError | not"]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old.json") // an empty server, that has got a lot since
	if err := os.WriteFile(old, []byte(`{"tools":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	operations := filepath.Join(dir, "run.ndjson")
	if err := os.WriteFile(operations, []byte(`{"id":1,"call":"evil"}`+"\n"+`{"id":2,"call":"text"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	overHTTP := func(steps string) string {
		url, _ := peer(t, fill.Replace("on HTTP\n\t"+strings.ReplaceAll(steps, "\n", "\n\t")+"\n"))
		return url
	}
	overHTTPScript := func(script string) string {
		url, _ := peer(t, fill.Replace(script))
		return url
	}
	const out, errs = 1, 2
	tests := []struct {
		name  string
		code  int
		on    int // where the text has to be seen
		args  string
		typed string
		url   string
		new   bool // of the stateless era
	}{
		{name: "tools", args: "list-tools", on: out},
		{name: "tools, one line", args: "list-tools -c", on: out},
		{name: "tools as text", args: "list-tools --format text", on: out},
		{name: "tools as a table", args: "list-tools --format table", on: out},
		{name: "tools as YAML", args: "list-tools --format yaml", on: out},
		{name: "tools as NDJSON", args: "list-tools --format ndjson", on: out},
		{name: "resources as text", args: "list-resources --format text", on: out},
		{name: "resources as a table", args: "list-resources --format table", on: out},
		{name: "prompts as text", args: "list-prompts --format text", on: out},
		{name: "templates as text", args: "list-templates --format text", on: out},
		{name: "raw strings of a filter", args: "list-tools -q ..|strings -r", on: out},
		{name: "keys of a table", args: "call job --no-validate --format table -q {(.structuredContent.n):1}", on: out},
		{name: "keys as text", args: "call job --no-validate --format text -q {(.structuredContent.n):1}", on: out},
		{name: "keys as YAML", args: "call job --no-validate --format yaml -q {(.structuredContent.n):1}", on: out},
		{name: "info", args: "info", on: out},
		{name: "info as text", args: "info --format text", on: out},
		{name: "manual of a tool", args: "describe job", on: out},
		{name: "help of a tool", args: "call job --help", on: out},
		{name: "manual of a prompt", args: "describe p", on: out},
		{name: "manual of a template", args: "describe t", on: out},
		{name: "result", args: "call job --no-validate", on: out},
		{name: "result as text", args: "call text --format text", code: 6, on: out},
		{name: "prompt as text", args: "get-prompt p --format text", on: out},
		{name: "resource as text", args: "read x:y --format text", on: out},
		{name: "resource through -o -", args: "read x:y -o -", on: out},
		{name: "result through -o -", args: "call job --no-validate -q . -o -", on: out},
		{name: "completion as text", args: "complete prompt:p a --format text", on: out},
		{name: "misfit of a result", args: "call job", code: 4, on: out},
		{name: "report of checks", args: "check " + checks, code: 1, on: out},
		{name: "report of checks for CI", args: "check --format junit " + checks, code: 1, on: out},
		{name: "many operations", args: "run --keep-going " + operations, code: 5, on: out},
		{name: "changes", args: "diff " + old, on: out},
		{name: "changes for CI", args: "diff --format github " + old, on: out},
		{name: "snapshot", args: "snapshot", on: out},
		{name: "error", args: "call evil", code: 5, on: errs},
		{name: "error as JSON", args: "call evil --errors json", code: 5, on: errs},
		{name: "names that are near", args: "call toolsMARK", code: 5, on: errs},
		{name: "argument names that are near", args: "call needy aMARK=1", code: 2, on: errs},
		{name: "schema dialect", args: "call odd", on: errs},
		{name: "logs", args: "call log --log-level debug", on: errs},
		{name: "progress", args: "call progress", on: errs},
		{name: "progress in lines", args: "call progress --progress plain", on: errs},
		{name: "progress in JSON", args: "call progress --progress json", on: errs},
		{name: "progress with -v", args: "call progress -v", on: errs},
		{name: "what happens", args: "info -v", on: errs},
		{name: "messages", args: "call evil -vv", code: 5, on: errs},
		{name: "trace on stderr", args: "call evil --trace -", code: 5, on: errs},
		{name: "broken JSON", args: "rpc no/json", code: 4, on: errs},
		{name: "wrong version", args: "rpc no/version", code: 4, on: errs},
		{name: "noise", args: "rpc no/noise", on: errs},
		{name: "stray answer", args: "rpc no/stray -v", on: errs},
		{name: "last words", args: "rpc no/end", code: 4, on: errs},
		{name: "unknown request", args: "rpc no/request -v", on: errs},
		{name: "snapshot", args: "snapshot", on: out},
		{name: "changes", args: "diff " + before, code: 1, on: out},
		{name: "changes as text", args: "diff --format text " + before, code: 1, on: out},
		{name: "changes as a table", args: "diff --format table " + before, code: 1, on: out},
		{name: "changes as annotations", args: "diff --format github " + before, code: 1, on: out},
		{name: "names of files", args: "call files -o dir/", on: errs},
		{name: "form", args: "call ask", typed: "n\n:d\n", on: errs},
		{name: "form filled in", args: "call ask", typed: "1\n\ny\n", on: errs},
		{name: "form by flags", args: "call ask --elicit-data {\"b\":3}", code: 2, on: errs},
		{name: "page to open", args: "call visit", typed: "n\n", on: errs},
		{name: "missing argument", args: "call needy", typed: ":c\n", code: 2, on: errs},
		{name: "question before a call", args: "call evil --confirm", typed: "n\n", code: 7, on: errs},
		{name: "task", args: "call job", new: true, code: 5, on: errs},
		{name: "task in lines", args: "call job --progress plain", new: true, code: 5, on: errs},
		{name: "task left alone", args: "call job --detach", new: true, on: errs},
		{name: "kind of result", args: "call kind", new: true, code: 4, on: errs},
		{name: "input that nobody gives", args: "call input", new: true, code: 5, on: errs},
		{name: "form of an input request", args: "call input", typed: ":c\n", new: true, on: errs},
		{name: "tool with a bad header", args: "list-tools", url: overHTTPScript(statelessScript), on: errs},
		{name: "notifications", args: "watch --tools --count 1", new: true, on: out},
		{name: "HTTP body", args: "list-tools", url: overHTTP("status 500\nbody text/plain \"RAW\""), code: 3, on: errs},
		{name: "HTTP type", args: "list-tools", url: overHTTP("header Content-Type: text/MARK\u009b2J\u202e"), code: 3, on: errs},
		{name: "HTTP challenge", args: "list-tools --oauth none", url: overHTTP("header WWW-Authenticate: Basic MARK\u009b2J\u202e\nstatus 401"), code: 7, on: errs},
		{name: "HTTP headers", args: "list-tools -vv", url: overHTTP("header X-Other: MARK\u009b2J\u202e\nstatus 500"), code: 3, on: errs},
		{name: "redirect", args: "list-tools", url: overHTTP("redirect 307 http://example.com/MARK\u009b2J\u202e"), code: 3, on: errs},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := strings.Fields(tt.args)
			switch {
			case tt.url != "":
				args = append(args, "-s", tt.url, "--no-cache")
			case tt.new:
				args = append(args, "--", "mcptest-server", stateless)
			default:
				args = append(args, "--protocol", "2025-11-25", "--", "mcptest-server", stateful)
			}
			got := streams{out: true, err: true, typed: tt.typed, env: []string{"NO_COLOR=1"}}.run(t, args...)
			checkScreen(t, "stdout", got.out)
			checkScreen(t, "stderr", got.err)
			if seen := []string{got.out, got.err}[tt.on-1]; !strings.Contains(seen, "MARK") {
				t.Errorf("the text of the server is not seen there")
			}
			if got.code != tt.code {
				t.Errorf("exit code %d instead of %d", got.code, tt.code)
			}
			if t.Failed() {
				t.Logf("stdout:\n%q\nstderr:\n%q", got.out, got.err)
			}
		})
	}
}

// checkScreen looks for what would steer a terminal. Only the line that shows
// progress may move its cursor.
func checkScreen(t *testing.T, name, screen string) {
	t.Helper()
	const eraseLine = "\r\x1b[K"
	text := strings.ReplaceAll(strings.ReplaceAll(screen, "\r\n", "\n"), eraseLine, "")
	if !utf8.ValidString(text) {
		t.Errorf("%s gets bytes that are no text", name)
	}
	ranges := [][2]rune{{0, 8}, {0xb, 0x1f}, {0x7f, 0x9f}, {0x200b, 0x200b}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}}
	for _, r := range text {
		if slices.ContainsFunc(ranges, func(s [2]rune) bool { return s[0] <= r && r <= s[1] }) {
			t.Errorf("%s gets %U", name, r)
			return
		}
	}
}
