// Floor is the least a client can do: it spawns or connects, writes fixed bytes,
// copies the answers to stdout as they arrive, and shuts down as mcpq does.
//
//	floor stateful|stateless stdio|http:HOST:PORT/PATH METHOD PARAMS [PAGES] [-- CMD ARG…]
//
// PARAMS are the members of params as text. With PAGES the request is repeated
// with the cursors of the benchmark's long list.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"mcpq/scripts/bench/answers"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// peer sends one message; where an answer is due it is copied to w.
type peer interface {
	exchange(message string, toStdout bool) error
	notify(message string) error
	close() error
}

func run(args []string) error {
	var command []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, command = args[:i], args[i+1:]
	}
	if len(args) < 4 {
		return fmt.Errorf("usage: see the package comment")
	}
	era, where, method, params := args[0], args[1], args[2], args[3]
	pages := 1
	if len(args) > 4 {
		n, err := strconv.Atoi(args[4])
		if err != nil {
			return err
		}
		pages = n
	}
	var p peer
	var err error
	if address, ok := strings.CutPrefix(where, "http:"); ok {
		p, err = dial(address)
	} else {
		p, err = spawn(command)
	}
	if err != nil {
		return err
	}
	if err := talk(p, era, method, params, pages); err != nil {
		return err
	}
	return p.close()
}

// meta is what the stateless era wants with every request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"floor","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func talk(p peer, era, method, params string, pages int) error {
	if era == "stateful" {
		if err := p.exchange(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}}`, false); err != nil {
			return err
		}
		if err := p.notify(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
			return err
		}
	}
	for i := range pages {
		members := []string{}
		if params != "" {
			members = append(members, params)
		}
		if i > 0 {
			members = append(members, `"cursor":"`+strconv.Itoa(i*answers.PageSize)+`"`)
		}
		if era == "stateless" {
			members = append(members, meta)
		}
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, i+1, method, strings.Join(members, ","))
		if err := p.exchange(message, true); err != nil {
			return err
		}
	}
	return nil
}
