package demo

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Keys of _meta that the stateless era defines.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// metaOf reads params._meta; nil when there is none.
func metaOf(m *message) map[string]json.RawMessage {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if decodeParams(m.Params, &p) != nil {
		return nil
	}
	return p.Meta
}

// speaksStateless reports whether a message is of the stateless era, by its
// metadata or by a method that only this era has.
func speaksStateless(m *message) bool {
	switch m.method() {
	case "server/discover", "subscriptions/listen":
		return true
	}
	_, ok := metaOf(m)[metaVersion]
	return ok
}

// openStateless checks the metadata of a request and makes it a call.
func (s *Server) openStateless(m *message) (*call, error) {
	meta := metaOf(m)
	var version string
	if err := metaMember(meta, metaVersion, "string", &version); err != nil {
		return nil, err
	}
	r, ok := rulesFor(version)
	if !ok || !r.stateless {
		return nil, &rpcError{Code: codeVersion, Message: "unsupported protocol version",
			Data: map[string]any{"supported": allVersions(), "requested": version}}
	}
	c := &call{server: s, rules: r, params: m.Params, id: m.ID, level: noLogs}
	if err := metaMember(meta, metaCapabilities, "object", &c.client); err != nil {
		return nil, err
	}
	if meta[metaClientInfo] != nil {
		var info struct{ Name, Version *string }
		if err := metaMember(meta, metaClientInfo, "object", &info); err != nil {
			return nil, err
		}
		if info.Name == nil || info.Version == nil {
			return nil, rpcErrorf(codeInvalidParams, "_meta[%q] needs name and version", metaClientInfo)
		}
	}
	if meta[metaLogLevel] != nil {
		var level string
		err := metaMember(meta, metaLogLevel, "string", &level)
		if err == nil {
			c.level, err = parseLevel(level)
		}
		if err != nil {
			return nil, err
		}
	}
	if token := meta["progressToken"]; token != nil {
		if _, ok := idKey(token); !ok {
			return nil, rpcErrorf(codeInvalidParams, "progressToken must be a string or an integer")
		}
		c.token = token
	}
	return c, nil
}

// metaMember reads one required member of _meta.
func metaMember(meta map[string]json.RawMessage, key, kind string, into any) error {
	v, ok := meta[key]
	if !ok {
		return rpcErrorf(codeInvalidParams, "params._meta[%q] is missing", key)
	}
	if kindOf(v) != kind || json.Unmarshal(v, into) != nil {
		return rpcErrorf(codeInvalidParams, "params._meta[%q] is not a valid %s", key, kind)
	}
	return nil
}

// statelessHandler finds the handler of a method; nil for one that this era
// does not have.
func (s *Server) statelessHandler(method string) handler {
	switch method {
	case "server/discover":
		return discover
	case "subscriptions/listen":
		return listen
	}
	if h := extensionTaskHandler(method); h != nil {
		return h
	}
	return s.common(method)
}

type discoverResult struct {
	envelope
	Versions     []string       `json:"supportedVersions"`
	Capabilities map[string]any `json:"capabilities"`
	Instructions string         `json:"instructions"`
}

func discover(_ context.Context, c *call) (result, error) {
	res := &discoverResult{envelope: cacheable(3_600_000), Versions: allVersions(),
		Capabilities: c.server.capabilities(c.rules), Instructions: instructions}
	res.Meta = map[string]any{metaServerInfo: c.server.implementation(c.rules)}
	return res, nil
}

// keepAliveEvery is well below the minute after which proxies tend to cut an
// idle stream.
const keepAliveEvery = 15 * time.Second

// listen serves subscriptions/listen until the client or the server ends it.
func listen(ctx context.Context, c *call) (result, error) {
	var p struct {
		Notifications *struct {
			ToolsListChanged, PromptsListChanged, ResourcesListChanged bool
			ResourceSubscriptions, TaskIDs                             []string
		}
	}
	if err := decodeParams(c.params, &p); err != nil {
		return nil, err
	}
	if p.Notifications == nil {
		return nil, rpcErrorf(codeInvalidParams, "params.notifications is missing")
	}
	meta := map[string]any{metaSubscription: c.id}
	// The lists never change, so only resources can be agreed to.
	agreed := map[string]any{}
	wanted := make(map[string]bool)
	var uris []string
	for _, uri := range p.Notifications.ResourceSubscriptions {
		if _, _, ok := c.server.read(uri); ok && !wanted[uri] {
			wanted[uri] = true
			uris = append(uris, uri)
		}
	}
	if uris != nil {
		agreed["resourceSubscriptions"] = uris
	}
	ids, err := c.agreedTasks(p.Notifications.TaskIDs)
	if err != nil {
		return nil, err
	}
	if ids != nil {
		agreed["taskIds"] = ids
	}
	// Watch before the acknowledgement: whoever reads it may rely on hearing
	// of every later change.
	box := newMailbox()
	defer c.server.changes.watch(box.put)()
	tasks := newMailbox()
	defer c.server.tasks.watch(tasks.put)()
	c.notify("notifications/subscriptions/acknowledged", map[string]any{"_meta": meta, "notifications": agreed})

	idle := time.NewTicker(keepAliveEvery)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errCancelled) {
				return nil, errCancelled
			}
			if c.header == nil {
				// Without a stream of its own to close, a subscription is
				// taken back by name as well.
				c.notify("notifications/cancelled", map[string]any{"requestId": c.id, "reason": "the server is stopping"})
			}
			return &empty{envelope{Meta: meta}}, nil
		case <-box.wake:
			for _, uri := range box.take() {
				if wanted[uri] {
					c.notify("notifications/resources/updated", map[string]any{"_meta": meta, "uri": uri})
				}
			}
		case <-tasks.wake:
			for _, id := range tasks.take() {
				if slices.Contains(ids, id) {
					c.tellTask(id, meta)
				}
			}
		case <-idle.C:
			if c.keepAlive != nil {
				c.keepAlive()
			}
		}
	}
}
