package demo

import (
	"context"
	"encoding/json"
	"errors"
)

// tool is one tool: its definition and what it does.
type tool struct {
	name, title, about string
	params             []param
	output             string // output schema; empty for none
	hints              hints
	icon               bool
	meta               map[string]any
	runsLong           bool // may wait, or writes much
	asTask             bool // may run as a task
	run                func(ctx context.Context, c *call, args arguments) (result, error)
}

// hints are the annotations of a tool; nil leaves one out.
type hints struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    *bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool  `json:"destructiveHint,omitempty"`
	Idempotent  *bool  `json:"idempotentHint,omitempty"`
	OpenWorld   *bool  `json:"openWorldHint,omitempty"`
}

// toolTable lists the tools in the order clients see them.
func toolTable() []tool {
	yes, no := new(bool), new(bool)
	*yes = true
	pure := hints{ReadOnly: yes, Idempotent: yes, OpenWorld: no}
	looks := hints{ReadOnly: yes, OpenWorld: no}
	return []tool{
		{name: "echo", title: "Echo", about: "Return the given text unchanged.", hints: pure, icon: true, run: echo,
			meta:   map[string]any{"demo.mcpq/category": "text"},
			params: []param{{name: "text", kind: "string", about: "What to return.", required: true}}},
		{name: "add", title: "Add two numbers", about: "Add two numbers exactly, however large.", hints: pure, run: add,
			params: []param{
				{name: "a", kind: "number", about: "The first number.", required: true},
				{name: "b", kind: "number", about: "The second number.", required: true}},
			output: `{"type":"object","properties":{"sum":{"type":"number","description":"a plus b"}},"required":["sum"],"additionalProperties":false}`},
		{name: "slow", title: "Take some time", about: "Wait, reporting progress after each step.", hints: looks, run: slow, runsLong: true,
			params: []param{
				{name: "seconds", kind: "number", about: "How long to wait in all.", fallback: "1", min: "0", max: "3600"},
				{name: "steps", kind: "integer", about: "In how many steps.", fallback: "5", min: "1", max: "1000"}}},
		{name: "fail", title: "Fail", about: "Fail with a reason, as a tool does whose work went wrong.", hints: pure, run: fail,
			params: []param{{name: "reason", kind: "string", about: "The reason to give.", fallback: `"it was asked to"`}}},
		{name: "image", title: "Draw a picture", about: "Return a small PNG picture.", hints: pure, icon: true, run: picture},
		{name: "logs", title: "Write log messages", about: "Send one log message of each level that the client wants.", hints: looks, run: logs},
		{name: "ask", title: "Ask the user", about: "Ask the user for a name and a colour, then greet.", hints: looks, run: ask, runsLong: true,
			params: []param{{name: "question", kind: "string", about: "The question to put.", fallback: `"Who are you?"`}}},
		{name: "big", title: "Return much text", about: "Return a text of the given length.", hints: pure, run: bigTool, runsLong: true,
			params: []param{{name: "bytes", kind: "integer", about: "Length of the text.", fallback: "1048576", min: "0", max: "4294967296"}}},
		{name: "region", title: "Show mirrored headers", about: "Tell which HTTP headers carried the arguments.", hints: pure, run: region,
			params: []param{
				{name: "region", kind: "string", about: "Sent in Mcp-Param-Region.", required: true, header: "Region"},
				{name: "shard", kind: "integer", about: "Sent in Mcp-Param-Shard.", min: "-9007199254740991", max: "9007199254740991", header: "Shard"}}},
		{name: "touch", title: "Change the configuration", about: "Change demo://config and tell its subscribers.", run: touch,
			hints:  hints{Title: "Touch", ReadOnly: no, Destructive: no, Idempotent: no, OpenWorld: no},
			params: []param{{name: "language", kind: "string", about: "The new language.", choices: []string{"de", "en", "fr"}}}},
		{name: "job", title: "Do a long job", about: "Work for a while, as a task where the client knows tasks.", hints: looks, run: job, runsLong: true, asTask: true,
			params: []param{
				{name: "seconds", kind: "number", about: "How long to work in all.", fallback: "1", min: "0", max: "3600"},
				{name: "steps", kind: "integer", about: "In how many steps.", fallback: "5", min: "1", max: "1000"},
				{name: "ask", kind: "string", about: "Whether to ask whose job it is in the end.", fallback: `"no"`, choices: []string{"no", "yes"}},
				{name: "fail", kind: "string", about: "How to end: well, as a tool that fails, or with an error.", fallback: `"no"`, choices: []string{"no", "tool", "rpc"}},
				{name: "keep", kind: "number", about: "For how many seconds the task is kept from its beginning on.", fallback: "600", min: "0", max: "86400"}}},
	}
}

// tool finds a tool by name; nil when there is none.
func (s *Server) tool(name string) *tool {
	table := s.tools()
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}

// toolDefinition is a tool as tools/list tells it.
type toolDefinition struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitempty"`
	Description  string           `json:"description"`
	Icons        []map[string]any `json:"icons,omitempty"`
	InputSchema  json.RawMessage  `json:"inputSchema"`
	OutputSchema json.RawMessage  `json:"outputSchema,omitempty"`
	Annotations  *hints           `json:"annotations,omitempty"`
	Execution    map[string]any   `json:"execution,omitempty"`
	Meta         map[string]any   `json:"_meta,omitempty"`
}

func (t *tool) definition(r rules) toolDefinition {
	d := toolDefinition{Name: t.name, Description: t.about, InputSchema: inputSchema(t.params)}
	if r.annotations {
		d.Annotations = &t.hints
	}
	if r.titles {
		d.Title, d.Meta = t.title, t.meta
		d.OutputSchema = json.RawMessage(t.output)
	}
	if r.tasks && t.asTask {
		d.Execution = map[string]any{"taskSupport": "optional"}
	}
	if r.icons && t.icon {
		d.Icons = icons()
	}
	return d
}

type toolList struct {
	envelope
	Tools []toolDefinition `json:"tools"`
	Next  string           `json:"nextCursor,omitempty"`
}

func listTools(_ context.Context, c *call) (result, error) {
	items, next, err := page(c, "tools", c.server.tools())
	if err != nil {
		return nil, err
	}
	list := &toolList{envelope: cacheable(300_000), Tools: []toolDefinition{}, Next: next}
	for i := range items {
		list.Tools = append(list.Tools, items[i].definition(c.rules))
	}
	return list, nil
}

// toolResult is what a tool returns.
type toolResult struct {
	envelope
	Content    []map[string]any `json:"content"`
	Structured any              `json:"structuredContent,omitempty"`
	IsError    bool             `json:"isError,omitempty"`
}

func textBlock(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

func textResult(text string) *toolResult {
	return &toolResult{Content: []map[string]any{textBlock(text)}}
}

func failure(text string) *toolResult {
	r := textResult(text)
	r.IsError = true
	return r
}

func callTool(ctx context.Context, c *call) (result, error) {
	var p struct {
		Name            *string
		Arguments, Task json.RawMessage
	}
	if err := decodeParams(c.params, &p); err != nil {
		return nil, err
	}
	if p.Name == nil {
		return nil, rpcErrorf(codeInvalidParams, "params.name is missing")
	}
	t := c.server.tool(*p.Name)
	if t == nil {
		return nil, rpcErrorf(codeInvalidParams, "unknown tool %q", *p.Name)
	}
	var raw map[string]json.RawMessage
	if p.Arguments != nil {
		if p.Arguments[0] != '{' {
			return nil, rpcErrorf(codeInvalidParams, "params.arguments must be an object")
		}
		_ = json.Unmarshal(p.Arguments, &raw) // an object that is valid JSON always fits
	}
	if c.rules.stateless && c.header != nil {
		if err := checkParamHeaders(c.header, t.params, raw); err != nil {
			return nil, err
		}
	}
	args, err := checkArguments(t.params, raw)
	var bad *argumentError
	switch {
	case errors.As(err, &bad) && c.rules.inputAsResult:
		return failure(err.Error()), nil
	case err != nil:
		return nil, rpcErrorf(codeInvalidParams, "%v", err)
	}
	as, err := c.wantsTask(t, p.Task)
	switch {
	case err != nil:
		return nil, err
	case as:
		return c.begin(t, p.Task, args)
	}
	return t.run(ctx, c, args)
}
