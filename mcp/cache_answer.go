package mcp

import (
	"encoding/json"

	"mcpq/internal/rawjson"
)

// discoverySlot is where the answer to server/discover is kept.
func discoverySlot(e era) slot {
	return slot{method: methodDiscover, parts: []string{e.version(), string(e.declared()), methodDiscover}}
}

// slotOf is where the answer to a request is kept; ok is false for one whose
// answer is not.
func slotOf(e era, r *Request) (s slot, ok bool) {
	declared := e.declared()
	if declared == nil || r.Unchecked || len(r.Header) > 0 {
		return slot{}, false
	}
	s.method = r.Method
	name := ""
	switch r.Method {
	case string(ListTools):
		s.subject = subjectTools
	case string(ListPrompts):
		s.subject = subjectPrompts
	case string(ListResources), string(ListTemplates):
		s.subject = subjectResources
	case "resources/read":
		s.subject, name = subjectContents, "uri"
	default:
		return slot{}, false
	}
	if name == "" && r.Params != nil {
		if name = "cursor"; r.root == "" {
			return slot{}, false // there is no telling which list it goes on with
		}
		s.subject = "" // it goes with its first page
	}
	value, ok := onlyParam(r.Params, name)
	s.parts = []string{e.version(), string(declared), r.Method, name, value, r.root}
	return s, ok
}

// onlyParam gives the one parameter of a request, a string; ok is false when
// there is another, or not this one. Without a name there must be none.
func onlyParam(params json.RawMessage, name string) (value string, ok bool) {
	if name == "" {
		return "", params == nil
	}
	object, err := rawjson.ParseObject(params)
	if err != nil || len(object) != 1 || object[0].Key != name {
		return "", false
	}
	return rawjson.Unquote(object[0].Value)
}

// keeping is a request whose answer may be in the cache, or come into it.
type keeping struct {
	client  *Client
	request *Request
	question
}

// keeping gives nil for a request whose answer is never kept.
func (c *Client) keeping(r *Request) *keeping {
	m := c.options.memory
	if m == nil {
		return nil
	}
	s := c.session.Load()
	if _, ok := slotOf(s.era, r); !ok || s.lacks(r) != nil {
		return nil
	}
	return &keeping{client: c, request: r}
}

// find gives the answer from the cache; nil if it is to be asked for.
func (k *keeping) find() *Result {
	if k == nil {
		return nil
	}
	m := k.client.options.memory
	if s, ok := slotOf(k.client.session.Load().era, k.request); ok && !k.request.fresh {
		if a := m.find(s); a != nil {
			return &Result{Raw: a.raw, cached: true, root: a.root()}
		}
	}
	k.question = m.ask()
	return nil
}

// keep puts the answer that came into the cache, if it says that it may be.
func (k *keeping) keep(s *session, res *Result) {
	if k == nil || res.Streamed {
		return
	}
	if at, ok := slotOf(s.era, k.request); ok {
		a := k.client.options.memory.keep(at, k.question, res.Raw, res.Member("ttlMs"), res.Member("cacheScope"))
		if a != nil {
			res.root = a.root()
		}
	}
}

// outdated takes a list out of the cache because of what a server said.
func (c *Client) outdated(l List) {
	if s, ok := slotOf(c.session.Load().era, &Request{Method: string(l)}); ok {
		c.options.memory.drop(s)
	}
}
