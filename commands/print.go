package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"mcpq/mcp"
	"mcpq/output"
)

// print prints one document and judges it for -e.
func (r *runner) print(ctx context.Context, raw json.RawMessage) error {
	if err := r.printer.JSON(ctx, raw); err != nil {
		return err
	}
	return r.printer.Status()
}

// streaming prints a result that may be large: as it arrives if the output is
// the server's bytes, else when it is whole.
type streaming struct {
	r   *runner
	doc *output.Document
	err error
}

// writer is where a large result goes; nil if it has to be held.
func (s *streaming) writer() io.Writer {
	if s.r.saves() {
		return s.r.saving
	}
	if !s.r.printer.Streams() || s.r.grammar.MaxBytes > 0 { // a limit is for what is whole
		return nil
	}
	return s
}

// Write prints a piece of the result.
func (s *streaming) Write(p []byte) (int, error) {
	if s.doc == nil {
		if s.doc, s.err = s.r.printer.Document(); s.err != nil {
			return 0, s.err
		}
	}
	return s.doc.Write(p)
}

// finish prints what is left of the result, or gives it up.
func (s *streaming) finish(ctx context.Context, res *mcp.Result, err error) error {
	if s.r.saves() {
		return s.r.saving.finish(ctx, res, err)
	}
	if err != nil {
		if s.doc != nil && ctx.Err() == nil {
			s.doc.Abort()
		}
		return err
	}
	if !res.Streamed {
		if ctx.Err() != nil || !s.r.printer.Streams() {
			return s.r.print(ctx, res.Raw)
		}
		// What comes from a server has been made compact; a large result need not
		// be searched for white space again.
		if _, err := s.Write(res.Raw); err != nil {
			return err
		}
	}
	if err := s.doc.Close(); err != nil {
		return err
	}
	return s.r.printer.Status()
}

// do makes a request and prints its result.
func (r *runner) do(ctx context.Context, c *mcp.Client, req *mcp.Request) error {
	s := &streaming{r: r}
	req.Stream = s.writer()
	res, err := c.Do(ctx, req)
	return s.finish(ctx, res, err)
}

// marshal encodes a document of our own; text stays readable.
func marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(buf.Bytes()), err
}
