package commands

import (
	"context"
	"time"

	"mcpq/mcp"
)

// PingCmd measures round trips.
type PingCmd struct {
	Count    int      `default:"1" placeholder:"N" help:"How many times (${default})."`
	Interval Duration `default:"1s" placeholder:"TIME" help:"Wait between two of them (${default})."`
}

// Validate checks the flags.
func (p *PingCmd) Validate() error {
	if p.Count < 1 {
		return usagef("--count has to be at least 1")
	}
	return nil
}

type pingResult struct {
	Seq    int     `json:"seq"`
	Method string  `json:"method"`
	Time   float64 `json:"ms"`
}

// Run prints one line a round trip.
func (p *PingCmd) Run(ctx context.Context, r *runner) error {
	r.anew = true
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	method := "ping"
	if c.Info().Era == mcp.Stateless {
		method = "server/discover"
	}
	for seq := 1; ; seq++ {
		began := time.Now()
		if err := c.Ping(ctx); err != nil {
			return err
		}
		raw, err := marshal(pingResult{Seq: seq, Method: method, Time: milliseconds(time.Since(began))})
		if err != nil {
			return err
		}
		if err := r.printer.JSON(ctx, raw); err != nil {
			return err
		}
		if seq == p.Count {
			return r.printer.Status()
		}
		select {
		case <-time.After(time.Duration(p.Interval)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
