package main

import (
	"cmp"
	"strconv"

	"mcpq/scripts/bench/answers"
)

// benchCase is a pair of command lines that do the same.
type benchCase struct {
	name        string
	pairs       int
	mcpq, floor []string
	// least is how many bytes both must print for the case to count.
	least int
	must  string
}

const pages = answers.Tools / answers.PageSize

// cases lists what is measured, with what the design asks for beside it.
func cases(p *programs, address string) []benchCase {
	list := []benchCase{{
		name: "start-up", pairs: 40,
		mcpq: []string{p.mcpq, "version"}, floor: []string{p.empty},
		must: "1.5x, 12 MB",
	}}
	for _, era := range []string{"stateful", "stateless"} {
		version := map[string]string{"stateful": "2025-11-25", "stateless": "2026-07-28"}[era]
		stdio := pair{p: p, era: era, version: version}
		sdk := pair{p: p, era: era, version: version, server: p.sdkServer}
		http := pair{p: p, era: era, version: version, address: address}
		list = append(list,
			stdio.of("list-tools", 30, "1.1x", 100, "tools/list", "", 1, "list-tools"),
			stdio.call("call", 30, "1.1x", 10),
			http.of("list-tools", 30, "1.15x", 100, "tools/list", "", 1, "list-tools"),
			http.call("call", 30, "1.15x", 10),
			stdio.call("1 MB text", 20, "1.2x", 1e6),
			http.call("1 MB text", 20, "1.2x", 1e6),
			stdio.call("50 MB text", 10, "1.5x, 24 MB", 50e6),
			http.call("50 MB text", 10, "1.5x, 24 MB", 50e6),
			stdio.long().of("10,000 tools", 10, "1.3x", answers.Tools*100, "tools/list", "", pages, "list-tools"),
			http.long().of("10,000 tools", 10, "1.3x", answers.Tools*100, "tools/list", "", pages, "list-tools"),
			// The ratios that users see: a real server takes its time, too.
			sdk.of("list-tools, go-sdk", 30, "1.1x", 100, "tools/list", "", 1, "list-tools"),
			sdk.of("call, go-sdk", 30, "1.1x", 10, "tools/call", `"name":"greet","arguments":{"name":"Ada"}`, 1, "call", "greet", "name=Ada"),
		)
	}
	// What a user gets who forces nothing: the era is found out, or remembered.
	auto := pair{p: p, era: "stateless"}
	autoHTTP := pair{p: p, era: "stateless", address: address}
	return append(list,
		auto.call("call, auto", 30, "1.1x", 10),
		autoHTTP.call("call, auto", 30, "1.15x", 10),
	)
}

// pair makes the two command lines for one transport and era.
type pair struct {
	p       *programs
	era     string
	version string // "" leaves it to mcpq
	address string // "" is stdio
	server  string // on stdio; "" is the benchmark's own
	isLong  bool
}

func (q pair) long() pair {
	q.isLong = true
	return q
}

func (q pair) call(name string, pairs int, must string, bytes int) benchCase {
	n := strconv.Itoa(bytes)
	return q.of(name, pairs, must, bytes, "tools/call", `"name":"text","arguments":{"bytes":`+n+`}`, 1,
		"call", "text", "bytes="+n)
}

func (q pair) of(name string, pairs int, must string, least int, method, params string, pages int, command ...string) benchCase {
	mcpq := append([]string{q.p.mcpq}, command...)
	if q.version != "" {
		mcpq = append(mcpq, "--protocol", q.version)
	}
	floor := []string{q.p.floor, q.era}
	where := "stdio"
	if q.address != "" {
		path := "/mcp"
		if q.isLong {
			path = "/long"
		}
		where = "http"
		mcpq = append(mcpq, "-s", "http://"+q.address+path)
		floor = append(floor, "http:"+q.address+path, method, params, strconv.Itoa(pages))
	} else {
		server := []string{"--", cmp.Or(q.server, q.p.stdioPeer)}
		if q.isLong {
			server = append(server, "long")
		}
		mcpq = append(mcpq, server...)
		floor = append(append(floor, "stdio", method, params, strconv.Itoa(pages)), server...)
	}
	return benchCase{
		name: name + ", " + where + ", " + q.era, pairs: pairs,
		mcpq: mcpq, floor: floor, least: least, must: must,
	}
}
