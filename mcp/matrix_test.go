package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpq/internal/demo"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// matrixServer is a peer of the matrix. All of them offer the same things.
type matrixServer struct {
	name    string
	stream  func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
	handler http.Handler
	stop    func()

	// cancelled gets a value when the tool "slow" was given up; nil where
	// that cannot be seen.
	cancelled chan struct{}
}

func demoServer(t *testing.T) *matrixServer {
	s := demo.New(demo.Options{})
	return &matrixServer{
		name: "demo",
		stream: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return s.ServeStream(ctx, in, out)
		},
		handler: s.Handler(),
		stop: func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		},
	}
}

// TestMatrix holds one list of checks against independent servers, over every
// transport and in every version.
func TestMatrix(t *testing.T) {
	for _, server := range []func(*testing.T) *matrixServer{demoServer, sdkServer} {
		for _, over := range []struct {
			name string
			dial func(*testing.T, *matrixServer) transport.Dialer
		}{{"stdio", dialStream}, {"http", dialHTTP}} {
			for _, version := range append(Versions(), "") {
				s := server(t)
				name := version
				if name == "" {
					name = "auto"
				}
				t.Run(s.name+"/"+over.name+"/"+name, func(t *testing.T) {
					checkServer(t, s, over.dial(t, s), version)
				})
			}
		}
	}
}

func dialStream(t *testing.T, s *matrixServer) transport.Dialer {
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		err := s.stream(context.Background(), serverIn, serverOut)
		if err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("server: %v", err)
		}
		_ = serverOut.Close() // a pipe's Close cannot fail
	}()
	t.Cleanup(func() { <-served; s.stop() })
	return transport.Stream{Label: "stdio", Stream: jsonrpc.NewStream(clientIn, clientOut, func() error {
		return errors.Join(clientOut.Close(), clientIn.Close())
	})}
}

func dialHTTP(t *testing.T, s *matrixServer) transport.Dialer {
	h := httptest.NewServer(s.handler)
	t.Cleanup(func() { s.stop(); h.Close() })
	return transport.HTTP{URL: h.URL}
}

// recorder keeps what goes over the wire in the form of the transcripts.
type recorder struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (r *recorder) event(e transport.Event) {
	if e.Message == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	mark := "< "
	if e.Sent {
		mark = "> "
	}
	r.lines.WriteString(mark + string(e.Message) + "\n")
}

func checkServer(t *testing.T, s *matrixServer, d transport.Dialer, version string) {
	ctx := context.Background()
	m := &matrixRun{t: t, server: s, progress: make(chan Progress, 100)}
	var wire recorder
	client, err := Connect(ctx, d, Options{
		Version:  version,
		LogLevel: "debug",
		Client:   Implementation{Name: "test", Version: "1"},
		Trace:    wire.event,
		Handlers: Handlers{
			Warn:     func(err error) { t.Errorf("warning: %v", err) },
			Progress: m.progressed,
			Elicit: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.client = client
	if want := version; want == "" && m.client.Info().ProtocolVersion != Version20260728 || want != "" && m.client.Info().ProtocolVersion != want {
		t.Errorf("version %s, want %q", m.client.Info().ProtocolVersion, want)
	}
	for _, c := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"list", m.list}, {"call", m.call}, {"isError", m.isError}, {"unknown tool", m.unknownTool},
		{"read", m.read}, {"prompt", m.prompt}, {"complete", m.complete}, {"unknown method", m.unknownMethod},
		{"progress", m.progresses}, {"server request", m.serverRequest}, {"cancel", m.cancel}, {"ping", m.ping},
	} {
		t.Run(c.name, c.run)
	}
	if err := client.Close(ctx); err != nil {
		t.Error(err)
	}
	checkWire(t, client.Info().ProtocolVersion, wire.lines.String())
}

// matrixRun is the list of checks, on one client.
type matrixRun struct {
	t        *testing.T
	server   *matrixServer
	client   *Client
	progress chan Progress

	mu   sync.Mutex
	stop func() // called at the next progress, by the check that cancels
}

func (m *matrixRun) progressed(p Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		m.stop()
		return
	}
	m.progress <- p
}

func (m *matrixRun) callTool(t *testing.T, name, arguments string) *Result {
	t.Helper()
	res, err := m.client.CallTool(context.Background(), &Call{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func (m *matrixRun) list(t *testing.T) {
	for _, c := range []struct {
		list  List
		has   string
		pages int // at least
	}{{ListTools, "add", 2}, {ListResources, "readme", 1}, {ListTemplates, "greeting", 1}, {ListPrompts, "greet", 1}} {
		var pages []*Page
		for page, err := range m.client.Pages(context.Background(), c.list, nil) {
			if err != nil {
				t.Fatalf("%s: %v", c.list, err)
			}
			pages = append(pages, page)
		}
		joined, err := Join(pages)
		if err != nil || len(pages) < c.pages || !strings.Contains(string(joined), `"name":"`+c.has+`"`) ||
			strings.Contains(string(joined), `"nextCursor"`) {
			t.Errorf("%s: %d pages, %s, %v", c.list, len(pages), joined, err)
		}
	}
}

func (m *matrixRun) call(t *testing.T) {
	tool, err := m.client.Tool(context.Background(), "add")
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.client.CallTool(context.Background(), &Call{Name: "add", Tool: tool, Arguments: json.RawMessage(`{"a":2,"b":40}`)})
	if err != nil || res.IsError() || !strings.Contains(string(res.Member("content")), `42`) {
		t.Errorf("%s, %v", raw(res), err)
	}
}

func (m *matrixRun) isError(t *testing.T) {
	res := m.callTool(t, "fail", `{"reason":"boom"}`)
	if !res.IsError() || !strings.Contains(string(res.Raw), "boom") {
		t.Errorf("%s", res.Raw)
	}
}

func (m *matrixRun) unknownTool(t *testing.T) {
	_, err := m.client.CallTool(context.Background(), &Call{Name: "nothing"})
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Err.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("call: %v", err)
	}
	_, err = m.client.Tool(context.Background(), "nothing")
	var unknown *UnknownToolError
	if !errors.As(err, &unknown) || len(unknown.Known) < 4 {
		t.Errorf("find: %v", err)
	}
}

func (m *matrixRun) unknownMethod(t *testing.T) {
	_, err := m.client.Do(context.Background(), &Request{Method: "test/unknown"})
	var rpc *RPCError
	var status *transport.HTTPError // the SDK refuses it in plain text
	if (!errors.As(err, &rpc) || rpc.Err.Code != jsonrpc.CodeMethodNotFound) &&
		(!errors.As(err, &status) || status.Status != http.StatusBadRequest) {
		t.Errorf("%v", err)
	}
}

func (m *matrixRun) read(t *testing.T) {
	res, err := m.client.Do(context.Background(), &Request{Method: "resources/read", Params: json.RawMessage(`{"uri":"demo://readme"}`)})
	if err != nil || !strings.Contains(string(res.Member("contents")), `"uri":"demo://readme"`) {
		t.Errorf("%s, %v", raw(res), err)
	}
}

func (m *matrixRun) prompt(t *testing.T) {
	res, err := m.client.Do(context.Background(), &Request{Method: "prompts/get", Params: json.RawMessage(`{"name":"greet","arguments":{"name":"Ada"}}`)})
	if err != nil || !strings.Contains(string(res.Member("messages")), "Ada") {
		t.Errorf("%s, %v", raw(res), err)
	}
}

func (m *matrixRun) complete(t *testing.T) {
	res, err := m.client.Do(context.Background(), &Request{Method: "completion/complete",
		Params: json.RawMessage(`{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	var completion struct{ Values []string }
	if err := json.Unmarshal(res.Member("completion"), &completion); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Ada", "Alan"}, completion.Values); diff != "" {
		t.Error(diff)
	}
}

func (m *matrixRun) progresses(t *testing.T) {
	m.callTool(t, "slow", `{"seconds":0.01,"steps":3}`)
	for _, want := range []json.Number{"1", "2", "3"} {
		if p := <-m.progress; p.Progress != want || p.Total != "3" || p.Method != "tools/call" {
			t.Errorf("progress %+v, want %s", p, want)
		}
	}
}

func (m *matrixRun) serverRequest(t *testing.T) {
	res, err := m.client.CallTool(context.Background(), &Call{Name: "ask", Arguments: json.RawMessage(`{"question":"Who?"}`)})
	if featuresOf(m.client.Info().ProtocolVersion).elicitation {
		if err != nil || res.IsError() || !strings.Contains(string(res.Raw), "Hello, Ada") {
			t.Errorf("%s, %v", raw(res), err)
		}
		return
	}
	var rpc *RPCError
	if !(err == nil && res.IsError()) && !errors.As(err, &rpc) {
		t.Errorf("a version without elicitation: %s, %v", raw(res), err)
	}
}

func (m *matrixRun) cancel(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	m.mu.Lock()
	m.stop = func() { stop(errStop) }
	m.mu.Unlock()
	_, err := m.client.CallTool(ctx, &Call{Name: "slow", Arguments: json.RawMessage(`{"seconds":60,"steps":1000}`)})
	if err != errStop {
		t.Errorf("got %v", err)
	}
	m.mu.Lock()
	m.stop = func() {}
	m.mu.Unlock()
	if m.server.cancelled != nil {
		<-m.server.cancelled
	}
}

func (m *matrixRun) ping(t *testing.T) {
	if err := m.client.Ping(context.Background()); err != nil {
		t.Error(err)
	}
}
