package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
)

// Options configures a [Server]. The zero value works.
type Options struct {
	// Version is the server version told to clients; "dev" when empty.
	Version string
}

const (
	serverName   = "mcpq-demo"
	instructions = "A small server to try things on. Start with the echo and add tools, the demo://readme resource and the greet prompt. Nothing here reaches outside the process."
)

// Server is a demo server. One Server may serve many streams and HTTP clients
// at once; the configuration that the touch tool changes is common to them.
type Server struct {
	version  string
	tools    func() []tool
	stateKey func() []byte // signs requestState; made when first needed
	changes  changes
	sessions sessions
	tasks    taskStore // of the stateless era

	// alive ends with Close. It is kept here because what it ends (sessions,
	// event streams) outlives the request that started it.
	alive context.Context
	end   context.CancelFunc
}

// New returns a server that is ready to serve.
func New(o Options) *Server {
	s := &Server{version: o.Version}
	if s.version == "" {
		s.version = "dev"
	}
	s.tools = sync.OnceValue(toolTable)
	s.stateKey = sync.OnceValue(func() []byte {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails: crypto/rand ends the process instead
		return key
	})
	s.alive, s.end = context.WithCancel(context.Background())
	return s
}

// Close ends every stream and HTTP session, and returns when the sessions' calls
// have ended. Requests that come later are refused. It is safe to call twice.
func (s *Server) Close() error {
	s.end()
	s.sessions.closeAll()
	s.tasks.close()
	return nil
}

// implementation describes the server as far as the version knows how.
func (s *Server) implementation(r rules) map[string]any {
	info := map[string]any{"name": serverName, "version": s.version}
	if r.titles {
		info["title"] = "Demo server"
	}
	if r.icons {
		info["description"] = "Tools, resources and prompts to try a client on"
		info["icons"] = icons()
	}
	return info
}

// capabilities tells what is served, and nothing else.
func (s *Server) capabilities(r rules) map[string]any {
	c := map[string]any{
		"tools":     struct{}{},
		"prompts":   struct{}{},
		"resources": map[string]bool{"subscribe": true},
		"logging":   struct{}{},
	}
	if r.completions {
		c["completions"] = struct{}{}
	}
	switch {
	case r.tasks:
		c["tasks"] = map[string]any{"list": struct{}{}, "cancel": struct{}{},
			"requests": map[string]any{"tools": map[string]any{"call": struct{}{}}}}
	case r.stateless:
		c["extensions"] = map[string]any{tasksExtension: struct{}{}}
	}
	return c
}

// common returns the handler of a method that both eras have.
func (s *Server) common(method string) handler {
	switch method {
	case "tools/list":
		return listTools
	case "tools/call":
		return callTool
	case "resources/list":
		return listResources
	case "resources/templates/list":
		return listTemplates
	case "resources/read":
		return readResource
	case "prompts/list":
		return listPrompts
	case "prompts/get":
		return getPrompt
	case "completion/complete":
		return complete
	}
	return nil
}

// answer runs a handler. The second value is false when the client took the
// request back and must not be answered.
func answer(ctx context.Context, c *call, h handler) (response, bool) {
	res, err := h(ctx, c)
	if err != nil {
		if errors.Is(context.Cause(ctx), errCancelled) {
			return response{}, false
		}
		if ctx.Err() != nil {
			err = rpcErrorf(codeInternal, "the server or the session is ending")
		}
		return response{id: c.id, err: asRPCError(err)}, true
	}
	if c.rules.stateless {
		c.server.seal(res)
	}
	return response{id: c.id, result: res}, true
}

// seal fills in what the stateless era wants on every result. The server is
// named in short: server/discover tells the rest.
func (s *Server) seal(res result) {
	e := res.wrap()
	if e.ResultType == "" {
		e.ResultType = "complete"
	}
	if e.freshFor != nil {
		e.TTL, e.CacheScope = e.freshFor, "public"
	}
	if e.Meta == nil {
		e.Meta = make(map[string]any, 1)
	}
	if e.Meta[metaServerInfo] == nil {
		e.Meta[metaServerInfo] = map[string]any{"name": serverName, "version": s.version}
	}
}

// runsLong reports whether a request may take a while, and so must not hold up
// the reading of the next message.
func (s *Server) runsLong(m *message) bool {
	switch m.method() {
	case "subscriptions/listen", "tasks/result":
		return true
	case "tools/call":
		var p struct{ Name string }
		if decodeParams(m.Params, &p) != nil {
			return false
		}
		t := s.tool(p.Name)
		return t != nil && t.runsLong
	}
	return false
}
