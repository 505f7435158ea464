package mcp

import (
	"encoding/json"
	"time"

	"mcpq/internal/rawjson"
)

// ServerInfo is what a server said of itself when the connection was opened.
// The raw members are nil where it said nothing.
type ServerInfo struct {
	ProtocolVersion   string
	Era               string   // Stateful or Stateless
	SupportedVersions []string // stateless era
	ServerInfo        json.RawMessage
	Capabilities      json.RawMessage
	Instructions      json.RawMessage
	Transport         string // "stdio", "http" and so on

	Dial, Handshake time.Duration // what it took to start or connect, and to open the session
}

// Has reports whether the server declared the capability at the path given,
// such as "resources", "subscribe". A member counts when it is there and
// neither false nor null.
func (s *ServerInfo) Has(path ...string) bool {
	at := s.Capabilities
	for _, key := range path {
		object, err := rawjson.ParseObject(at)
		if err != nil {
			return false
		}
		value, ok := object.Get(key)
		if !ok || string(value) == "false" || string(value) == "null" {
			return false
		}
		at = value
	}
	return true
}
