package mcptest

import (
	"bytes"
	"encoding/json"
)

// message is what a client sent, decoded as far as a server must.
type message struct {
	Raw    json.RawMessage `json:"-"`
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`

	params params
}

// params are the members of params that the well-behaved answers look at.
type params struct {
	Name            string                     `json:"name"`
	URI             string                     `json:"uri"`
	Cursor          *string                    `json:"cursor"`
	ProtocolVersion string                     `json:"protocolVersion"`
	Arguments       json.RawMessage            `json:"arguments"`
	Meta            map[string]json.RawMessage `json:"_meta"`
}

// parseMessages returns the message in raw, or the messages of a batch.
func parseMessages(raw []byte) (messages []*message, batch bool, err error) {
	raw = bytes.TrimSpace(raw)
	parts := []json.RawMessage{raw}
	if len(raw) > 0 && raw[0] == '[' {
		batch = true
		if err := json.Unmarshal(raw, &parts); err != nil {
			return nil, true, err
		}
	}
	for _, part := range parts {
		m := &message{}
		if err := json.Unmarshal(part, m); err != nil {
			return nil, batch, err
		}
		m.Raw = part
		// What does not fit the common shape of params is the script's business.
		_ = json.Unmarshal(m.Params, &m.params)
		messages = append(messages, m)
	}
	return messages, batch, nil
}

func (m *message) isRequest() bool  { return m.Method != "" && m.ID != nil }
func (m *message) isResponse() bool { return m.Method == "" && m.ID != nil }

// name is what rules and the header Mcp-Name call this message's object.
func (m *message) name() string {
	if m.params.Name != "" {
		return m.params.Name
	}
	return m.params.URI
}

// version is the protocol version the message asks for or claims, "" if none.
func (m *message) version() string {
	if v := m.metaVersion(); v != "" {
		return v
	}
	return m.params.ProtocolVersion
}

func (m *message) metaVersion() (v string) {
	if raw, ok := m.params.Meta[metaPrefix+"protocolVersion"]; ok {
		_ = json.Unmarshal(raw, &v)
	}
	return v
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}
