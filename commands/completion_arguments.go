package commands

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/commands/args"
	"mcpq/commands/completion"
	"mcpq/internal/rawjson"
	"mcpq/internal/uritemplate"
	"mcpq/mcp"
)

// argument is what an argument of the command may be: what the server lists, as
// a rule.
func (c *completer) argument(text string) *completion.Answer {
	first, second := len(c.args) == 0, len(c.args) == 1
	switch path := c.path(); {
	case path == "call" && first:
		return given("", c.peer.names(mcp.ListTools, "name")...)
	case path == "call":
		return c.toolArgument(text)
	case path == "get-prompt" && first:
		return given("", c.peer.names(mcp.ListPrompts, "name")...)
	case path == "get-prompt":
		return c.textArgument(promptRef(c.args[0]), c.peer.promptArguments(c.args[0]), text)
	case path == "read" && first:
		return given("", append(c.peer.names(mcp.ListResources, "uri"), c.peer.names(mcp.ListTemplates, "uriTemplate")...)...)
	case path == "read" && strings.Contains(c.args[0], "{"):
		return c.textArgument(templateRef(c.args[0]), templateVariables(c.args[0]), text)
	case path == "read", path == "watch":
		return given("", c.without(c.peer.names(mcp.ListResources, "uri"))...)
	case path == "describe" && first:
		return c.describable(text)
	case path == "skill" && first:
		return given("", c.peer.skills()...)
	case path == "skill" && second:
		return given("", c.peer.skillFiles(c.args[0])...)
	case path == "complete":
		return c.completeArgument(text)
	case strings.HasPrefix(path, "tasks ") && first:
		return given("", c.peer.tasks()...)
	case path == "rpc" && first:
		return given("", rpcMethods()...)
	case path == "rpc" && second:
		return ofKind("JSON", "", text)
	case path == "diff":
		return filesBehind("", completion.AnyFile)
	case path == "servers import" && first:
		a := filesBehind("", completion.AnyFile)
		a.Items = itemsOf("claude-code", "claude-desktop", "cursor", "vscode", "windsurf", "codex", "gemini")
		return a
	case strings.HasPrefix(path, "servers ") && path != "servers add" && first:
		return given("", c.configured()...)
	case (path == "help" || path == "man") && first:
		var items []completion.Item
		if path == "help" {
			items = helpTopics()
		}
		for _, k := range table() {
			items = append(items, completion.Item{Text: k.name, Help: k.help})
		}
		return given("", items...)
	}
	return c.positional(text)
}

// describable is what 'describe' takes: names of three lists, or of the one that
// the word says.
func (c *completer) describable(text string) *completion.Answer {
	kinds, _ := kindsOf(text + "x") // it may have no name yet
	lead := ""
	if len(kinds) == 1 {
		lead = kinds[0] + ":"
	}
	var items []completion.Item
	for _, kind := range kinds {
		switch kind {
		case "tool":
			items = append(items, c.peer.names(mcp.ListTools, "name")...)
		case "prompt":
			items = append(items, c.peer.names(mcp.ListPrompts, "name")...)
		case "template":
			items = append(items, c.peer.names(mcp.ListTemplates, "uriTemplate")...)
		}
	}
	return given(lead, items...)
}

// positional is what the grammar itself says of an argument.
func (c *completer) positional(text string) *completion.Answer {
	all := c.node.Positional
	if len(all) == 0 {
		return new(completion.Answer)
	}
	p := all[min(len(c.args), len(all)-1)]
	if len(c.args) >= len(all) && !p.IsCumulative() {
		return new(completion.Answer)
	}
	if p.Enum != "" {
		return given("", itemsOf(p.EnumSlice()...)...)
	}
	return ofKind(strings.ToUpper(p.Name), "", text)
}

// without leaves out what stands on the line already.
func (c *completer) without(items []completion.Item) []completion.Item {
	return slices.DeleteFunc(items, func(i completion.Item) bool {
		return slices.Contains(c.args, i.Text) || slices.Contains(c.later, i.Text)
	})
}

// toolArgument is an argument of the tool that is called.
func (c *completer) toolArgument(text string) *completion.Answer {
	var input json.RawMessage
	if tool, err := rawjson.ParseObject(c.peer.item(mcp.ListTools, "name", c.args[0])); err == nil {
		input, _ = tool.Get("inputSchema")
	}
	if v, ok := args.Values(input, text); ok {
		if v.File {
			return filesBehind(v.Key, completion.AnyFile)
		}
		return given(v.Key, itemsOf(v.Values...)...)
	}
	taken := c.taken()
	var items []completion.Item
	for _, k := range args.Keys(input) {
		if k.Repeats || !taken[strings.TrimRight(k.Text, ":=")] {
			items = append(items, completion.Item{Text: k.Text, Help: k.Description, Open: true})
		}
	}
	return given("", items...)
}

// taken are the keys that stand on the line already.
func (c *completer) taken() map[string]bool {
	taken := make(map[string]bool)
	for _, word := range append(slices.Clone(c.args[1:]), c.later...) {
		if v, ok := args.Values(nil, word); ok {
			taken[strings.TrimRight(strings.TrimSuffix(v.Key, "@"), ":=")] = true
		}
	}
	return taken
}

// textArgument is an argument of a prompt or a variable of a template: the
// server itself completes its value.
func (c *completer) textArgument(ref rawjson.Object, known []completion.Item, text string) *completion.Answer {
	v, ok := args.Values(nil, text)
	switch {
	case ok && v.File:
		return filesBehind(v.Key, completion.AnyFile)
	case ok:
		name := strings.TrimSuffix(v.Key, "=")
		return given(v.Key, c.peer.complete(ref, name, text[len(v.Key):], append(slices.Clone(c.args[1:]), c.later...))...)
	}
	taken := c.taken()
	var items []completion.Item
	for _, a := range known {
		if !taken[a.Text] {
			items = append(items, completion.Item{Text: a.Text + "=", Help: a.Help, Open: true})
		}
	}
	return given("", items...)
}

// completeArgument is an argument of 'complete': REF ARGUMENT PREFIX.
func (c *completer) completeArgument(text string) *completion.Answer {
	if len(c.args) == 0 {
		prompts := given("prompt:", c.peer.names(mcp.ListPrompts, "name")...)
		templates := given("template:", c.peer.names(mcp.ListTemplates, "uriTemplate")...)
		return given("", append(prompts.Items, templates.Items...)...)
	}
	ref, known := c.reference()
	switch len(c.args) {
	case 1:
		return given("", known...)
	case 2:
		return given("", c.peer.complete(ref, c.args[1], text, c.whole.value("context"))...)
	}
	return new(completion.Answer)
}

// context is a value of --context.
func (c *completer) context(lead, value string) *completion.Answer {
	if len(c.whole.args) == 0 {
		return new(completion.Answer)
	}
	ref, known := c.reference()
	key, text, ok := strings.Cut(value, "=")
	if ok {
		return given(lead+key+"=", c.peer.complete(ref, key, text, c.whole.value("context"))...)
	}
	for i := range known {
		known[i].Text += "="
		known[i].Open = true
	}
	return given(lead, known...)
}

// reference is what 'complete' is about, and what arguments it has.
func (c *completer) reference() (rawjson.Object, []completion.Item) {
	kind, name, _ := strings.Cut(c.whole.args[0], ":")
	switch kind {
	case "prompt":
		return promptRef(name), c.peer.promptArguments(name)
	case "template":
		return templateRef(name), templateVariables(name)
	}
	return nil, nil
}

// templateVariables are the variables of a URI template.
func templateVariables(template string) []completion.Item {
	t, err := uritemplate.Parse(template)
	if err != nil {
		return nil
	}
	return itemsOf(t.Names()...)
}
