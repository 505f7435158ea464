package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpq/mcp/transport"
)

// statefulAnswer is a server that knows initialize and some methods after it.
func statefulAnswer(w http.ResponseWriter, p posted) {
	switch {
	case p.Method == "initialize":
		result(w, p, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`)
	case p.Method == "tools/list":
		result(w, p, `{"tools":[{"name":"add"}],"ttlMs":60000,"cacheScope":"public"}`)
	case p.Method == "server/discover" || p.header.Get("Mcp-Protocol-Version") == Version20260728:
		jsonBody(w, 400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Server not initialized"}}`, p.ID)
	default:
		result(w, p, `{"content":[]}`)
	}
}

const (
	greeting25 = "initialize, notifications/initialized"
	listAndAdd = ", tools/list, tools/call add"
)

// The era of a server is found out once in a while.
func TestBelief(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &nearServer{answer: statefulAnswer}
		o := remembering(new(mapCache))
		const probed = "server/discover, " + greeting25 + listAndAdd
		for _, step := range []struct {
			name string
			wait time.Duration
			set  func(*Options)
			want string
		}{
			{"first", 0, nil, probed},
			{"known", 0, nil, greeting25 + listAndAdd}, // no list of this era is kept
			{"still known", longestTTL - 1, nil, greeting25 + listAndAdd},
			{"too long ago", 1, nil, probed},
			{"refresh", 0, func(o *Options) { o.Refresh = true }, probed},
			{"no cache", 0, func(o *Options) { o.Cache = nil }, probed},
			{"another server", 0, func(o *Options) { o.Identity.Server = "far" }, probed},
			{"pinned", 0, func(o *Options) { o.Version = Version20250618 }, ""},
		} {
			time.Sleep(step.wait) // of the bubble's clock
			with := o
			if step.set != nil {
				step.set(&with)
			}
			if step.want == "" {
				if _, err := Connect(t.Context(), transport.HTTP{URL: "http://near.test", RoundTripper: s}, with); err == nil {
					t.Errorf("%s: no error", step.name)
				}
				s.took()
				continue
			}
			if got := s.run(t, with, callAdd); got != step.want {
				t.Errorf("%s: got %q, want %q", step.name, got, step.want)
			}
		}
	})
}

// A stateful server that is stateless now is found out on the way.
func TestBeliefStatefulFails(t *testing.T) {
	for name, refusal := range map[string]func(http.ResponseWriter, posted){
		"error": func(w http.ResponseWriter, p posted) {
			jsonBody(w, 404, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, p.ID)
		},
		"version": func(w http.ResponseWriter, p posted) {
			jsonBody(w, 400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}`, p.ID)
		},
		"status": func(w http.ResponseWriter, p posted) { w.WriteHeader(405) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &nearServer{answer: statefulAnswer}
			o := remembering(new(mapCache))
			s.run(t, o, callAdd)
			s.answer = func(w http.ResponseWriter, p posted) {
				if p.Method == "initialize" {
					refusal(w, p)
					return
				}
				statelessAnswer(w, p)
			}
			if got, want := s.run(t, o, callAdd), "initialize, server/discover"+listAndAdd; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if got, want := s.run(t, o, callAdd), "tools/call add"; got != want {
				t.Errorf("after it: got %q, want %q", got, want)
			}
		})
	}
}

// A stateless server that is something else now: what it is is found out once,
// and a call is never made twice that may have been begun.
func TestBeliefStatelessFails(t *testing.T) {
	rpc := func(status, code int) func(http.ResponseWriter, posted) {
		return func(w http.ResponseWriter, p posted) {
			jsonBody(w, status, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"m","data":{"supported":["2025-11-25"]}}}`, p.ID, code)
		}
	}
	text := func(status int) func(http.ResponseWriter, posted) {
		return func(w http.ResponseWriter, _ posted) { w.WriteHeader(status) }
	}
	const found = "tools/call add, server/discover, " + greeting25
	for _, c := range []struct {
		name    string
		refusal func(http.ResponseWriter, posted)
		want    string
		fails   bool
	}{
		{"400 in words", text(400), found + ", tools/call add", false},
		{"404", text(404), found + ", tools/call add", false},
		{"400 and an error", rpc(400, -32000), found + ", tools/call add", false},
		{"invalid request", rpc(200, -32600), found + ", tools/call add", false},
		{"invalid params", rpc(200, -32602), found + ", tools/call add", false},
		{"not initialized", rpc(200, -32002), found + ", tools/call add", false},
		{"version", rpc(400, -32022), "tools/call add, " + greeting25 + ", tools/call add", false},
		{"internal error", rpc(200, -32603), found, true},
		{"500", text(500), found, true},
		{"an error of the tool's own", rpc(200, 7), found, true},
		{"not allowed", text(403), "tools/call add", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &nearServer{answer: statelessAnswer}
			o := remembering(new(mapCache))
			s.run(t, o, callAdd)
			s.answer = func(w http.ResponseWriter, p posted) {
				if p.Method == "tools/call" && p.header.Get("Mcp-Protocol-Version") == Version20260728 {
					c.refusal(w, p)
					return
				}
				statefulAnswer(w, p)
			}
			got := s.run(t, o, func(ctx context.Context, client *Client) error {
				if err := callAdd(ctx, client); (err != nil) != c.fails {
					return fmt.Errorf("got the error %v", err)
				}
				return nil
			})
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if strings.Contains(c.want, "initialize") {
				if got := s.run(t, o, callAdd); got != greeting25+listAndAdd {
					t.Errorf("after it: %q", got)
				}
			}
		})
	}
}

// What the cache says that a server does not offer is asked about again.
func TestBeliefCapability(t *testing.T) {
	s := &nearServer{answer: func(w http.ResponseWriter, p posted) {
		if p.Method == "server/discover" {
			result(w, p, keptFor(60_000, "public", `"supportedVersions":["2026-07-28"],"capabilities":{"resources":{}}`))
			return
		}
		statelessAnswer(w, p)
	}}
	o := remembering(new(mapCache))
	s.run(t, o, readOne)
	lacks := func(ctx context.Context, c *Client) error {
		var missing *CapabilityError
		if err := list(ListTools)(ctx, c); !errors.As(err, &missing) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	}
	if got := s.run(t, o, lacks); got != "server/discover" {
		t.Errorf("still without: %q", got)
	}
	s.answer = statelessAnswer
	if got := s.run(t, o, list(ListTools)); got != "server/discover, tools/list" {
		t.Errorf("got it since: %q", got)
	}
}

// A server that is gone fails the way it does without a cache: no session.
func TestBeliefServerGone(t *testing.T) {
	s := &nearServer{answer: statelessAnswer}
	o := remembering(new(mapCache))
	s.run(t, o, callAdd)
	s.answer = func(w http.ResponseWriter, _ posted) { w.WriteHeader(503) }
	s.run(t, o, func(ctx context.Context, c *Client) error {
		var failed *HandshakeError
		if err := callAdd(ctx, c); !errors.As(err, &failed) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	})
}

// A server process that does not bear to be probed is started once from the
// second time on.
func TestBeliefProcess(t *testing.T) {
	o := remembering(new(mapCache))
	for i, starts := range []int{2, 1} {
		var stderr strings.Builder
		c, err := Connect(t.Context(), transport.Command{
			Args: []string{os.Args[0]}, Env: append(os.Environ(), asServer+"=1"), Stderr: &stderr,
		}, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if got := strings.Count(stderr.String(), "started"); got != starts {
			t.Errorf("run %d: %d starts instead of %d", i+1, got, starts)
		}
	}
}
