package demo

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"
)

func echo(_ context.Context, _ *call, args arguments) (result, error) {
	return textResult(args.text("text")), nil
}

func add(_ context.Context, c *call, args arguments) (result, error) {
	sum := map[string]any{"sum": decimal(new(big.Rat).Add(args.number("a"), args.number("b")))}
	text, err := encode(sum)
	if err != nil {
		return nil, err
	}
	res := textResult(string(text))
	if c.rules.titles {
		res.Structured = sum
	}
	return res, nil
}

func fail(_ context.Context, _ *call, args arguments) (result, error) {
	return failure("failed: " + args.text("reason")), nil
}

func picture(context.Context, *call, arguments) (result, error) {
	return &toolResult{Content: []map[string]any{
		{"type": "image", "data": logoPNG, "mimeType": "image/png"},
		textBlock("A blue ring with an orange corner, 16 by 16 pixels."),
	}}, nil
}

func slow(ctx context.Context, c *call, args arguments) (result, error) {
	seconds, _ := args.number("seconds").Float64()
	steps := int(args.integer("steps"))
	total := time.Duration(seconds * float64(time.Second))
	for i := 1; i <= steps; i++ {
		timer := time.NewTimer(total / time.Duration(steps))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
		c.progress(i, steps, fmt.Sprintf("step %d of %d", i, steps))
	}
	return textResult(fmt.Sprintf("waited %v in %d steps", total, steps)), nil
}

func logs(_ context.Context, c *call, _ arguments) (result, error) {
	sent := 0
	for i, level := range logLevels() {
		// Log data may be any JSON: send both a string and an object.
		var data any = "a message of level " + level
		if i%2 == 1 {
			data = map[string]any{"text": "a message of level " + level, "severity": i}
		}
		if c.log(level, data) {
			sent++
		}
	}
	return textResult(fmt.Sprintf("sent %d of %d messages", sent, len(logLevels()))), nil
}

// region tells what arrived in the mirrored headers, so that a client can be
// seen to send them. The values have been compared with the arguments before.
func region(_ context.Context, c *call, args arguments) (result, error) {
	if c.header == nil {
		return textResult("region " + args.text("region") + "; this transport has no headers"), nil
	}
	seen := []string{}
	for _, name := range []string{"Region", "Shard"} {
		if v, ok := headerValue(c.header, "Mcp-Param-"+name); ok {
			seen = append(seen, "Mcp-Param-"+name+": "+v)
		}
	}
	if len(seen) == 0 {
		return textResult("region " + args.text("region") + "; no Mcp-Param header came"), nil
	}
	return textResult("region " + args.text("region") + "; " + strings.Join(seen, "; ")), nil
}

func touch(_ context.Context, c *call, args arguments) (result, error) {
	revision := c.server.changes.touch(args.text("language"))
	res := textResult(fmt.Sprintf("%s is at revision %d", configURI, revision))
	if c.rules.titles {
		res.Content = append(res.Content, map[string]any{
			"type": "resource_link", "uri": configURI, "name": "config", "mimeType": "application/json"})
	}
	return res, nil
}

// bigResult is a tool result whose text is made while it is written.
type bigResult struct {
	envelope
	size int64
}

func bigTool(_ context.Context, _ *call, args arguments) (result, error) {
	return &bigResult{size: args.integer("bytes")}, nil
}

// bigText is what the big tool repeats; it needs no JSON escapes.
const bigText = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.\x20"

func (r *bigResult) stream(w io.Writer) error {
	head, err := encode(r.envelope)
	if err != nil {
		return err
	}
	start := strings.TrimSuffix(string(head), "}")
	if start != "{" {
		start += ","
	}
	if _, err := io.WriteString(w, start+`"content":[{"type":"text","text":"`); err != nil {
		return err
	}
	chunk := strings.Repeat(bigText, 512)
	for left := r.size; left > 0; {
		n := min(left, int64(len(chunk)))
		if _, err := io.WriteString(w, chunk[:n]); err != nil {
			return err
		}
		left -= n
	}
	_, err = io.WriteString(w, `"}]}`)
	return err
}
