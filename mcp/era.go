package mcp

import (
	"context"
	"encoding/json"
	"net/http"

	"mcpq/internal/rawjson"
	"mcpq/mcp/transport"
)

// Names of the two eras.
const (
	Stateful  = "stateful"  // up to 2025-11-25: initialize opens a session
	Stateless = "stateless" // from 2026-07-28 on: every request stands alone
)

// era is what the two ways of the protocol do differently. It is chosen once,
// when the connection is opened; nothing else asks for the version.
type era interface {
	version() string

	// features are those of the version.
	features() features

	// complete turns a request into what goes on the wire: its metadata,
	// headers, and how it is cancelled.
	complete(out *transport.Outgoing, meta rawjson.Object) error

	// header is sent with every HTTP request.
	header() http.Header

	// notification gives the further headers of a notification.
	notification(method string) http.Header

	// resultType tells the kind of a result: "complete", "input_required" or
	// what else its member of that name says.
	resultType(said json.RawMessage) string

	// subscribe holds the subscription of a watch until ctx ends, it breaks,
	// or the server ends it in good order: then the error is nil.
	subscribe(ctx context.Context, s *session, w *watch) error

	// declared is what every request declares of this client, on which its
	// answer may depend; nil where that is said once, and no answer says how
	// long it holds.
	declared() json.RawMessage

	// tasks is how tasks are waited for.
	tasks() taskDialect

	// capability names what the server must have declared for a method, as a
	// path of members; nil for nothing.
	capability(method string) []string
}

// Kinds of results (2026-07-28, basic/index).
const (
	resultComplete      = "complete"
	resultInputRequired = "input_required"
	resultTask          = "task" // of the tasks extension
)

// Requests of the handshakes.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodDiscover    = "server/discover"
)

const versionHeader = "MCP-Protocol-Version"

// setMeta adds members to the _meta of params. What the user has put there
// stays, except under the same names. The params come out compact in any case:
// a line end in them would be the end of the message.
func setMeta(params json.RawMessage, meta rawjson.Object) (json.RawMessage, error) {
	if len(meta) == 0 && params == nil {
		return nil, nil
	}
	object := rawjson.Object{}
	if params != nil {
		var err error
		if object, err = rawjson.ParseObject(params); err != nil {
			return nil, err
		}
	}
	if len(meta) == 0 {
		return object.Raw(), nil
	}
	all := rawjson.Object{}
	if raw, ok := object.Get("_meta"); ok {
		if given, err := rawjson.ParseObject(raw); err == nil {
			all = given
		}
	}
	for _, m := range meta {
		all = all.Set(m.Key, m.Value)
	}
	return object.Set("_meta", all.Raw()).Raw(), nil
}

// capabilityOf names the capability that a method belongs to.
func capabilityOf(method string) []string {
	switch method {
	case "tools/list", "tools/call":
		return []string{"tools"}
	case "resources/list", "resources/templates/list", "resources/read":
		return []string{"resources"}
	case "resources/subscribe", "resources/unsubscribe":
		return []string{"resources", "subscribe"}
	case "prompts/list", "prompts/get":
		return []string{"prompts"}
	case "completion/complete":
		return []string{"completions"}
	case "logging/setLevel":
		return []string{"logging"}
	case "skills/list", "skills/get":
		return []string{"extensions", SkillsExtension}
	case "resources/directory/read":
		return []string{"extensions", SkillsExtension, "directoryRead"}
	}
	return nil
}
