package commands

import (
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/completion"
	"mcpq/mcp"
	"mcpq/output"
)

// flagValue is what the value of a flag may be. lead is what stands before it in
// the word, value what has been typed of it.
func (c *completer) flagValue(f *kong.Flag, lead, value string) *completion.Answer {
	switch f.Name {
	case "server":
		return c.server(lead, value)
	case "protocol":
		return given(lead, itemsOf(append([]string{"auto"}, mcp.Versions()...)...)...)
	case "format":
		return given(lead, itemsOf(output.Formats()...)...)
	case "log-level":
		return given(lead, itemsOf(logLevels()...)...)
	case "context":
		return c.context(lead, value)
	case "listen":
		return c.socket(lead, value)
	case "task":
		return given(lead, c.peer.tasks()...)
	}
	if f.Enum != "" {
		return given(lead, itemsOf(f.EnumSlice()...)...)
	}
	return ofKind(f.PlaceHolder, lead, value)
}

// ofKind is what the placeholder of a value tells of it.
func ofKind(placeholder, lead, value string) *completion.Answer {
	switch placeholder {
	case "FILE", "FILES", "FILE|DIR/":
		return filesBehind(lead, completion.AnyFile)
	case "DIR", "DIR/", "DIR|URI":
		return filesBehind(lead, completion.Folders)
	case "JSON", "KEY=JSON":
		key, text, ok := strings.Cut(value, "=")
		if ok && placeholder == "KEY=JSON" {
			lead, value = lead+key+"=", text
		}
		if strings.HasPrefix(value, "@") {
			return filesBehind(lead+"@", completion.AnyFile)
		}
	}
	return new(completion.Answer)
}

// server is what -s takes.
func (c *completer) server(lead, value string) *completion.Answer {
	scheme, _, ok := strings.Cut(value, ":")
	switch {
	case ok && scheme == "unix":
		return filesBehind(lead+"unix:", completion.AnyFile)
	case ok && scheme == "stdio" && !strings.ContainsAny(value, " '\"\\"):
		return filesBehind(lead+"stdio:", completion.AnyFile)
	}
	items := append(c.configured(),
		completion.Item{Text: "demo:", Help: "The server built into mcpq."},
		completion.Item{Text: "https://", Help: "A Streamable HTTP server, or one with the older HTTP+SSE.", Open: true},
		completion.Item{Text: "http://", Help: "The same without TLS.", Open: true},
		completion.Item{Text: "stdio:", Help: "A command to start, split into words as a shell would.", Open: true},
		completion.Item{Text: "unix:", Help: "A server on a Unix socket.", Open: true},
		completion.Item{Text: "tcp:", Help: "A server on a TCP socket, HOST:PORT.", Open: true},
	)
	return given(lead, items...)
}

// socket is where clients can connect.
func (c *completer) socket(lead, value string) *completion.Answer {
	if strings.HasPrefix(value, "unix:") {
		return filesBehind(lead+"unix:", completion.AnyFile)
	}
	return given(lead,
		completion.Item{Text: "unix:", Help: "A Unix socket.", Open: true},
		completion.Item{Text: "tcp:", Help: "A TCP socket, HOST:PORT.", Open: true})
}

// configured are the servers that config files have names for.
func (c *completer) configured() []completion.Item {
	if files := c.whole.value("config"); len(files) > 0 {
		c.r.grammar.Config = files[len(files)-1]
	}
	items := itemsOf(c.r.configuredServers()...)
	for i := range items {
		items[i].Help = "A server of a config file."
	}
	return items
}

// helpTopics are what 'help' can show besides commands.
func helpTopics() []completion.Item {
	var items []completion.Item
	for _, t := range topics() {
		items = append(items, completion.Item{Text: t.name, Help: t.about})
	}
	return items
}

// rpcMethods are the requests that a server may understand.
func rpcMethods() []completion.Item {
	return itemsOf(
		"completion/complete", "initialize", "logging/setLevel", "ping", "prompts/get", "prompts/list",
		"resources/list", "resources/read", "resources/subscribe", "resources/templates/list", "resources/unsubscribe",
		"server/discover", "subscriptions/listen",
		"tasks/cancel", "tasks/get", "tasks/list", "tasks/result", "tasks/update", "tools/call", "tools/list",
		"skills/get", "skills/list", "resources/directory/read",
		"notifications/cancelled", "notifications/initialized", "notifications/progress", "notifications/roots/list_changed",
	)
}
