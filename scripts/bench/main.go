// Bench measures mcpq against a floor: a raw driver that spawns or connects,
// writes fixed bytes, copies the answer to stdout as it arrives, and shuts down
// in the same way. It reports ratios of pairs run in turn, so that a busy machine
// disturbs both alike; it asserts nothing. Most servers are of its own and cost as
// little as they can, which makes the ratios harder than a user will see; those
// marked go-sdk are the example server of the official Go SDK.
//
//	go run ./scripts/bench [-quick] [-only TEXT] [-mcpq FILE]
//
// With -quick there are 5 pairs of each case, with -only just the cases whose name
// contains the text. With -mcpq that binary is measured instead of one built for
// it: run it for two binaries to see what a change has brought.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
)

func main() {
	quick := flag.Bool("quick", false, "5 pairs of each, and no more")
	only := flag.String("only", "", "only the cases whose name contains this `text`")
	mcpq := flag.String("mcpq", "", "measure this `binary` instead of building one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *quick, *only, *mcpq); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, quick bool, only, mcpq string) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	p, err := build(ctx, dir, mcpq)
	if err != nil {
		return err
	}
	address, end, err := startHTTPPeer(ctx, p.httpPeer)
	if err != nil {
		return err
	}
	defer end()

	info, err := os.Stat(p.mcpq)
	if err != nil {
		return err
	}
	fmt.Printf("binary: %.1f MB stripped (must: at most 14)\n", float64(info.Size())/1e6)
	fmt.Printf("peaks below %.0f MB cannot be told apart: a child begins with this program's\n\n", ownPeak())

	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	// Errors of the table show when it is flushed.
	_, _ = fmt.Fprintln(table, "case\tpairs\tmcpq ms\tfloor ms\twall\tcpu\tmcpq MB\tfloor MB\tmust\t")
	failed := 0
	batch, err := batchCases(p, dir)
	if err != nil {
		return err
	}
	for _, c := range append(cases(p, address), batch...) {
		if !strings.Contains(c.name, only) {
			continue
		}
		pairs := c.pairs
		if quick {
			pairs = 5
		}
		r, err := measure(ctx, dir, c, pairs)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", c.name, err)
			continue
		}
		_, _ = fmt.Fprintf(table, "%s\t%d\t%.1f\t%.1f\t%.2f\t%.2f\t%.1f\t%.1f\t%s\t\n",
			c.name, pairs, r.wallA, r.wallB, r.wallRatio, r.cpuRatio, r.peakA, r.peakB, c.must)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Println("\nwall and cpu are medians of the ratios of the pairs; cpu is user and system time,\nand the peak the largest, of the client and the stdio server it started.")
	if failed > 0 {
		return fmt.Errorf("%d cases could not be measured", failed)
	}
	return nil
}
