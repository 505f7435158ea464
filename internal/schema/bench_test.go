package schema

import (
	"encoding/json"
	"testing"
)

// smallTool is an inputSchema as servers send it.
const smallTool = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
	"owner":{"type":"string","description":"Repository owner"},"repo":{"type":"string","minLength":1},
	"labels":{"type":"array","items":{"type":"string"}},"state":{"enum":["open","closed","all"]},
	"page":{"type":"integer","minimum":1},"since":{"anyOf":[{"type":"string","pattern":"^\\d{4}-"},{"type":"null"}]}},
	"required":["owner","repo"],"additionalProperties":false}`

const smallCall = `{"owner":"octo","repo":"mcp","labels":["a","b"],"state":"open","page":2,"since":"2026-01-01"}`

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(b.Context(), json.RawMessage(smallTool)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	s, err := Compile(b.Context(), json.RawMessage(smallTool))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.Validate(b.Context(), json.RawMessage(smallCall)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOnce is what a command does.
func BenchmarkOnce(b *testing.B) {
	for b.Loop() {
		if err := Validate(b.Context(), json.RawMessage(smallTool), json.RawMessage(smallCall)); err != nil {
			b.Fatal(err)
		}
	}
}
