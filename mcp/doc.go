// Package mcp is a client of the Model Context Protocol.
//
// It speaks every official version: the stateful ones up to 2025-11-25, which
// open a session with initialize, and the stateless 2026-07-28. [Connect] finds
// out which one a server speaks; after that nothing depends on it.
//
//	c, err := mcp.Connect(ctx, transport.Command{Args: []string{"./server"}}, mcp.Options{})
//	if err != nil {
//		return err
//	}
//	defer c.Close(ctx)
//	res, err := c.CallTool(ctx, &mcp.Call{Name: "add", Arguments: json.RawMessage(`{"a":1,"b":2}`)})
//	if err != nil {
//		return err
//	}
//	fmt.Println(string(res.Raw)) // the server's own bytes
//
// # Results
//
// A [Result] holds the server's JSON as it came; only white space between
// tokens is dropped. Large results can be streamed: see [Request].Stream.
//
// # Errors
//
// An error answer of the server is *[RPCError]; a session that could not be
// opened *[HandshakeError] or *[VersionError]; an answer against the rules
// *[ProtocolError]; a limit of time *[TimeoutError]; input that nobody here can
// give *[InputRequiredError]; a request that needs what the server does not
// offer, which is not sent, *[CapabilityError]. What the transport found
// wrong comes through as its own types, see package transport. When the
// caller's context ends, its cause is returned.
//
// # The package does not
//
// print, prompt, read the environment or open a browser. What a server asks of
// its client goes to [Handlers].
package mcp
