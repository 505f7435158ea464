package mcp

import (
	"encoding/json"
	"errors"
	"testing"

	"mcpq/mcp/jsonrpc"
)

func TestCheckSampling(t *testing.T) {
	const (
		text    = `{"type":"text","text":"x"}`
		use1    = `{"type":"tool_use","id":"1","name":"a","input":{}}`
		use2    = `{"type":"tool_use","id":"2","name":"a","input":{}}`
		result1 = `{"type":"tool_result","toolUseId":"1","content":[]}`
		result2 = `{"type":"tool_result","toolUseId":"2","content":[]}`
	)
	messages := func(contents ...string) string {
		s := `{"maxTokens":1,"messages":[`
		for i, content := range contents {
			if i > 0 {
				s += ","
			}
			role := []string{"user", "assistant"}[i%2]
			s += `{"role":"` + role + `","content":` + content + `}`
		}
		return s + `]}`
	}
	for _, c := range []struct {
		name, params string
		tools        bool
		want         string
	}{
		{"one block", messages(text), false, ""},
		{"an array", messages("[" + text + "," + text + "]"), false, ""},
		{"no messages", `{"maxTokens":1}`, false, ""},
		{"tools undeclared", `{"messages":[],"tools":[]}`, false, "Tools in sampling are not supported"},
		{"toolChoice undeclared", `{"messages":[],"toolChoice":{"mode":"none"}}`, false, "Tools in sampling are not supported"},
		{"tools declared", `{"messages":[],"tools":[],"toolChoice":{"mode":"none"}}`, true, ""},
		{"answered", messages(text, "["+text+","+use1+"]", result1), true, ""},
		{"two answered in any order", messages(text, "["+use1+","+use2+"]", "["+result2+","+result1+"]", text), true, ""},
		{"one unanswered", messages(text, "["+use1+","+use2+"]", "["+result2+"]"), true, "Tool result missing in request"},
		{"answered by something else", messages(text, use1, text), true, "Tool result missing in request"},
		{"answered too late", messages(text, use1, text, text, result1), true, "Tool result missing in request"},
		{"not answered at all", messages(text, use1), true, "Tool result missing in request"},
		{"mixed", messages(text, use1, "["+result1+","+text+"]"), true, "Tool results mixed with other content"},
		{"malformed", `{"messages":7}`, true, "params are not those of sampling/createMessage"},
	} {
		err := checkSampling(json.RawMessage(c.params), c.tools)
		var rpc *jsonrpc.Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || rpc.Message != c.want):
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
