// Package demo is a small, complete MCP server: the one behind the `demo`
// command and the `demo:` server name, and the peer the client is tested
// against.
//
// It speaks every official protocol version. The stateful ones (2024-11-05,
// 2025-03-26, 2025-06-18, 2025-11-25) open with initialize; the stateless one
// (2026-07-28) carries its version in each request. Both may be used over one
// connection or one HTTP endpoint at the same time.
//
// The package shares no code with the client, so that a wrong reading of the
// specification in one of them shows as a disagreement between the two. Where
// the specification leaves the server a choice between lenience and refusal,
// it refuses: a peer for tests should notice mistakes.
//
//	srv := demo.New(demo.Options{Version: "1.0.0"})
//	defer srv.Close()
//	err := srv.ServeStream(ctx, os.Stdin, os.Stdout) // or http.Handle("/mcp", srv.Handler())
package demo
