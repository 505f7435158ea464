package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// sample is one run of a program.
type sample struct {
	wall, cpu time.Duration
	peak      float64 // MB
}

// result sums up the pairs of a case: A is mcpq, B the floor.
type result struct {
	wallA, wallB        float64 // ms, medians
	wallRatio, cpuRatio float64 // medians of the ratios
	peakA, peakB        float64 // MB, the largest
}

const warmUps = 2

func measure(ctx context.Context, dir string, c benchCase, pairs int) (result, error) {
	var wallA, wallB, wallRatio, cpuRatio []float64
	var r result
	for i := range warmUps + pairs {
		a, err := once(ctx, dir, c.mcpq, c.least)
		if err != nil {
			return r, err
		}
		b, err := once(ctx, dir, c.floor, c.least)
		if err != nil {
			return r, err
		}
		if i < warmUps {
			continue
		}
		wallA = append(wallA, ms(a.wall))
		wallB = append(wallB, ms(b.wall))
		wallRatio = append(wallRatio, ms(a.wall)/ms(b.wall))
		if b.cpu > 0 {
			cpuRatio = append(cpuRatio, ms(a.cpu)/ms(b.cpu))
		}
		r.peakA, r.peakB = max(r.peakA, a.peak), max(r.peakB, b.peak)
	}
	r.wallA, r.wallB = median(wallA), median(wallB)
	r.wallRatio, r.cpuRatio = median(wallRatio), median(cpuRatio)
	return r, nil
}

// once runs a program from start to exit, its output read from a pipe.
func once(ctx context.Context, dir string, args []string, least int) (sample, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	// Nothing of the user's must be read or written; the cache is kept from run to
	// run, as it would be.
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "XDG_CACHE_HOME=" + dir}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return sample{}, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	n, copyErr := io.Copy(io.Discard, out)
	err = cmd.Wait()
	wall := time.Since(start)
	switch {
	case err != nil:
		return sample{}, fmt.Errorf("%v: %w: %s", args, err, bytes.TrimSpace(stderr.Bytes()))
	case copyErr != nil:
		return sample{}, copyErr
	case n < int64(least):
		return sample{}, fmt.Errorf("%v printed %d bytes, want at least %d", args, n, least)
	}
	state := cmd.ProcessState
	return sample{wall: wall, cpu: state.UserTime() + state.SystemTime(), peak: peakOf(state)}, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
