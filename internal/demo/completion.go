package demo

import (
	"context"
	"slices"
	"strings"
)

type completionResult struct {
	envelope
	Completion struct {
		Values  []string `json:"values"`
		Total   int      `json:"total"`
		HasMore bool     `json:"hasMore"`
	} `json:"completion"`
}

// frameworks lists the frameworks of a language; of all for an unknown one.
func frameworks(language string) []string {
	all := map[string][]string{
		"go":         {"chi", "echo", "gin"},
		"javascript": {"express", "react", "vue"},
		"python":     {"django", "fastapi", "flask"},
	}
	if f, ok := all[strings.ToLower(language)]; ok {
		return f
	}
	var union []string
	for _, f := range all {
		union = append(union, f...)
	}
	slices.Sort(union)
	return union
}

func complete(_ context.Context, c *call) (result, error) {
	var q struct {
		Ref      *struct{ Type, Name, URI string }
		Argument *struct{ Name, Value *string }
		Context  struct{ Arguments map[string]string }
	}
	if err := decodeParams(c.params, &q); err != nil {
		return nil, err
	}
	if q.Ref == nil || q.Argument == nil || q.Argument.Name == nil || q.Argument.Value == nil {
		return nil, rpcErrorf(codeInvalidParams, "ref, argument.name and argument.value are required")
	}
	var candidates []string
	argument := *q.Argument.Name
	switch q.Ref.Type {
	case "ref/prompt":
		p := findPrompt(q.Ref.Name)
		if p == nil {
			return nil, rpcErrorf(codeInvalidParams, "unknown prompt %q", q.Ref.Name)
		}
		if !p.has(argument) {
			return nil, rpcErrorf(codeInvalidParams, "prompt %q has no argument %q", p.Name, argument)
		}
		candidates = candidatesFor(argument, q.Context.Arguments)
	case "ref/resource":
		if q.Ref.URI != greetingTemplate {
			return nil, rpcErrorf(codeInvalidParams, "unknown resource template %q", q.Ref.URI)
		}
		if argument != "name" {
			return nil, rpcErrorf(codeInvalidParams, "template %q has no variable %q", q.Ref.URI, argument)
		}
		candidates = candidatesFor(argument, nil)
	default:
		return nil, rpcErrorf(codeInvalidParams, "unknown reference type %q", q.Ref.Type)
	}
	res := &completionResult{}
	res.Completion.Values = []string{}
	prefix := strings.ToLower(*q.Argument.Value)
	for _, v := range candidates {
		if strings.HasPrefix(strings.ToLower(v), prefix) {
			res.Completion.Values = append(res.Completion.Values, v)
		}
	}
	res.Completion.Total = len(res.Completion.Values)
	return res, nil
}

// candidatesFor lists the values an argument may have, given those already chosen.
func candidatesFor(argument string, chosen map[string]string) []string {
	switch argument {
	case "name":
		return []string{"Ada", "Alan", "Barbara", "Grace", "Ken"}
	case "style":
		return []string{"formal", "friendly", "pirate"}
	case "language":
		return []string{"go", "javascript", "python"}
	case "framework":
		return frameworks(chosen["language"])
	}
	return nil
}
