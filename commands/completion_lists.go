package commands

import (
	"bytes"
	"encoding/json"
	"strings"

	"mcpq/commands/args"
	"mcpq/commands/completion"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// list are the items of a list, from what is kept or from the server.
func (p *completePeer) list(l mcp.List) []json.RawMessage {
	if !p.resolve() {
		return nil
	}
	if items, ok := p.kept.get(l); ok {
		return items
	}
	client := p.open()
	if client == nil {
		return nil
	}
	var items []json.RawMessage
	for page, err := range client.Pages(p.ctx, l, nil) {
		if err != nil {
			return items // some are better than none
		}
		items = append(items, page.Items()...)
	}
	p.kept.put(l, items, client.Info())
	return items
}

// item is the item of a list that has a name; nil if there is none.
func (p *completePeer) item(l mcp.List, key, name string) json.RawMessage {
	for _, item := range p.list(l) {
		if text(item, key) == name {
			return item
		}
	}
	return nil
}

// names are those of a list, with what they are.
func (p *completePeer) names(l mcp.List, key string) []completion.Item {
	var items []completion.Item
	for _, item := range p.list(l) {
		help := text(item, "description")
		if help == "" {
			help = text(item, "title")
		}
		if name := text(item, "name"); help == "" && key != "name" {
			help = name
		}
		items = append(items, completion.Item{Text: text(item, key), Help: help})
	}
	return items
}

// tasks are the ids of the tasks that the server lists.
func (p *completePeer) tasks() []completion.Item {
	var items []completion.Item
	for _, item := range p.list(mcp.ListTasks) {
		help := strings.TrimSpace(text(item, "status") + " " + text(item, "statusMessage"))
		items = append(items, completion.Item{Text: text(item, "taskId"), Help: help})
	}
	return items
}

// skills are the names of the skills.
func (p *completePeer) skills() []completion.Item {
	var items []completion.Item
	for _, item := range p.list(mcp.ListSkills) {
		var skill struct {
			Frontmatter struct{ Name, Description string }
		}
		if err := json.Unmarshal(item, &skill); err == nil {
			items = append(items, completion.Item{Text: skill.Frontmatter.Name, Help: skill.Frontmatter.Description})
		}
	}
	return items
}

// skillFiles are the files of a skill.
func (p *completePeer) skillFiles(name string) []completion.Item {
	client := p.open()
	if client == nil {
		return nil
	}
	skill, err := client.Skill(p.ctx, name)
	if err != nil {
		return nil
	}
	var items []completion.Item
	for _, f := range skill.Files {
		items = append(items, completion.Item{Text: f.Path})
	}
	return items
}

// promptArguments are the arguments of a prompt.
func (p *completePeer) promptArguments(name string) []completion.Item {
	var prompt struct {
		Arguments []struct{ Name, Description string }
	}
	if err := json.Unmarshal(p.item(mcp.ListPrompts, "name", name), &prompt); err != nil {
		return nil
	}
	var items []completion.Item
	for _, a := range prompt.Arguments {
		items = append(items, completion.Item{Text: a.Name, Help: a.Description})
	}
	return items
}

// complete asks the server for the values of an argument. known are the words
// that give the others.
func (p *completePeer) complete(ref rawjson.Object, name, prefix string, known []string) []completion.Item {
	client := p.open()
	if client == nil || ref == nil {
		return nil
	}
	var others []string
	for _, word := range known {
		if v, ok := args.Values(nil, word); ok && !v.File && v.Key != name+"=" {
			others = append(others, word)
		}
	}
	var context json.RawMessage
	if len(others) > 0 && takesContext(client) {
		var err error
		if context, err = args.BuildStrings(p.ctx, others, args.Source{}); err != nil {
			return nil
		}
	}
	res, err := client.Do(p.ctx, completeRequest(ref, name, prefix, context))
	if err != nil {
		return nil
	}
	var answer struct{ Values []string }
	if err := json.Unmarshal(res.Member("completion"), &answer); err != nil {
		return nil
	}
	return itemsOf(answer.Values...)
}

// text is a member that is a string; "" if it is none.
func text(item json.RawMessage, key string) string {
	object, err := rawjson.ParseObject(item)
	if err != nil {
		return ""
	}
	raw, _ := object.Get(key)
	s, _ := rawjson.Unquote(bytes.TrimSpace(raw))
	return s
}
