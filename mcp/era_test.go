package mcp

import (
	"encoding/json"
	"testing"

	"mcpq/internal/rawjson"
)

func TestSetMeta(t *testing.T) {
	meta := func() rawjson.Object {
		return rawjson.Object{}.Set("progressToken", json.RawMessage("7")).Set("a/b", json.RawMessage(`{"x":1.0}`))
	}
	for _, c := range []struct{ name, params, want string }{
		{"none", "", `{"_meta":{"progressToken":7,"a/b":{"x":1.0}}}`},
		{"empty", "{}", `{"_meta":{"progressToken":7,"a/b":{"x":1.0}}}`},
		{"order, spelling and numbers", `{"z":1e400,"a\u0062":[0.10,"\u00e9/\/"],"n":12345678901234567890}`,
			`{"z":1e400,"a\u0062":[0.10,"\u00e9/\/"],"n":12345678901234567890,"_meta":{"progressToken":7,"a/b":{"x":1.0}}}`},
		{"white space", "{ \"a\" : [ 1 , 2 ] }", `{"a":[1,2],"_meta":{"progressToken":7,"a/b":{"x":1.0}}}`},
		{"what is there stays", `{"_meta":{"com.example/k":1.0},"a":1}`, `{"_meta":{"com.example/k":1.0,"progressToken":7,"a/b":{"x":1.0}},"a":1}`},
		{"but not under the same name", `{"_meta":{"a/b":"mine"}}`, `{"_meta":{"a/b":{"x":1.0},"progressToken":7}}`},
		{"no object", `{"_meta":[1]}`, `{"_meta":{"progressToken":7,"a/b":{"x":1.0}}}`},
	} {
		got, err := setMeta(rawOrNil(c.params), meta())
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	if got, err := setMeta(json.RawMessage("{ \"a\" :\n1.0 }"), nil); err != nil || string(got) != `{"a":1.0}` {
		t.Errorf("nothing to add: got %s, %v", got, err)
	}
	if got, err := setMeta(nil, nil); err != nil || got != nil {
		t.Errorf("nothing to add to nothing: got %s, %v", got, err)
	}
	for _, bad := range []string{`[1]`, `"x"`, `{"a":}`, `{} {}`} {
		if got, err := setMeta(json.RawMessage(bad), meta()); err == nil {
			t.Errorf("params %s: got %s", bad, got)
		}
	}
}

func TestHas(t *testing.T) {
	info := &ServerInfo{Capabilities: json.RawMessage(
		`{"tools":{},"resources":{"subscribe":true,"listChanged":false},"prompts":null,"logging":false,"tasks":{"list":{}}}`)}
	for _, c := range []struct {
		path []string
		want bool
	}{
		{[]string{"tools"}, true},
		{[]string{"tools", "listChanged"}, false},
		{[]string{"resources"}, true},
		{[]string{"resources", "subscribe"}, true},
		{[]string{"resources", "listChanged"}, false},
		{[]string{"resources", "subscribe", "deeper"}, false},
		{[]string{"prompts"}, false},
		{[]string{"logging"}, false},
		{[]string{"tasks", "list"}, true},
		{[]string{"completions"}, false},
		{nil, true},
	} {
		if got := info.Has(c.path...); got != c.want {
			t.Errorf("Has(%q) = %v", c.path, got)
		}
	}
	if (&ServerInfo{}).Has("tools") {
		t.Error("a server that declared nothing has tools")
	}
}

func TestTokenKey(t *testing.T) {
	same := [][]string{{`1`, `1.0`, `1e0`}, {`"a"`, `"\u0061"`}, {`"1"`}, {`null`}, {`10000000000000000`}}
	seen := make(map[string]string)
	for _, spellings := range same {
		for _, s := range spellings {
			key := tokenKey(json.RawMessage(s))
			if first, ok := seen[key]; ok && first != spellings[0] {
				t.Errorf("%s and %s are taken for the same token", first, s)
			}
			if key != tokenKey(json.RawMessage(spellings[0])) {
				t.Errorf("%s and %s are taken for different tokens", spellings[0], s)
			}
			seen[key] = spellings[0]
		}
	}
}

func FuzzSetMeta(f *testing.F) {
	f.Add([]byte(`{"a":1.0,"_meta":{"b":[]},"a":2}`))
	f.Add([]byte(`{"_meta":7,"\u005fmeta":{}}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		before, err := rawjson.ParseObject(params)
		if err != nil {
			return
		}
		got, err := setMeta(params, rawjson.Object{}.Set("k", json.RawMessage("1")))
		if err != nil {
			t.Fatal(err)
		}
		after, err := rawjson.ParseObject(got)
		if err != nil || !json.Valid(got) {
			t.Fatalf("%s became %s: %v", params, got, err)
		}
		if _, had := before.Get("_meta"); !had {
			before = append(before, rawjson.Member{Key: "_meta"})
		}
		if len(after) != len(before) {
			t.Fatalf("%s became %s", params, got)
		}
		for i, m := range before {
			if m.Key != after[i].Key || m.Key != "_meta" && string(m.Value) != string(after[i].Value) {
				t.Errorf("%s became %s", params, got)
			}
		}
	})
}
