package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcpq/commands/servers"
	"mcpq/mcp"
	"mcpq/mcp/transport"
)

// SessionFlags keep a session from one run to the next.
type SessionFlags struct {
	SessionFile string `placeholder:"FILE" group:"server" help:"Keep the session with an HTTP server (up to 2025-11-25) in FILE and go on with the one that is there, without a handshake. It is a secret."`
}

// savedSession is the content of a session file.
type savedSession struct {
	Server          string          `json:"server"`
	SessionID       string          `json:"sessionId"`
	ProtocolVersion string          `json:"protocolVersion"`
	ServerInfo      json.RawMessage `json:"serverInfo,omitempty"`
	Capabilities    json.RawMessage `json:"capabilities,omitempty"`
	Instructions    json.RawMessage `json:"instructions,omitempty"`
}

// sessionFile is what a run does with such a file. The zero value does nothing.
type sessionFile struct {
	name  string
	open  bool         // the session is left open at the server in any case
	saved savedSession // what is in the file
	id    transport.SessionID
}

// openSessionFile reads the file, which need not be there yet.
func (r *runner) openSessionFile(target *servers.Target) (*sessionFile, error) {
	f := &sessionFile{name: r.grammar.SessionFile, open: r.keepsOpen}
	if f.name == "" {
		return f, nil
	}
	if target.Kind != servers.HTTP {
		return nil, usagef("--session-file only goes with an HTTP server")
	}
	server := safeURL(target.URL)
	data, err := os.ReadFile(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, &UsageError{Err: err}
	case json.Unmarshal(data, &f.saved) != nil || f.saved.SessionID == "" || f.saved.ProtocolVersion == "":
		return nil, usagef("%s holds no session", f.name)
	case f.saved.Server != server:
		return nil, &UsageError{
			Err:  fmt.Errorf("%s holds a session with another server, %s", f.name, f.saved.Server),
			Hint: "give each server a file of its own",
		}
	}
	f.saved.Server = server
	if f.saved.SessionID != "" {
		r.secrets.hide(f.saved.SessionID)
		f.id.Set(f.saved.SessionID)
	}
	return f, nil
}

// keeping makes a dialer one that goes on with the session and leaves it open.
func (f *sessionFile) keeping(h transport.HTTP) transport.HTTP {
	if f != nil && (f.name != "" || f.open) {
		h.Session = &f.id
	}
	return h
}

// resumed is what the server said when the session was opened; nil for a new
// one. A version that is insisted on has to be that of the session.
func (f *sessionFile) resumed(version string) *mcp.ServerInfo {
	if f.saved.SessionID == "" || version != "" && version != f.saved.ProtocolVersion {
		f.id.Set("")
		return nil
	}
	return &mcp.ServerInfo{
		ProtocolVersion: f.saved.ProtocolVersion,
		ServerInfo:      f.saved.ServerInfo,
		Capabilities:    f.saved.Capabilities,
		Instructions:    f.saved.Instructions,
	}
}

// save writes the session that there is now, if it is another one.
func (f *sessionFile) save(info *mcp.ServerInfo) error {
	id := f.id.Get()
	if f.name == "" || id == "" || id == f.saved.SessionID {
		return nil
	}
	data, err := marshal(savedSession{
		Server: f.saved.Server, SessionID: id, ProtocolVersion: info.ProtocolVersion,
		ServerInfo: info.ServerInfo, Capabilities: info.Capabilities, Instructions: info.Instructions,
	})
	if err != nil {
		return err
	}
	// A temporary file has the mode 0600.
	tmp, err := os.CreateTemp(filepath.Dir(f.name), ".mcpq-session-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(data, '\n'))
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), f.name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the error that matters is the other one
	}
	return err
}

// keepSession saves the session at the end of the run.
func (r *runner) keepSession(c *mcp.Client) {
	r.cleanup = append(r.cleanup, func() {
		if err := r.sessions.save(c.Info()); err != nil {
			r.messages.Warningf("the session is not kept: %v", err)
		}
	})
}
