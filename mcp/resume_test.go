package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/mcp/transport"
)

// A session goes from one connection to the next: no handshake, no end at the
// server. One that the server has lost, however it says so, is opened anew.
func TestResume(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusBadRequest} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			sessions, valid := 0, ""
			s := newHTTPServer(t, func(w http.ResponseWriter, p posted) {
				switch {
				case p.Method == methodDiscover:
					jsonBody(w, http.StatusBadRequest, `{}`)
				case p.Method == methodInitialize:
					sessions++
					valid = fmt.Sprintf("s%d", sessions)
					w.Header().Set("Mcp-Session-Id", valid)
					result(w, p, initialized)
				case p.header.Get("Mcp-Session-Id") != valid || p.header.Get(versionHeader) != Version20250618:
					jsonBody(w, status, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}`)
				default:
					result(w, p, `{"content":[]}`)
				}
			})
			var id transport.SessionID
			use := func(resume *ServerInfo) *ServerInfo {
				c, err := Connect(context.Background(), transport.HTTP{URL: s.URL, Session: &id}, Options{Resume: resume})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.CallTool(context.Background(), &Call{Name: "t"}); err != nil {
					t.Error(err)
				}
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
				return c.Info()
			}
			info := use(nil)
			again := use(&ServerInfo{ProtocolVersion: info.ProtocolVersion, Capabilities: info.Capabilities})
			if id.Get() != "s1" || again.Era != Stateful || !again.Has("tools") {
				t.Errorf("session %q, %+v", id.Get(), again)
			}
			valid = "lost"
			use(again)
			if id.Get() != "s2" {
				t.Errorf("session %q", id.Get())
			}
			opened := []string{"initialize", "notifications/initialized", "tools/call"}
			want := append([]string{"server/discover"}, opened...)
			want = append(append(want, "tools/call", "tools/call"), opened...)
			if diff := cmp.Diff(want, s.names()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// Only versions with sessions have any to resume.
func TestResumeStateless(t *testing.T) {
	_, err := Connect(context.Background(), transport.HTTP{URL: "http://127.0.0.1:1"},
		Options{Resume: &ServerInfo{ProtocolVersion: Version20260728, Capabilities: json.RawMessage(`{}`)}})
	var version *VersionError
	if !errors.As(err, &version) {
		t.Errorf("got %T: %v", err, err)
	}
}
