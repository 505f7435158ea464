package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/transport"
)

// mapCache is a Cache in memory.
type mapCache struct{ sync.Map }

func (c *mapCache) Get(key string) ([]byte, bool) {
	v, ok := c.Load(key)
	if !ok {
		return nil, false
	}
	return v.([]byte), true
}

func (c *mapCache) Put(key string, value []byte) { c.Store(key, value) }
func (c *mapCache) Delete(key string)            { c.Map.Delete(key) }

// nearServer is an HTTP server without a network, so that it works where time
// is made up. It remembers what it is sent.
type nearServer struct {
	answer func(w http.ResponseWriter, p posted)
	mu     sync.Mutex
	seen   []string
}

func (s *nearServer) RoundTrip(req *http.Request) (*http.Response, error) {
	p := posted{header: req.Header, verb: req.Method}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &p.sent)
		}
		if err != nil {
			return nil, err
		}
	}
	var params struct{ Cursor, URI, Name string }
	_ = json.Unmarshal(p.Params, &params) // there may be none
	line := strings.TrimSpace(p.String() + " " + params.Cursor + params.URI + params.Name)
	s.mu.Lock()
	s.seen = append(s.seen, line)
	s.mu.Unlock()
	w := httptest.NewRecorder()
	if p.ID == nil {
		w.WriteHeader(http.StatusAccepted)
	} else {
		s.answer(w, p)
	}
	return w.Result(), nil
}

// took gives what was sent since it was last asked.
func (s *nearServer) took() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := strings.Join(s.seen, ", ")
	s.seen = nil
	return line
}

// run opens a session, does something, and tells what was sent.
func (s *nearServer) run(t *testing.T, o Options, do func(context.Context, *Client) error) string {
	t.Helper()
	ctx := context.Background()
	c, err := Connect(ctx, transport.HTTP{URL: "http://near.test/mcp", RoundTripper: s}, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := do(ctx, c); err != nil {
		t.Error(err)
	}
	if err := c.Close(ctx); err != nil {
		t.Error(err)
	}
	return s.took()
}

// remembering are options with a cache.
func remembering(c Cache) Options { return Options{Cache: c, Identity: Identity{Server: "near"}} }

// keptFor is a result with what says how long it holds.
func keptFor(ms int, scope, members string) string {
	return fmt.Sprintf(`{"resultType":"complete","ttlMs":%d,"cacheScope":%q,%s}`, ms, scope, members)
}

const aboutServer = `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{}},"_meta":{}`

// statelessAnswer answers everything with what may be kept for a minute.
func statelessAnswer(w http.ResponseWriter, p posted) {
	const minute = 60_000
	switch p.Method {
	case "server/discover":
		result(w, p, keptFor(minute, "public", aboutServer))
	case "tools/list":
		result(w, p, keptFor(minute, "public", `"tools":[{"name":"add","inputSchema":{"type":"object"}}]`))
	case "resources/read":
		result(w, p, keptFor(minute, "public", `"contents":[]`))
	case "resources/list":
		result(w, p, keptFor(minute, "public", `"resources":[]`))
	case "prompts/list":
		result(w, p, keptFor(minute, "public", `"prompts":[]`))
	case "resources/templates/list":
		result(w, p, keptFor(minute, "public", `"resourceTemplates":[]`))
	default:
		result(w, p, keptFor(minute, "public", `"content":[]`))
	}
}

// callAdd does what a call of a tool takes.
func callAdd(ctx context.Context, c *Client) error {
	tool, err := c.Tool(ctx, "add")
	if err == nil {
		_, err = c.CallTool(ctx, &Call{Name: "add", Tool: tool})
	}
	return err
}

func readOne(ctx context.Context, c *Client) error {
	_, err := c.Do(ctx, &Request{Method: "resources/read", Params: json.RawMessage(`{"uri":"a:1"}`)})
	return err
}

func list(l List) func(context.Context, *Client) error {
	return func(ctx context.Context, c *Client) error {
		for _, err := range c.Pages(ctx, l, nil) {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// A call to a server that is known is one round trip, a list none.
func TestCacheRoundTrips(t *testing.T) {
	s := newHTTPServer(t, statelessAnswer)
	cache := new(mapCache)
	var used []string
	o := remembering(cache)
	o.Cached = func(u CacheUse) { used = append(used, u.Method) }
	run := func(o Options, do func(context.Context, *Client) error) []string {
		before := len(s.requests())
		c, err := s.connect(t, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := do(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		return s.names()[before:]
	}
	cold := []string{"server/discover", "tools/list", "tools/call"}
	if diff := cmp.Diff(cold, run(o, callAdd)); diff != "" {
		t.Errorf("cold (-want +got):\n%s", diff)
	}
	used = nil
	if diff := cmp.Diff([]string{"tools/call"}, run(o, callAdd)); diff != "" {
		t.Errorf("warm (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"server/discover", "tools/list"}, used); diff != "" {
		t.Errorf("told of the cache (-want +got):\n%s", diff)
	}
	if got := run(o, list(ListTools)); len(got) != 0 {
		t.Errorf("a list that is known took %v", got)
	}
	o.Refresh = true
	if diff := cmp.Diff(cold, run(o, callAdd)); diff != "" {
		t.Errorf("refresh (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cold, run(Options{}, callAdd)); diff != "" {
		t.Errorf("without (-want +got):\n%s", diff)
	}
}

// What is asked a second time, by what the answer said and what has changed.
func TestCacheRules(t *testing.T) {
	do := func(method, params string) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error {
			_, err := c.Do(ctx, &Request{Method: method, Params: rawOrNil(params)})
			var rpc *RPCError
			if errors.As(err, &rpc) {
				return nil
			}
			return err
		}
	}
	user := func(name string) func(*Options) {
		return func(o *Options) { o.Identity.Credentials = func() string { return name } }
	}
	answers := func(members string) func(http.ResponseWriter, posted) {
		return func(w http.ResponseWriter, p posted) {
			if p.Method == "server/discover" {
				statelessAnswer(w, p)
				return
			}
			result(w, p, members)
		}
	}
	contents := func(rest string) func(http.ResponseWriter, posted) { return answers(`{"contents":[]` + rest + `}`) }
	big := strings.Repeat("x", maxKeptAnswer)
	const read = "resources/read a:1"
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter, posted)
		first  func(*Options)
		second func(*Options)
		do     func(context.Context, *Client) error
		want   string // what the second session sends
	}{
		{"read", nil, nil, nil, readOne, ""},
		{"tools", nil, nil, nil, list(ListTools), ""},
		{"prompts", nil, nil, nil, list(ListPrompts), ""},
		{"resources", nil, nil, nil, list(ListResources), ""},
		{"templates", nil, nil, nil, list(ListTemplates), ""},
		{"calls are not kept", nil, nil, nil, do("tools/call", `{"name":"t"}`), "tools/call t"},
		{"nor prompts", nil, nil, nil, do("prompts/get", `{"name":"p"}`), "prompts/get p"},
		{"ttl 0", contents(`,"ttlMs":0,"cacheScope":"public"`), nil, nil, readOne, read},
		{"ttl less than 0", contents(`,"ttlMs":-1,"cacheScope":"public"`), nil, nil, readOne, read},
		{"no ttl", contents(`,"cacheScope":"public"`), nil, nil, readOne, read},
		{"ttl that is no number", contents(`,"ttlMs":"60000","cacheScope":"public"`), nil, nil, readOne, read},
		{"ttl null", contents(`,"ttlMs":null,"cacheScope":"public"`), nil, nil, readOne, read},
		{"huge ttl", contents(`,"ttlMs":1e300,"cacheScope":"public"`), nil, nil, readOne, ""},
		{"public for others", nil, user("a"), user("b"), readOne, ""},
		{"private for the same", contents(`,"ttlMs":60000,"cacheScope":"private"`), user("a"), user("a"), readOne, ""},
		{"private for others", contents(`,"ttlMs":60000,"cacheScope":"private"`), user("a"), user("b"), readOne, read},
		{"private without credentials", contents(`,"ttlMs":60000,"cacheScope":"private"`), user("a"), nil, readOne, read},
		{"no scope is private", contents(`,"ttlMs":60000`), user("a"), user("b"), readOne, read},
		{"an unknown scope is private", contents(`,"ttlMs":60000,"cacheScope":"all"`), user("a"), user("b"), readOne, read},
		{"another server", nil, nil, func(o *Options) { o.Identity.Server = "far" }, readOne, "server/discover, " + read},
		{"no identity", nil, nil, func(o *Options) { o.Identity.Server = "" }, readOne, "server/discover, " + read},
		{"other capabilities", nil, nil, func(o *Options) {
			o.Handlers.Sample = func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }
		}, readOne, "server/discover, " + read},
		{"other extensions", nil, nil, func(o *Options) { o.Extensions = []string{"example.com/x"} }, readOne, "server/discover, " + read},
		{"another parameter", nil, nil, nil, do("resources/read", `{"uri":"a:1","range":"1-2"}`), read},
		{"metadata", nil, nil, nil, do("resources/read", `{"uri":"a:1","_meta":{"x":1}}`), read},
		{"answers of input", nil, nil, nil, do("resources/read", `{"uri":"a:1","requestState":"s"}`), read},
		{"errors", func(w http.ResponseWriter, p posted) {
			if p.Method == "server/discover" {
				statelessAnswer(w, p)
				return
			}
			jsonBody(w, 200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"m","data":{"ttlMs":60000,"cacheScope":"public"}}}`, p.ID)
			// A session that stands on the cache asks again whether it may.
		}, nil, nil, do("resources/read", `{"uri":"a:1"}`), read + ", server/discover"},
		{"too large", contents(`,"ttlMs":60000,"cacheScope":"public","x":"` + big + `"`), nil, nil, readOne, read},
		{"a cursor out of nowhere", nil, nil, nil, do("tools/list", `{"cursor":"c"}`), "tools/list c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &nearServer{answer: c.answer}
			if s.answer == nil {
				s.answer = statelessAnswer
			}
			cache := new(mapCache)
			for i, change := range []func(*Options){c.first, c.second} {
				o := remembering(cache)
				if change != nil {
					change(&o)
				}
				got := s.run(t, o, c.do)
				if i == 0 && !strings.HasPrefix(got, "server/discover, ") {
					t.Errorf("at first: %s", got)
				}
				if i == 1 && got != c.want {
					t.Errorf("then: got %q, want %q", got, c.want)
				}
			}
		})
	}
}

// A result that input was given for is the answer to that input alone.
func TestCacheAfterInput(t *testing.T) {
	s := &nearServer{answer: func(w http.ResponseWriter, p posted) {
		switch {
		case p.Method == "server/discover":
			statelessAnswer(w, p)
		case strings.Contains(string(p.Params), "requestState"):
			result(w, p, keptFor(60_000, "public", `"contents":[]`))
		default:
			result(w, p, `{"resultType":"input_required","requestState":"s","ttlMs":60000,"cacheScope":"public"}`)
		}
	}}
	cache := new(mapCache)
	s.run(t, remembering(cache), readOne)
	const want = "resources/read a:1, resources/read a:1"
	if got := s.run(t, remembering(cache), readOne); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Credentials that change while a request is out: nobody knows whose answer it
// is.
func TestCacheCredentialsChange(t *testing.T) {
	user := "a"
	s := &nearServer{answer: func(w http.ResponseWriter, p posted) {
		if p.Method == "server/discover" {
			statelessAnswer(w, p)
			return
		}
		user = "b"
		result(w, p, keptFor(60_000, "private", `"contents":[]`))
	}}
	o := remembering(new(mapCache))
	o.Identity.Credentials = func() string { return user }
	s.run(t, o, readOne)
	for _, user = range []string{"a", "b"} {
		if got, want := s.run(t, o, readOne), "resources/read a:1"; user == "b" && got == "" || got != want && got != "" {
			t.Errorf("%s: got %q, want %q", user, got, want)
		}
	}
}

// An answer that may not be kept any more takes out the one that was.
func TestCacheWithdrawn(t *testing.T) {
	ttl := 60_000
	s := &nearServer{answer: func(w http.ResponseWriter, p posted) {
		if p.Method == "server/discover" {
			statelessAnswer(w, p)
			return
		}
		result(w, p, keptFor(ttl, "public", `"contents":[]`))
	}}
	o := remembering(new(mapCache))
	s.run(t, o, readOne)
	ttl = 0
	o.Refresh = true
	s.run(t, o, readOne)
	o.Refresh = false
	if got := s.run(t, o, readOne); got != "resources/read a:1" {
		t.Errorf("got %q", got)
	}
}

func TestCacheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &nearServer{answer: statelessAnswer}
		o := remembering(new(mapCache))
		o.Cached = func(u CacheUse) {
			if u.Age < 0 || u.Age >= time.Minute {
				t.Errorf("%s is %s old", u.Method, u.Age)
			}
		}
		const ask = "server/discover, resources/read a:1"
		for _, step := range []struct {
			wait time.Duration
			want string
		}{{0, ask}, {0, ""}, {time.Minute - 1, ""}, {1, ask}, {time.Minute - 1, ""}} {
			time.Sleep(step.wait) // of the bubble's clock
			if got := s.run(t, o, readOne); got != step.want {
				t.Errorf("after %s: got %q, want %q", step.wait, got, step.want)
			}
		}
	})
}

// Whatever stands in the cache: it is used as an answer, or not at all.
func FuzzKept(f *testing.F) {
	f.Add([]byte("{\"asked\":1,\"received\":2,\"ttl\":3}\n{}"))
	f.Add([]byte("{}\n"))
	f.Add([]byte("null\nx"))
	f.Fuzz(func(t *testing.T, value []byte) {
		k, ok := decodeKept(value)
		if !ok {
			return
		}
		again, err := k.encode()
		if err != nil {
			t.Fatal(err)
		}
		if second, ok := decodeKept(again); !ok || !cmp.Equal(string(second.raw), string(k.raw)) || second.TTL != k.TTL {
			t.Errorf("%q became %q", value, again)
		}
	})
}
