package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pagesAnswer gives a list of three pages, whose second one holds for 10 s.
func pagesAnswer(w http.ResponseWriter, p posted) {
	var params struct{ Cursor string }
	_ = json.Unmarshal(p.Params, &params) // there may be none
	switch {
	case p.Method == "server/discover":
		result(w, p, keptFor(3_600_000, "public", aboutServer))
	case params.Cursor == "":
		result(w, p, keptFor(60_000, "public", `"tools":[{"name":"a"}],"nextCursor":"2"`))
	case params.Cursor == "2":
		result(w, p, keptFor(10_000, "private", `"tools":[{"name":"b"}],"nextCursor":"3"`))
	default:
		result(w, p, keptFor(60_000, "public", `"tools":[{"name":"c"}]`))
	}
}

// Every page has its own clock, and goes with the first page that led to it.
func TestCachePages(t *testing.T) {
	const all = "tools/list, tools/list 2, tools/list 3"
	names := func(want string) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error {
			got := ""
			for page, err := range c.Pages(ctx, ListTools, nil) {
				if err != nil {
					return err
				}
				for _, item := range page.Items() {
					got += string(item)
				}
			}
			if got != want {
				return fmt.Errorf("the list is %s", got)
			}
			return nil
		}
	}
	const abc = `{"name":"a"}{"name":"b"}{"name":"c"}`
	synctest.Test(t, func(t *testing.T) {
		s := &nearServer{answer: pagesAnswer}
		o := remembering(new(mapCache))
		for _, step := range []struct {
			wait time.Duration
			want string
		}{
			{0, "server/discover, " + all}, {0, ""},
			{20 * time.Second, "tools/list 2"}, {0, ""},
			{40 * time.Second, all}, {0, ""},
		} {
			time.Sleep(step.wait) // of the bubble's clock
			if got := s.run(t, o, names(abc)); got != step.want {
				t.Errorf("after %s: got %q, want %q", step.wait, got, step.want)
			}
		}
		// The server has another list now, and does not know the cursor.
		time.Sleep(20 * time.Second)
		s.answer = func(w http.ResponseWriter, p posted) {
			if strings.Contains(string(p.Params), "cursor") {
				jsonBody(w, 200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Invalid cursor"}}`, p.ID)
				return
			}
			if p.Method == "server/discover" {
				pagesAnswer(w, p)
				return
			}
			result(w, p, keptFor(60_000, "public", `"tools":[{"name":"z"}]`))
		}
		got := s.run(t, o, names(`{"name":"z"}`))
		if want := "tools/list 2, server/discover, tools/list"; got != want {
			t.Errorf("unknown cursor: got %q, want %q", got, want)
		}
	})
}

// A tool is looked for at the server before it is said not to be there, and its
// definition asked for anew when the server finds fault with the headers.
func TestCacheTool(t *testing.T) {
	s := &nearServer{answer: statelessAnswer}
	o := remembering(new(mapCache))
	s.run(t, o, callAdd)

	unknown := func(ctx context.Context, c *Client) error {
		_, err := c.Tool(ctx, "sub")
		var missing *UnknownToolError
		if !errors.As(err, &missing) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	}
	if got := s.run(t, o, unknown); got != "tools/list" {
		t.Errorf("unknown tool: %q", got)
	}

	const marked = `"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}}]`
	s.answer = func(w http.ResponseWriter, p posted) {
		switch {
		case p.Method == "tools/list":
			result(w, p, keptFor(60_000, "public", marked))
		case p.Method == "tools/call" && p.header.Get("Mcp-Param-A") == "":
			jsonBody(w, 400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"no header"}}`, p.ID)
		default:
			statelessAnswer(w, p)
		}
	}
	call := func(ctx context.Context, c *Client) error {
		tool, err := c.Tool(ctx, "add")
		if err == nil {
			_, err = c.CallTool(ctx, &Call{Name: "add", Tool: tool, Arguments: json.RawMessage(`{"a":"x"}`)})
		}
		return err
	}
	if got, want := s.run(t, o, call), "tools/call add, tools/list, tools/call add"; got != want {
		t.Errorf("header mismatch: got %q, want %q", got, want)
	}
	if got := s.run(t, o, call); got != "tools/call add" {
		t.Errorf("after it: %q", got)
	}
	// What the server does not like about the arguments may come of the
	// definition they were made for.
	s.answer = func(w http.ResponseWriter, p posted) {
		if p.Method == "tools/call" {
			jsonBody(w, 200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such argument"}}`, p.ID)
			return
		}
		statelessAnswer(w, p)
	}
	fails := func(ctx context.Context, c *Client) error {
		if call(ctx, c) == nil {
			return errors.New("no error")
		}
		return nil
	}
	if got, want := s.run(t, o, fails), "tools/call add, server/discover"; got != want {
		t.Errorf("bad arguments: got %q, want %q", got, want)
	}
	if got, want := s.run(t, o, fails), "tools/list, tools/call add, server/discover"; got != want {
		t.Errorf("after bad arguments: got %q, want %q", got, want)
	}
}

// A notification makes what it is about stale at once, for everybody.
func TestCacheNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &nearServer{answer: statelessAnswer}
		cache := new(mapCache)
		everything := func(ctx context.Context, c *Client) error {
			for _, l := range []List{ListTools, ListPrompts, ListResources, ListTemplates} {
				if err := list(l)(ctx, c); err != nil {
					return err
				}
			}
			return readOne(ctx, c)
		}
		s.run(t, remembering(cache), everything)
		for _, c := range []struct{ method, want string }{
			{"notifications/tools/list_changed", "tools/list"},
			{"notifications/prompts/list_changed", "prompts/list"},
			{"notifications/resources/list_changed", "resources/list, resources/templates/list"},
			{"notifications/resources/updated", "resources/read a:1"},
			{"notifications/progress", ""},
		} {
			time.Sleep(time.Second) // of the bubble's clock
			if got := s.run(t, remembering(cache), everything); got != "" {
				t.Errorf("before %s: %q", c.method, got)
			}
			other := remembering(cache)
			other.Extensions = []string{"example.com/x"}
			other.Identity.Credentials = func() string { return "somebody else" }
			for range 100 { // many at once are one
				newMemory(&other).changed(subjectOf(c.method))
			}
			time.Sleep(crowded) // of the bubble's clock
			if got := s.run(t, remembering(cache), everything); got != c.want {
				t.Errorf("%s: got %q, want %q", c.method, got, c.want)
			}
		}
	})
}

// Many changes in a row cost little, and none is missed.
func TestCacheManyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counter := &countingCache{Cache: new(mapCache)}
		o := remembering(counter)
		m := newMemory(&o)
		for range 1000 {
			time.Sleep(time.Millisecond) // of the bubble's clock
			asked := time.Now().UnixNano()
			m.changed(subjectTools)
			if !m.changedSince(subjectTools, asked) {
				t.Fatal("a change was missed")
			}
		}
		if counter.puts > 30 {
			t.Errorf("%d files were written in a second", counter.puts)
		}
	})
}

type countingCache struct {
	Cache
	puts int
}

func (c *countingCache) Put(key string, value []byte) {
	c.puts++
	c.Cache.Put(key, value)
}
