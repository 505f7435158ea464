package mcptest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// serveText runs a script over an input and returns what came out.
func serveText(t *testing.T, script, in string) (out, errOut string, err error) {
	t.Helper()
	defer goleak.VerifyNone(t)
	var o, e bytes.Buffer
	err = Serve(t.Context(), MustParse(script), strings.NewReader(in), &o, &e)
	return o.String(), e.String(), err
}

const (
	ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	pong = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
)

func TestSteps(t *testing.T) {
	for _, tt := range []struct{ name, script, in, want string }{
		{"the default", "", ping, pong},
		{"a step that answers nothing leaves the default", "on ping\n log x", ping, pong},
		{"result", "on ping\n result {\"a\":$ID}", ping, `{"jsonrpc":"2.0","id":1,"result":{"a":1}}` + "\n"},
		{"no answer", "on ping\n times 0 default\n hang", ping, ""},
		{"twice", "on ping\n default\n default", ping, pong + pong},
		{"times", "on ping\n times 3 default", ping, pong + pong + pong},
		{"error", "on ping\n error -32000 no $ID thing", ping, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no 1 thing"}}` + "\n"},
		{"error with data", `on ping` + "\n" + ` error 7 "a b" {"x":[1]}`, ping, `{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"a b","data":{"x":[1]}}}` + "\n"},
		{"wrong version", "on ping\n reply {\"jsonrpc\":\"1.0\",\"id\":$ID,\"result\":{}}", ping, `{"jsonrpc":"1.0","id":1,"result":{}}` + "\n"},
		{"broken JSON", "on ping\n reply {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{]", ping, `{"jsonrpc":"2.0","id":1,"result":{]` + "\n"},
		{"banner", "on start\n print hello\n print", ping, "hello\n\n" + pong},
		{"notification first", "on ping\n notify n {\"t\":$TOKEN}\n notify m", ping, `{"jsonrpc":"2.0","method":"n","params":{"t":null}}` + "\n" + `{"jsonrpc":"2.0","method":"m"}` + "\n" + pong},
		{"raw bytes", `on ping` + "\n" + ` raw "\xff\x00\r\n"`, ping, "\xff\x00\r\n"},
		{"bytes in a message", "on ping\n reply a$BYTES(ff fe)b$NL$$ID$ref", ping, "a\xff\xfeb\n$ID$ref\n"},
		{"CRLF", "line-end crlf", ping, strings.TrimSpace(pong) + "\r\n"},
		{"repeat", "on ping\n reply $REPEAT(3,ab)$REPEAT(2,[)$LIST(3,{\"n\":$I})$REPEAT(0,x)", ping, `ababab[[{"n":0},{"n":1},{"n":2}` + "\n"},
		{"second only", "on ping #2\n reply two", ping + ping + ping, pong + "two\n" + pong},
		{"from the second", "on ping #2-\n reply $N", ping + ping + ping, pong + "1\n2\n"},
		{"first to second", "on ping #1-2\n reply $N\non ping\n reply later $N", ping + ping + ping, "1\n2\nlater 3\n"},
		{"by name", "on a x\n reply $NAME\non a\n reply other $METHOD", `{"id":1,"method":"a","params":{"name":"x"}}` + "\n" + `{"id":1,"method":"a","params":{"uri":"y\""}}`, "x\nother a\n"},
		{"any message", "on *\n reply $ARG(q) $ARGS $PARAMS", `{"id":1,"method":"a","params":{"arguments":{"q":1.0}}}`, `1.0 {"q":1.0} {"arguments":{"q":1.0}}` + "\n"},
		{"at the end", "on eof\n print bye", ping, pong + "bye\n"},
		{"empty cursor and version", "on a\n reply <$CURSOR|$VERSION>", `{"id":1,"method":"a","params":{"cursor":"","protocolVersion":"v"}}`, "<|v>\n"},
		{"content length", "framing content-length", "Content-Length: 40\r\nX: y\r\n\r\n" + strings.TrimSpace(ping), "Content-Length: 36\r\n\r\n" + strings.TrimSpace(pong)},
		{"pages", "tools 3 2\non initialize\n default\n reply --", `{"id":1,"method":"initialize"}` + "\n" + `{"id":2,"method":"tools/list","params":{"cursor":"from-2"}}` + "\n" + `{"id":2,"method":"tools/list","params":{"cursor":"x"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mcptest","version":"1.0.0"}}}` + "\n--\n" +
				`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"description":"Tool number 2 of a long list.","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}},"name":"tool-2"}]}}` + "\n" +
				`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid cursor"}}` + "\n"},
		{"no answer to notifications", "", `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n" + ping, pong},
		{"a message without a method", "", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}` + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, errOut, err := serveText(t, tt.script, tt.in)
			if err != nil || errOut != "" {
				t.Errorf("error %v, stderr %q", err, errOut)
			}
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

// writes counts the writes that reach it.
type writes struct {
	bytes.Buffer
	sizes []int
}

func (w *writes) Write(p []byte) (int, error) {
	w.sizes = append(w.sizes, len(p))
	return w.Buffer.Write(p)
}

func TestChunk(t *testing.T) {
	var out writes
	if err := Serve(t.Context(), MustParse("chunk 1"), strings.NewReader(ping), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if out.String() != pong || len(out.sizes) != len(pong) {
		t.Errorf("%q in %d writes, want %d", out.String(), len(out.sizes), len(pong))
	}
}

func TestFlood(t *testing.T) {
	out, errOut, err := serveText(t, "on ping\n flood stdout 100K\n flood stderr 1M", ping)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out, "\n"+pong) || len(out) < 100_000 || len(errOut) < 1_000_000 {
		t.Errorf("%d bytes on stdout, %d on stderr", len(out), len(errOut))
	}
}

func TestExit(t *testing.T) {
	for _, script := range []string{"on ping\n exit 3", "on ping\n wait 1ms\n exit 3", "on start\n exit 3"} {
		// The input stays open: the server ends by itself.
		defer goleak.VerifyNone(t)
		in, feed := io.Pipe()
		go io.WriteString(feed, ping)
		err := Serve(t.Context(), MustParse(script), in, io.Discard, io.Discard)
		if exit, ok := errors.AsType[*ExitError](err); !ok || exit.Code != 3 {
			t.Errorf("%q: %v", script, err)
		}
		feed.Close()
	}
}

func TestRequestAndRecord(t *testing.T) {
	defer goleak.VerifyNone(t)
	var record bytes.Buffer
	script := MustParse("on ping\n request roots/list {\"x\":$ID}\n log got $ANSWER").RecordTo(&record)
	in, feed := io.Pipe()
	got, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), script, in, out, io.Discard) }()

	io.WriteString(feed, ping)
	request := make([]byte, 1000)
	n, err := got.Read(request)
	if want := `{"jsonrpc":"2.0","id":"server-1","method":"roots/list","params":{"x":1}}` + "\n"; err != nil || string(request[:n]) != want {
		t.Fatalf("request %q, %v", request[:n], err)
	}
	io.WriteString(feed, `{"jsonrpc":"2.0","id":"server-1","result":{"roots":[]}}`+"\n")
	if n, err = got.Read(request); err != nil || string(request[:n]) != pong {
		t.Fatalf("answer %q, %v", request[:n], err)
	}
	feed.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	want := ping + `{"jsonrpc":"2.0","id":"server-1","result":{"roots":[]}}` + "\n" + `got {"roots":[]}` + "\neof\n"
	if diff := cmp.Diff(want, record.String()); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestCancelEndsServe(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, MustParse("ignore eof\non ping\n hang"), in, io.Discard, io.Discard)
	}()
	io.WriteString(feed, ping)
	feed.Close()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRefusedInProcess(t *testing.T) {
	for _, step := range []string{"kill", "spawn file", "status 200"} {
		out, errOut, err := serveText(t, "on ping\n "+step, ping)
		if err != nil || out != "" || !strings.Contains(errOut, "cannot be done here") {
			t.Errorf("%s: out %q, stderr %q, error %v", step, out, errOut, err)
		}
	}
}
