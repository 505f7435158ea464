package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

const (
	statelessVersion = "2026-07-28"
	metaPrefix       = "io.modelcontextprotocol/"
)

// wellBehaved answers as a server without faults would.
func (t *turn) wellBehaved() error {
	m := t.msg
	switch {
	case m.Method == "notifications/initialized":
		return nil
	case m.Method == "":
		return t.fail(-32600, "Invalid Request", nil)
	case !m.isRequest():
		return nil
	case t.stateless():
		return t.statelessAnswer()
	case !t.server.script.speaks("stateful"):
		return t.failVersion()
	case m.Method == "initialize":
		return t.initialize()
	case m.Method == "ping":
		return t.succeed(`{}`)
	case m.Method == "server/discover":
		return t.fail(-32601, "Method not found", nil)
	case !t.known:
		return t.fail(-32600, "Server not initialized", nil)
	}
	return t.feature()
}

// stateless tells whether the message is to be judged by the stateless era's
// rules: it claims a version in _meta, or there is no other era.
func (t *turn) stateless() bool {
	if !t.server.script.speaks("stateless") {
		return false
	}
	return t.msg.metaVersion() != "" || t.server.script.eras == "stateless" && t.msg.Method != "initialize"
}

func (t *turn) initialize() error {
	s := t.server
	version := ""
	for _, v := range s.script.versions {
		if v != statelessVersion && (version == "" || v == t.msg.params.ProtocolVersion) {
			version = v
		}
	}
	s.mu.Lock()
	s.initialized = true
	s.mu.Unlock()
	if h, ok := t.sink.(*httpSink); ok {
		h.openSession(s)
	}
	instructions := ""
	if s.script.instructions != "" {
		instructions = fmt.Sprintf(`,"instructions":%s`, quote(s.script.instructions))
	}
	return t.succeed(fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":%s%s}`,
		version, s.script.capabilities, s.script.info, instructions))
}

func (s *server) isInitialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized
}

func (t *turn) statelessAnswer() error {
	script := t.server.script
	_, hasCapabilities := t.msg.params.Meta[metaPrefix+"clientCapabilities"]
	version := t.msg.metaVersion()
	switch {
	case version == "" || !hasCapabilities:
		return t.fail(-32602, "Missing _meta fields", nil)
	case version != statelessVersion || !slices.Contains(script.versions, version):
		return t.failVersion()
	}
	if h, ok := t.sink.(*httpSink); ok {
		if problem := headerMismatch(h.r.Header, t.msg); problem != "" {
			return t.fail(-32020, "Header mismatch: "+problem, nil)
		}
	}
	if t.msg.Method == "server/discover" {
		instructions := ""
		if script.instructions != "" {
			instructions = fmt.Sprintf(`,"instructions":%s`, quote(script.instructions))
		}
		versions, err := json.Marshal(script.versions)
		if err != nil {
			return err
		}
		return t.succeed(fmt.Sprintf(`{"supportedVersions":%s,"capabilities":%s%s}`,
			versions, script.capabilities, instructions))
	}
	return t.feature()
}

// failVersion refuses the protocol version, naming those there are.
func (t *turn) failVersion() error {
	data, err := json.Marshal(map[string]any{
		"supported": t.server.script.versions,
		"requested": t.msg.version(),
	})
	if err != nil {
		return err
	}
	return t.fail(-32022, "Unsupported protocol version", data)
}

// feature answers the methods both eras have.
func (t *turn) feature() error {
	script := t.server.script
	switch t.msg.Method {
	case "tools/list":
		return t.listTools()
	case "tools/call":
		name := t.msg.params.Name
		if !script.toolNames[name] {
			return t.fail(-32602, "Unknown tool: "+name, nil)
		}
		switch name {
		case "die":
			return t.server.proc.exit(9)
		case "echo":
			return t.succeed(textResult(string(t.msg.params.Arguments), false))
		case "fail":
			return t.succeed(textResult("this tool always fails", true))
		}
		return t.succeed(textResult("ok", false))
	}
	return t.fail(-32601, "Method not found", nil)
}

func textResult(text string, isError bool) string {
	end := ""
	if isError {
		end = `,"isError":true`
	}
	return fmt.Sprintf(`{"content":[{"type":"text","text":%s}]%s}`, quote(text), end)
}

func (t *turn) listTools() error {
	script := t.server.script
	first, size := 0, len(script.tools)
	if script.pageSize > 0 {
		size = script.pageSize
	}
	if c := t.msg.params.Cursor; c != nil {
		n, err := strconv.Atoi(strings.TrimPrefix(*c, "from-"))
		if err != nil || n < 0 || n >= len(script.tools) {
			return t.fail(-32602, "Invalid cursor", nil)
		}
		first = n
	}
	last := min(first+size, len(script.tools))
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i, tool := range script.tools[first:last] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(tool)
	}
	b.WriteByte(']')
	if last < len(script.tools) {
		fmt.Fprintf(&b, `,"nextCursor":"from-%d"`, last)
	}
	b.WriteByte('}')
	return t.succeed(b.String())
}

// succeed answers with a result, dressed as the era wants it.
func (t *turn) succeed(result string) error {
	if t.stateless() {
		dress := `"resultType":"complete",`
		if t.msg.Method == "server/discover" || strings.HasSuffix(t.msg.Method, "/list") {
			dress += `"ttlMs":0,"cacheScope":"private",`
		}
		dress += fmt.Sprintf(`"_meta":{%q:%s}`, metaPrefix+"serverInfo", t.server.script.info)
		if result != `{}` {
			dress += ","
		}
		result = "{" + dress + result[1:]
	}
	return t.respond("result", template{literal(result)})
}

// fail answers with an error. A message that cannot be read has no id to name.
func (t *turn) fail(code int, message string, data json.RawMessage) error {
	t.errorStatus(code)
	object := fmt.Sprintf(`{"code":%d,"message":%s`, code, quote(message))
	if data != nil {
		object += `,"data":` + string(data)
	}
	if t.msg.ID == nil {
		return t.sink.message(t, func(w io.Writer) error {
			_, err := io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":`+object+"}}")
			return err
		}, false)
	}
	return t.respond("error", template{literal(object + "}")})
}
