package batch

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, c := range []struct {
		line string
		want Operation
	}{
		{`{"method":"tools/list"}`, Operation{Method: "tools/list"}},
		{`{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a" : 0.10}}`, Operation{ID: raw("1"), Method: "x/y", Params: raw(`{"a":0.10}`)}},
		{`{"id": { "row" : 7 } ,"call":"add","arguments":{"b":1e400,"a":[ ]}}`,
			Operation{ID: raw(`{"row":7}`), Method: "tools/call", Short: true, Call: &Call{"add", raw(`{"b":1e400,"a":[]}`)}}},
		{`{"call":"a\u0062"}`, Operation{Method: "tools/call", Short: true, Call: &Call{"ab", nil}}},
		{`{"method":"tools/call","params":{"_meta":{},"name":"add","arguments":{}}}`,
			Operation{Method: "tools/call", Params: raw(`{"_meta":{},"name":"add","arguments":{}}`), Call: &Call{"add", raw("{}")}}},
		// What is no call is for the server to judge.
		{`{"method":"tools/call","params":{"name":1}}`, Operation{Method: "tools/call", Params: raw(`{"name":1}`)}},
		{`{"method":"tools/call","params":{"name":"a","arguments":[]}}`, Operation{Method: "tools/call", Params: raw(`{"name":"a","arguments":[]}`)}},
		{`{"method":"tools/call"}`, Operation{Method: "tools/call"}},
		{`{"read":"demo://readme","id":null}`, Operation{ID: raw("null"), Method: "resources/read", Params: raw(`{"uri":"demo://readme"}`), Short: true}},
		{`{"get-prompt":"p","arguments":{"x":"y"}}`, Operation{Method: "prompts/get", Params: raw(`{"name":"p","arguments":{"x":"y"}}`), Short: true}},
		{`{"get-prompt":"p"}`, Operation{Method: "prompts/get", Params: raw(`{"name":"p"}`), Short: true}},
		{`{"notify":"notifications/x","params":{}}`, Operation{Method: "notifications/x", Params: raw("{}"), Notify: true}},
		{`{"notify":"tools/call","params":{"name":"a"}}`, Operation{Method: "tools/call", Params: raw(`{"name":"a"}`), Notify: true}},
		{"\ufeff{\"read\":\"a\"}\r", Operation{Method: "resources/read", Params: raw(`{"uri":"a"}`), Short: true}},
	} {
		got, err := Decode([]byte(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ line, id, reason string }{
		{`x`, "", "not a JSON object: "},
		{`[{"read":"a"}]`, "", "not a JSON object: "},
		{`"read"`, "", "not a JSON object: "},
		{`{"read":"a"} {}`, "", "not a JSON object: "},
		{`{`, "", "the JSON ends too early: an operation is an object on a line of its own"},
		{`{"id":1}`, "1", "it does not say what to do"},
		{`{"id":"a","call":"x","read":"y"}`, `"a"`, `it has both "call" and "read"`},
		{`{"call":"x","args":{},"id":[1]}`, "[1]", `it has a member "args", which means nothing here`},
		{`{"call":"x","arguments":[1]}`, "", "arguments is [1] instead of an object"},
		{`{"method":"x","params":1}`, "", "params is 1 instead of an object"},
		{`{"method":"x","arguments":{}}`, "", `arguments do not go with "method"`},
		{`{"call":"x","params":{}}`, "", `params do not go with "call"`},
		{`{"read":"x","arguments":{}}`, "", `arguments do not go with "read"`},
		{`{"call":1}`, "", "call is 1 instead of a name"},
		{`{"call":""}`, "", `call is "" instead of a name`},
		{`{"id":1,"read":"a","id":2}`, "2", `it has more than one member "id"`},
		{`{"read":"a","read":"b"}`, "", `it has more than one member "read"`},
		{`{"jsonrpc":"1.0","method":"x"}`, "", `jsonrpc is "1.0" instead of "2.0"`},
		{`{"method":"notifications/x"}`, "", `notifications/x is a notification: write "notify"`},
	} {
		op, err := Decode([]byte(c.line))
		var format *FormatError
		if !errors.As(err, &format) || !strings.HasPrefix(err.Error(), c.reason) {
			t.Errorf("%s: error %v, want %s…", c.line, err, c.reason)
		}
		if string(op.ID) != c.id {
			t.Errorf("%s: id %s, want %s", c.line, op.ID, c.id)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"call":"add","arguments":{"a":2}}`, `{"read":"demo://readme"}`, `{"get-prompt":"p","arguments":{}}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{}}}`, `{"notify":"notifications/x"}`,
		`{"id":{"a":[1e400]},"method":"x"}`, `{`, `{"id":1,"id":2}`, "\ufeff{}", "{\"call\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		op, err := Decode(line)
		if op.ID != nil && !json.Valid(op.ID) {
			t.Fatalf("%q: the id is %q", line, op.ID)
		}
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) || len(err.Error()) > 1000 {
				t.Fatalf("%q: error %v", line, err)
			}
			return
		}
		if !json.Valid(line[len(line)-len(strings.TrimPrefix(string(line), "\ufeff")):]) {
			t.Fatalf("%q is no JSON and was taken", line)
		}
		isObject := func(raw json.RawMessage) bool { return raw == nil || json.Valid(raw) && raw[0] == '{' }
		if op.Method == "" || !isObject(op.Params) || op.Call != nil && !isObject(op.Call.Arguments) {
			t.Fatalf("%q gave %+v", line, op)
		}
		if op.Call == nil && op.Params == nil && op.Short {
			t.Fatalf("%q asks for nothing: %+v", line, op)
		}
	})
}
