package demo

import (
	"context"
	"encoding/json"
)

type prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description"`
	Arguments   []promptArgument `json:"arguments"`
	Icons       []map[string]any `json:"icons,omitempty"`
}

type promptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

func promptTable() []prompt {
	return []prompt{
		{Name: "greet", Title: "Greet someone", Description: "Ask for a greeting.", Icons: icons(), Arguments: []promptArgument{
			{Name: "name", Title: "Name", Description: "Whom to greet.", Required: true},
			{Name: "style", Title: "Style", Description: "How to greet: formal, friendly or pirate."},
		}},
		{Name: "review", Title: "Review code", Description: "Ask for a code review.", Arguments: []promptArgument{
			{Name: "language", Title: "Language", Description: "The programming language.", Required: true},
			{Name: "framework", Title: "Framework", Description: "A framework of that language."},
		}},
	}
}

func findPrompt(name string) *prompt {
	table := promptTable()
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

func (p *prompt) has(argument string) bool {
	for _, a := range p.Arguments {
		if a.Name == argument {
			return true
		}
	}
	return false
}

type promptList struct {
	envelope
	Prompts []prompt `json:"prompts"`
	Next    string   `json:"nextCursor,omitempty"`
}

func listPrompts(_ context.Context, c *call) (result, error) {
	items, next, err := page(c, "prompts", promptTable())
	if err != nil {
		return nil, err
	}
	for i := range items {
		if !c.rules.titles {
			items[i].Title = ""
			for j := range items[i].Arguments {
				items[i].Arguments[j].Title = ""
			}
		}
		if !c.rules.icons {
			items[i].Icons = nil
		}
	}
	return &promptList{envelope: cacheable(300_000), Prompts: items, Next: next}, nil
}

type promptResult struct {
	envelope
	Description string          `json:"description"`
	Messages    []promptMessage `json:"messages"`
}

type promptMessage struct {
	Role    string         `json:"role"`
	Content map[string]any `json:"content"`
}

func getPrompt(_ context.Context, c *call) (result, error) {
	var q struct {
		Name      *string
		Arguments map[string]json.RawMessage
	}
	if err := decodeParams(c.params, &q); err != nil {
		return nil, err
	}
	if q.Name == nil {
		return nil, rpcErrorf(codeInvalidParams, "params.name is missing")
	}
	p := findPrompt(*q.Name)
	if p == nil {
		return nil, rpcErrorf(codeInvalidParams, "unknown prompt %q", *q.Name)
	}
	params := make([]param, 0, len(p.Arguments))
	for _, a := range p.Arguments {
		params = append(params, param{name: a.Name, kind: "string", required: a.Required})
	}
	args, err := checkArguments(params, q.Arguments)
	if err != nil {
		return nil, rpcErrorf(codeInvalidParams, "%v", err)
	}
	res := &promptResult{Description: p.Description}
	say := func(role string, content map[string]any) {
		res.Messages = append(res.Messages, promptMessage{role, content})
	}
	switch p.Name {
	case "greet":
		style := args.text("style")
		if style == "" {
			style = "friendly"
		}
		say("user", textBlock("Write a "+style+" greeting for "+args.text("name")+"."))
	case "review":
		what := args.text("language")
		if f := args.text("framework"); f != "" {
			what += " (" + f + ")"
		}
		readme, _, _ := c.server.read(readmeURI)
		say("user", textBlock("Review the following "+what+" code. Name the worst problem first."))
		say("user", map[string]any{"type": "resource", "resource": readme})
		say("assistant", textBlock("I will look for wrong behaviour before style."))
	}
	return res, nil
}
