package mcp

import (
	"context"
	"io"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Exchange is one request that was sent, and how it went.
type Exchange struct {
	Method string
	Took   time.Duration
	Bytes  int64 // of the result, as compact JSON
	Err    error // why there is no result; a *jsonrpc.Error is the server's
}

// observed is a connection whose calls are told of.
type observed struct {
	transport.Conn
	tell func(Exchange)
}

// Call makes the call.
func (o *observed) Call(ctx context.Context, out *transport.Outgoing) (*jsonrpc.Message, error) {
	e := Exchange{Method: out.Method}
	if sink := out.Result; sink != nil {
		counted := *out
		counted.Result = func(r io.Reader) error { return sink(&countingReader{r, &e.Bytes}) }
		out = &counted
	}
	began := time.Now()
	m, err := o.Conn.Call(ctx, out)
	e.Took, e.Err = time.Since(began), err
	if err == nil {
		e.Bytes += int64(len(m.Result)) // nothing if it was streamed
		if m.Error != nil {
			e.Err = m.Error
		}
	}
	o.tell(e)
	return m, err
}

type countingReader struct {
	r io.Reader
	n *int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}
