package mcp

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the wire transcripts")

// asServer makes this test binary a server, see [shyServer].
const asServer = "MCPQ_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(shyServer())
	}
	goleak.VerifyTestMain(m)
}

// shyServer is a server of the stateful era that ends when the first message is
// not initialize. It tells its starts on standard error.
func shyServer() int {
	fmt.Fprintln(os.Stderr, "started")
	in := bufio.NewScanner(os.Stdin)
	for n := 0; in.Scan(); n++ {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(in.Bytes(), &m)
		switch {
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"shy","version":"1"}}}`+"\n", m.ID)
		case n == 0:
			return 3
		case m.Method == "ping":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID)
		}
	}
	return 0
}
