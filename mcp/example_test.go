package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http/httptest"

	"mcpq/internal/demo"
	"mcpq/mcp"
	"mcpq/mcp/transport"
)

// A client in ten lines: open a session, call a tool, print what the server
// said.
func Example() {
	server := httptest.NewServer(demo.New(demo.Options{}).Handler()) // any MCP server
	defer server.Close()

	ctx := context.Background()
	c, err := mcp.Connect(ctx, transport.HTTP{URL: server.URL}, mcp.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = c.Close(ctx) }()
	res, err := c.CallTool(ctx, &mcp.Call{Name: "add", Arguments: json.RawMessage(`{"a":1,"b":2}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Info().ProtocolVersion, string(res.Member("structuredContent")))
	// Output: 2026-07-28 {"sum":3}
}

// A list comes page by page, as the server's own bytes.
func ExampleClient_Pages() {
	server := httptest.NewServer(demo.New(demo.Options{}).Handler())
	defer server.Close()

	ctx := context.Background()
	c, err := mcp.Connect(ctx, transport.HTTP{URL: server.URL}, mcp.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = c.Close(ctx) }()
	for page, err := range c.Pages(ctx, mcp.ListPrompts, nil) {
		if err != nil {
			log.Fatal(err)
		}
		for _, item := range page.Items() {
			var prompt struct{ Name string }
			if err := json.Unmarshal(item, &prompt); err != nil {
				log.Fatal(err)
			}
			fmt.Println(prompt.Name)
		}
	}
	// Output:
	// greet
	// review
}

// What a server asks of the user goes to a handler, in both eras alike.
func ExampleHandlers() {
	server := httptest.NewServer(demo.New(demo.Options{}).Handler())
	defer server.Close()

	ask := func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		var form struct{ Message string }
		if err := json.Unmarshal(params, &form); err != nil {
			return nil, err
		}
		fmt.Println(form.Message)
		return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
	}
	ctx := context.Background()
	for _, version := range []string{mcp.Version20251125, mcp.Version20260728} {
		c, err := mcp.Connect(ctx, transport.HTTP{URL: server.URL},
			mcp.Options{Version: version, Handlers: mcp.Handlers{Elicit: ask}})
		if err != nil {
			log.Fatal(err)
		}
		res, err := c.CallTool(ctx, &mcp.Call{Name: "ask", Arguments: json.RawMessage(`{"question":"Your name?"}`)})
		if err != nil {
			log.Fatal(err)
		}
		var content []struct{ Text string }
		if err := json.Unmarshal(res.Member("content"), &content); err != nil {
			log.Fatal(err)
		}
		fmt.Println(content[0].Text)
		_ = c.Close(ctx)
	}
	// Output:
	// Your name?
	// Hello, Ada
	// Your name?
	// Hello, Ada
}
