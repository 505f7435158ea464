package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"mcpq/internal/rawjson"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// stateful is the era of initialize: 2024-11-05 to 2025-11-25
// (basic/lifecycle of each).
type stateful struct {
	traits features
}

func newStateful(version string) *stateful {
	return &stateful{traits: featuresOf(version)}
}

func (e *stateful) version() string    { return e.traits.version }
func (e *stateful) features() features { return e.traits }

func (e *stateful) complete(out *transport.Outgoing, meta rawjson.Object) (err error) {
	out.Cancel = transport.CancelNotice
	out.Resume = true
	out.Params, err = setMeta(out.Params, meta)
	return err
}

func (e *stateful) header() http.Header {
	if !e.traits.httpHeader {
		return nil
	}
	return http.Header{http.CanonicalHeaderKey(versionHeader): {e.traits.version}}
}

func (e *stateful) notification(string) http.Header { return nil }

// resultType: results of this era have no kinds, and a member of that name
// means nothing.
func (e *stateful) resultType(json.RawMessage) string { return resultComplete }

func (e *stateful) declared() json.RawMessage { return nil }

func (e *stateful) tasks() taskDialect { return coreTasks{} }

func (e *stateful) capability(method string) []string {
	if method == "completion/complete" && !e.traits.completions {
		return nil // 2024-11-05 has the method and no capability for it
	}
	switch method {
	case string(ListTasks):
		return []string{"tasks", "list"}
	case methodTaskCancel:
		return []string{"tasks", "cancel"}
	case methodTaskGet, methodTaskResult:
		return []string{"tasks"}
	}
	return capabilityOf(method)
}

// initialize opens a session with the version offered; a server may answer
// with another. Only pinned insists on the one.
func initialize(ctx context.Context, conn transport.Conn, o *Options, offer string, pinned bool) (*ServerInfo, error) {
	const method = methodInitialize
	params, err := json.Marshal(struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Capabilities    json.RawMessage `json:"capabilities"`
		ClientInfo      Implementation  `json:"clientInfo"`
	}{offer, o.Handlers.capabilities(offer, nil), o.Client})
	if err != nil {
		return nil, err
	}
	m, err := conn.Call(ctx, &transport.Outgoing{Method: method, Params: params, Cancel: transport.CancelSilent})
	if err == nil && m.Error != nil {
		err = m.Error
	}
	wanted := []string{offer}
	if !pinned {
		wanted = StatefulVersions()
	}
	if err != nil {
		var rpc *jsonrpc.Error
		if errors.As(err, &rpc) {
			if supported := supportedVersions(rpc); supported != nil {
				return nil, &VersionError{Wanted: wanted, Supported: supported, Err: err}
			}
		}
		return nil, &HandshakeError{Method: method, Err: err}
	}
	var r struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Capabilities    json.RawMessage `json:"capabilities"`
		ServerInfo      json.RawMessage `json:"serverInfo"`
		Instructions    json.RawMessage `json:"instructions"`
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || r.ProtocolVersion == "" {
		return nil, &HandshakeError{Method: method, Err: &ProtocolError{Method: method, Reason: "it names no protocolVersion", Err: err}}
	}
	if !slices.Contains(wanted, r.ProtocolVersion) {
		return nil, &VersionError{Wanted: wanted, Supported: []string{r.ProtocolVersion}}
	}
	return &ServerInfo{
		ProtocolVersion: r.ProtocolVersion,
		Era:             Stateful,
		ServerInfo:      r.ServerInfo,
		Capabilities:    r.Capabilities,
		Instructions:    r.Instructions,
	}, nil
}

// supportedVersions reads the data of a version error, of either era.
func supportedVersions(e *jsonrpc.Error) []string {
	if e.Code != codeUnsupportedVersion && e.Code != jsonrpc.CodeInvalidParams {
		return nil
	}
	var data struct {
		Supported []string `json:"supported"`
	}
	if json.Unmarshal(e.Data, &data) != nil {
		return nil
	}
	return data.Supported
}
