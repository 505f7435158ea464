package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// Error codes of 2026-07-28 (basic/index, error codes). Any of them shows that
// a server is of the stateless era.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// Names in _meta (2026-07-28, basic/index).
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// stateless is the era of 2026-07-28: no handshake, and everything a server
// has to know stands in the metadata of each request.
type stateless struct {
	chosen string
	meta   rawjson.Object
}

func newStateless(version string, o *Options) (*stateless, error) {
	info, err := json.Marshal(o.Client)
	if err != nil {
		return nil, err
	}
	e := &stateless{chosen: version}
	e.meta = e.meta.Set(metaVersion, rawjson.Quote(version))
	e.meta = e.meta.Set(metaClientInfo, info)
	e.meta = e.meta.Set(metaCapabilities, o.Handlers.capabilities(version, o.Extensions))
	if o.LogLevel != "" {
		e.meta = e.meta.Set(metaLogLevel, rawjson.Quote(o.LogLevel))
	}
	return e, nil
}

func (e *stateless) version() string    { return e.chosen }
func (e *stateless) features() features { return featuresOf(e.chosen) }

func (e *stateless) complete(out *transport.Outgoing, meta rawjson.Object) error {
	all := append(rawjson.Object{}, e.meta...)
	for _, m := range meta {
		all = all.Set(m.Key, m.Value)
	}
	params, err := setMeta(out.Params, all)
	if err != nil {
		return err
	}
	header := e.notification(out.Method)
	if name, ok := nameOf(out.Method, params); ok {
		header.Set("Mcp-Name", encodeHeader(name))
	}
	for k, v := range out.Header {
		header[k] = v
	}
	out.Params, out.Header, out.Cancel = params, header, transport.CancelStateless
	return nil
}

func (e *stateless) header() http.Header {
	return http.Header{http.CanonicalHeaderKey(versionHeader): {e.chosen}}
}

func (e *stateless) notification(method string) http.Header {
	return http.Header{"Mcp-Method": {encodeHeader(method)}}
}

func (e *stateless) resultType(said json.RawMessage) string {
	if said == nil {
		return resultComplete // older servers leave it out
	}
	if s, ok := rawjson.Unquote(said); ok {
		return s
	}
	return string(said)
}

func (e *stateless) declared() json.RawMessage {
	raw, _ := e.meta.Get(metaCapabilities)
	return raw
}

func (e *stateless) tasks() taskDialect { return extensionTasks{} }

func (e *stateless) capability(method string) []string {
	switch method {
	case methodTaskGet, methodTaskUpdate, methodTaskCancel:
		return []string{"extensions", TasksExtension}
	}
	return capabilityOf(method)
}

// nameOf gives what Mcp-Name mirrors (2026-07-28, basic/transports).
func nameOf(method string, params json.RawMessage) (string, bool) {
	key := ""
	switch method {
	case "tools/call", "prompts/get":
		key = "name"
	case "resources/read":
		key = "uri"
	case "tasks/get", "tasks/update", "tasks/cancel":
		key = "taskId"
	default:
		return "", false
	}
	object, err := rawjson.ParseObject(params)
	if err != nil {
		return "", false
	}
	raw, _ := object.Get(key)
	return rawjson.Unquote(raw)
}

// discover asks a server what it is. ctx decides how long a silent one is
// waited for; the server is not told when that is over, because it may be one
// that knows nothing of all this yet.
func discover(ctx context.Context, conn transport.Conn, e *stateless) (json.RawMessage, error) {
	out := &transport.Outgoing{Method: methodDiscover}
	if err := e.complete(out, nil); err != nil {
		return nil, err
	}
	out.Cancel = transport.CancelSilent
	// The header goes with the request: the era is not chosen yet.
	for k, v := range e.header() {
		out.Header[k] = v
	}
	m, err := conn.Call(ctx, out)
	if err != nil {
		return nil, err
	}
	if m.Error != nil {
		return nil, m.Error
	}
	return m.Result, nil
}

// readDiscovery reads the result of server/discover.
func readDiscovery(e *stateless, raw json.RawMessage) (*ServerInfo, error) {
	const method = methodDiscover
	var r struct {
		ResultType        json.RawMessage            `json:"resultType"`
		SupportedVersions []string                   `json:"supportedVersions"`
		Capabilities      json.RawMessage            `json:"capabilities"`
		Instructions      json.RawMessage            `json:"instructions"`
		Meta              map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &r); err != nil || r.SupportedVersions == nil {
		return nil, &ProtocolError{Method: method, Reason: "it names no supportedVersions", Err: err}
	}
	if kind := e.resultType(r.ResultType); kind != resultComplete {
		return nil, unknownResultType(method, kind)
	}
	return &ServerInfo{
		ProtocolVersion:   e.chosen,
		Era:               Stateless,
		SupportedVersions: r.SupportedVersions,
		ServerInfo:        r.Meta[metaServerInfo],
		Capabilities:      r.Capabilities,
		Instructions:      r.Instructions,
	}, nil
}

// isModern reports whether an error is one that only a server of the stateless
// era gives.
func isModern(e *jsonrpc.Error) bool {
	switch e.Code {
	case codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return true
	}
	return false
}

func isModernError(err error) bool {
	var rpc *jsonrpc.Error
	return errors.As(err, &rpc) && isModern(rpc)
}
