package mcp

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"mcpq/mcp/jsonrpc"
)

func TestStream(t *testing.T) {
	large := strings.Repeat("x", jsonrpc.InlineResult)
	result := `{"resultType":"complete","content":[{"type":"text","text":"` + large + `"}],"keep":{"n":1.0},"isError":true,"other":1}`
	client := answering(t, Options{}, func(sent) string { return result })
	var out bytes.Buffer
	res, err := client.CallTool(context.Background(), &Call{Name: "x", Stream: &out, Keep: []string{"keep"}})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Streamed || res.Raw != nil || out.String() != result {
		t.Errorf("streamed %v, %d bytes, and %d bytes in memory", res.Streamed, out.Len(), len(res.Raw))
	}
	if !res.IsError() || string(res.Member("keep")) != `{"n":1.0}` || res.Member("other") != nil {
		t.Errorf("members %s", res.members)
	}
}

func TestStreamSmall(t *testing.T) {
	const result = `{"resultType":"complete","content":[],"x":1e400}`
	client := answering(t, Options{}, func(sent) string { return result })
	var out bytes.Buffer
	res, err := client.CallTool(context.Background(), &Call{Name: "x", Stream: &out})
	if err != nil || res.Streamed || string(res.Raw) != result || out.Len() != 0 || string(res.Member("x")) != "1e400" {
		t.Errorf("%+v, %v, %d bytes streamed", res, err, out.Len())
	}
}

// A writer that fails is the end of the call, and its error is the reason.
func TestStreamFails(t *testing.T) {
	client := answering(t, Options{}, func(sent) string {
		return `{"content":"` + strings.Repeat("x", jsonrpc.InlineResult) + `"}`
	})
	full := errors.New("disk full")
	_, err := client.CallTool(context.Background(), &Call{Name: "x", Stream: failingWriter{full}})
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if err := client.Ping(context.Background()); err != nil {
		t.Errorf("the next request: %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// Input that is required at such length has been streamed away.
func TestStreamInputRequired(t *testing.T) {
	client := answering(t, Options{}, func(sent) string {
		return `{"resultType":"input_required","requestState":"` + strings.Repeat("x", jsonrpc.InlineResult) + `"}`
	})
	var out bytes.Buffer
	_, err := client.CallTool(context.Background(), &Call{Name: "x", Stream: &out})
	var broken *ProtocolError
	if !errors.As(err, &broken) {
		t.Errorf("got %v", err)
	}
}
