package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkServer is a server of the official Go SDK, with what the matrix asks for.
func sdkServer(*testing.T) *matrixServer {
	s := sdk.NewServer(&sdk.Implementation{Name: "sdk", Version: "1"}, &sdk.ServerOptions{
		PageSize: 2,
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"Ada", "Alan"}}}, nil
		},
	})
	cancelled := make(chan struct{}, 1)
	addSDKTools(s, cancelled)
	read := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "read me"}}}, nil
	}
	s.AddResource(&sdk.Resource{Name: "readme", URI: "demo://readme"}, read)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "greeting", URITemplate: "demo://greeting/{name}"}, read)
	s.AddPrompt(&sdk.Prompt{Name: "greet", Arguments: []*sdk.PromptArgument{{Name: "name", Required: true}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
				{Role: "user", Content: &sdk.TextContent{Text: "Greet " + r.Params.Arguments["name"]}},
			}}, nil
		})
	return &matrixServer{
		name: "go-sdk",
		stream: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			err := s.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
			if errors.Is(err, io.EOF) || err != nil && strings.Contains(err.Error(), "EOF") {
				return nil // the client has left
			}
			return err
		},
		handler:   sdkHandler(s),
		stop:      func() {},
		cancelled: cancelled,
	}
}

// sdkHandler serves both eras: a handler of the SDK serves one.
func sdkHandler(s *sdk.Server) http.Handler {
	handler := func(stateless bool) http.Handler {
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
			&sdk.StreamableHTTPOptions{Stateless: stateless, PropagateRequestCancellation: true})
	}
	stateful, stateless := handler(false), handler(true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(versionHeader) == Version20260728 {
			stateless.ServeHTTP(w, r)
			return
		}
		stateful.ServeHTTP(w, r)
	})
}

func addSDKTools(s *sdk.Server, cancelled chan<- struct{}) {
	text := func(format string, args ...any) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf(format, args...)}}}
	}
	type addArguments struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "add"}, func(_ context.Context, _ *sdk.CallToolRequest, in addArguments) (*sdk.CallToolResult, any, error) {
		return text("%d", in.A+in.B), nil, nil
	})
	type failArguments struct {
		Reason string `json:"reason"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "fail"}, func(_ context.Context, _ *sdk.CallToolRequest, in failArguments) (*sdk.CallToolResult, any, error) {
		return nil, nil, errors.New(in.Reason)
	})
	type slowArguments struct {
		Seconds float64 `json:"seconds"`
		Steps   int     `json:"steps"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "slow"}, func(ctx context.Context, r *sdk.CallToolRequest, in slowArguments) (*sdk.CallToolResult, any, error) {
		step := time.Duration(in.Seconds * float64(time.Second) / float64(in.Steps))
		for i := 1; i <= in.Steps; i++ {
			select {
			case <-time.After(step):
			case <-ctx.Done():
				cancelled <- struct{}{}
				return nil, nil, ctx.Err()
			}
			// An error here is a client that has left, which ctx tells too.
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: float64(in.Steps)})
		}
		return text("done"), nil, nil
	})
	ask := &sdk.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}}
	s.AddTool(ask, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, ok := r.Params.InputResponses["who"].(*sdk.ElicitResult)
		if !ok { // the SDK makes requests of these where the version wants that
			return &sdk.CallToolResult{RequestState: "asked", InputRequests: sdk.InputRequestMap{
				"who": &sdk.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{
					"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}},
			}}, nil
		}
		return text("Hello, %v", answer.Content["name"]), nil
	})
}
