package demo

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestOfficialClient drives the server with the official SDK's client, which
// reads the specification independently of this package and of its tests.
func TestOfficialClient(t *testing.T) {
	for _, v := range allVersions() {
		t.Run(v+"/stream", func(t *testing.T) {
			s := New(Options{Version: "9"})
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() {
				done <- s.ServeStream(context.Background(), in, out)
				out.Close()
			}()
			driveOfficial(t, v, &mcp.IOTransport{Reader: fromServer, Writer: toServer})
			toServer.Close()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
		t.Run(v+"/http", func(t *testing.T) {
			s := New(Options{Version: "9"})
			hs := httptest.NewServer(s.Handler())
			driveOfficial(t, v, &mcp.StreamableClientTransport{Endpoint: hs.URL})
			s.Close()
			hs.Close()
			http.DefaultClient.CloseIdleConnections()
		})
	}
}

func driveOfficial(t *testing.T, version string, transport mcp.Transport) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	var progress, messages int
	updated := make(chan string, 16)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			progress++
		},
		//nolint:staticcheck // deprecated, and still to be served to clients that use it
		LoggingMessageHandler: func(context.Context, *mcp.LoggingMessageRequest) {
			mu.Lock()
			defer mu.Unlock()
			messages++
		},
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
	})
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("agreed on %s, want %s", got, version)
	}
	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "echo add slow fail image logs ask big region touch job" {
		t.Errorf("tools %s", got)
	}
	call := func(name string, args map[string]any) *mcp.CallToolResult {
		t.Helper()
		p := &mcp.CallToolParams{Name: name, Arguments: args}
		if name == "slow" {
			p.SetProgressToken("token")
		}
		res, err := session.CallTool(ctx, p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{}}}
		}
		return res
	}
	r, _ := rulesFor(version)
	asked := "Hello, Ada"
	if !r.elicitation {
		asked = "protocol version " + version + " cannot ask the user"
	}
	for _, tt := range []struct {
		name string
		args map[string]any
		want string
	}{
		{"echo", map[string]any{"text": "ü"}, "ü"},
		{"add", map[string]any{"a": 1, "b": 2}, `{"sum":3}`},
		{"slow", map[string]any{"seconds": 0, "steps": 4}, "waited 0s in 4 steps"},
		{"fail", map[string]any{}, "failed: it was asked to"},
		{"ask", map[string]any{}, asked},
		{"region", map[string]any{"region": "eu", "shard": 3}, "region eu; "},
	} {
		if got := call(tt.name, tt.args).Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := call("image", map[string]any{}).Content[0].(*mcp.ImageContent).MIMEType; got != "image/png" {
		t.Errorf("image: %s", got)
	}
	if !r.stateless {
		call("logs", map[string]any{})
	}
	for res, err := range session.Resources(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: res.URI}); err != nil {
			t.Error(err)
		}
	}
	if _, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "demo://none"}); err == nil {
		t.Error("an unknown resource was read")
	}
	if p, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "review", Arguments: map[string]string{"language": "go"}}); err != nil || len(p.Messages) != 3 {
		t.Errorf("prompt: %v", err)
	}
	if c, err := session.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "greet"}, Argument: mcp.CompleteParamsArgument{Name: "name", Value: "g"}}); err != nil || len(c.Completion.Values) != 1 {
		t.Errorf("completion: %v", err)
	}
	if !r.stateless {
		if err := session.Subscribe(ctx, &mcp.SubscribeParams{URI: configURI}); err != nil {
			t.Error(err)
		}
		call("touch", map[string]any{"language": "de"})
		if uri := <-updated; uri != configURI {
			t.Errorf("updated: %s", uri)
		}
		if err := session.Ping(ctx, nil); err != nil {
			t.Error(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if progress != 4 || (messages != 7) != r.stateless {
		t.Errorf("%d progress notifications, %d log messages", progress, messages)
	}
}
