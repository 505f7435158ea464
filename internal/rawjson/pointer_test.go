package rawjson

import (
	"encoding/json"
	"testing"
)

func TestAt(t *testing.T) {
	const doc = `{"a":{"b":[1.50,{"c":"x"}],"":2,"d/e~f":3},"n":null}`
	for pointer, want := range map[string]string{
		"": doc, "/a/b": `[1.50,{"c":"x"}]`, "/a/b/0": "1.50", "/a/b/1/c": `"x"`, "/a/": "2", "/a/d~1e~0f": "3", "/n": "null",
		"a": "", "/x": "", "/a/b/2": "", "/a/b/-1": "", "/a/b/x": "", "/n/x": "", "/a/b/0/x": "",
	} {
		if got := At(json.RawMessage(doc), pointer); string(got) != want {
			t.Errorf("%q: got %s, want %s", pointer, got, want)
		}
	}
	if got := At(json.RawMessage(`{"a":`), "/a"); got != nil {
		t.Errorf("of a broken document: %s", got)
	}
}
