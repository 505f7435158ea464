package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"mcpq/mcp/jsonrpc"
)

// The answers to a batch of requests are one POST where the version has
// batches, else one each.
func TestHTTPBatch(t *testing.T) {
	const requests = `{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}`
	const response = `{"jsonrpc":"2.0","id":1,"result":{}}`
	one := func(id string) string { return `{"jsonrpc":"2.0","id":"` + id + `","result":{"ok":1}}` }
	for _, tt := range []struct {
		name, frame string
		batches     bool
		want        []string // any of them
		posts       int
	}{
		{"together", "[" + requests + "]", true, []string{"[" + one("a") + "," + one("b") + "]", "[" + one("b") + "," + one("a") + "]"}, 1},
		{"with the response", "[" + requests + "," + response + "]", true, []string{"[" + one("a") + "," + one("b") + "]", "[" + one("b") + "," + one("a") + "]"}, 1},
		{"each by itself", "[" + requests + "]", false, []string{one("a"), one("b")}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answers := make(chan string, 4)
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !bytes.Contains(body, []byte(`"method"`)) {
					status(w, http.StatusAccepted)
					answers <- string(body)
					return
				}
				h.Set("Content-Type", eventType)
				_, _ = io.WriteString(w, "data: "+tt.frame+"\n\n")
				if tt.frame == "["+requests+"]" {
					_, _ = io.WriteString(w, "data: "+response+"\n\n")
				}
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{Handler: jsonrpc.Handler{
				Batches: func() bool { return tt.batches },
				Request: func(context.Context, *jsonrpc.Message) (json.RawMessage, *jsonrpc.Error) {
					return json.RawMessage(`{"ok":1}`), nil
				},
			}})
			if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != "{}" {
				t.Errorf("got %s, %v", got, err)
			}
			for range tt.posts {
				got := <-answers
				found := false
				for _, want := range tt.want {
					found = found || got == want
				}
				if !found {
					t.Errorf("posted %s, want one of %s", got, tt.want)
				}
			}
			if len(answers) > 0 {
				t.Errorf("one more POST: %s", <-answers)
			}
		})
	}
}
