package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// batchCalls is how many calls are made over one session.
const batchCalls = 10_000

// batchCases measure many calls over one session on stdio against a driver that
// writes the same requests without waiting for answers. The design asks for 0.6
// of its rate, which is 1.67 of its time.
func batchCases(p *programs, dir string) ([]benchCase, error) {
	operations := filepath.Join(dir, "operations.ndjson")
	if err := writeOperations(operations, batchCalls); err != nil {
		return nil, err
	}
	var list []benchCase
	for _, jobs := range []string{"16", "64"} {
		list = append(list, benchCase{
			name: "run-" + strconv.Itoa(batchCalls) + ", -j " + jobs, pairs: 10,
			mcpq:  []string{p.mcpq, "run", operations, "-j", jobs, "--protocol", "2025-11-25", "--", p.stdioPeer},
			floor: []string{p.pipeline, strconv.Itoa(batchCalls), "--", p.stdioPeer},
			least: batchCalls * 50, must: "1.67x",
		})
	}
	return list, nil
}

func writeOperations(name string, count int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := 1; i <= count && err == nil; i++ {
		_, err = fmt.Fprintf(w, `{"id":%d,"call":"text","arguments":{"bytes":10}}`+"\n", i)
	}
	if err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
