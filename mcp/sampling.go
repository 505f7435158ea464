package mcp

import (
	"encoding/json"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
)

// checkSampling holds a sampling request against the rules of the sampling page
// (2025-11-25, client/sampling): tools only where they were declared, tool
// results alone in their message, and every tool use answered at once.
func checkSampling(params json.RawMessage, tools bool) error {
	invalid := func(message string) error {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
	}
	var p struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools      json.RawMessage `json:"tools"`
		ToolChoice json.RawMessage `json:"toolChoice"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return invalid("params are not those of sampling/createMessage")
	}
	if !tools && (p.Tools != nil || p.ToolChoice != nil) {
		return invalid("Tools in sampling are not supported")
	}
	var open map[string]bool // tool uses of the message before
	for _, m := range p.Messages {
		used, results, others := toolBlocks(m.Content)
		if len(results) > 0 && others {
			return invalid("Tool results mixed with other content")
		}
		for _, id := range results {
			delete(open, id)
		}
		if len(open) > 0 {
			return invalid("Tool result missing in request")
		}
		open = used
	}
	if len(open) > 0 {
		return invalid("Tool result missing in request")
	}
	return nil
}

// toolBlocks sorts the content of a message, one block or an array of them.
func toolBlocks(content json.RawMessage) (used map[string]bool, results []string, others bool) {
	blocks, err := rawjson.Elements(content)
	if err != nil {
		blocks = []json.RawMessage{content}
	}
	used = make(map[string]bool)
	for _, raw := range blocks {
		var b struct {
			Type      string `json:"type"`
			ID        string `json:"id"`
			ToolUseID string `json:"toolUseId"`
		}
		_ = json.Unmarshal(raw, &b) // an unknown kind of block is another block
		switch b.Type {
		case "tool_use":
			used[b.ID] = true
			others = true
		case "tool_result":
			results = append(results, b.ToolUseID)
		default:
			others = true
		}
	}
	return used, results, others
}
