package commands

import (
	"context"
	"encoding/json"
	"time"

	"mcpq/mcp"
)

// InfoCmd shows what the server said of itself when the session was opened.
type InfoCmd struct{}

// infoResult is what it prints.
type infoResult struct {
	ProtocolVersion   string          `json:"protocolVersion"`
	Era               string          `json:"era"`
	SupportedVersions []string        `json:"supportedVersions,omitempty"`
	ServerInfo        json.RawMessage `json:"serverInfo"`
	Capabilities      json.RawMessage `json:"capabilities"`
	Instructions      json.RawMessage `json:"instructions,omitempty"`
	Transport         string          `json:"transport"`
	Timings           infoTimings     `json:"timings"`
}

// infoTimings are in milliseconds.
type infoTimings struct {
	Connect   float64 `json:"connectMs"`
	Handshake float64 `json:"handshakeMs"`
}

// Run opens a session and prints it.
func (InfoCmd) Run(ctx context.Context, r *runner) error {
	r.anew = true
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	raw, err := encodeInfo(c.Info())
	if err != nil {
		return err
	}
	return r.print(ctx, raw)
}

func encodeInfo(i *mcp.ServerInfo) (json.RawMessage, error) {
	return marshal(infoResult{
		ProtocolVersion:   i.ProtocolVersion,
		Era:               i.Era,
		SupportedVersions: i.SupportedVersions,
		ServerInfo:        orNull(i.ServerInfo),
		Capabilities:      orNull(i.Capabilities),
		Instructions:      i.Instructions,
		Transport:         i.Transport,
		Timings:           infoTimings{Connect: milliseconds(i.Dial), Handshake: milliseconds(i.Handshake)},
	})
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
