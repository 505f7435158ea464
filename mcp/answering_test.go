package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// sent is a message of the client as a server reads it.
type sent struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// discovered is the answer to server/discover, with all that can be declared.
const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},` +
	`"ttlMs":0,"cacheScope":"public"}`

// answering is a stateless server on a byte stream; answer makes the results of
// everything but server/discover.
func answering(t *testing.T, o Options, answer func(m sent) string) *Client {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	stream := jsonrpc.NewStream(clientIn, clientOut, func() error {
		return errors.Join(clientOut.Close(), clientIn.Close())
	})
	go func() {
		in := bufio.NewReader(serverIn)
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				_ = serverOut.Close()
				return
			}
			var m sent
			must(json.Unmarshal(line, &m))
			if m.ID == nil {
				continue
			}
			result := discovered
			if m.Method != methodDiscover {
				result = answer(m)
			}
			if _, err := fmt.Fprintf(serverOut, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result); err != nil {
				return
			}
		}
	}()
	c, err := Connect(context.Background(), transport.Stream{Stream: stream}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}
