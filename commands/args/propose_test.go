package args

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const proposed = `{
	"$defs": {"size": {"type": "integer", "description": "How large."}},
	"type": "object",
	"allOf": [{"properties": {"more": {"type": "string", "title": "More"}}}],
	"properties": {
		"text": {"type": "string", "description": "What to say."},
		"size": {"$ref": "#/$defs/size"},
		"tags": {"type": "array", "items": {"enum": ["a", "b", 1]}},
		"filter": {"type": "object", "description": "Which.", "properties": {"lang": {"enum": ["go", "c"]}, "max": {"description": "How many."}}},
		"data": {"type": "object"},
		"loud": {"type": ["boolean", "null"]},
		"level": {"anyOf": [{"const": "low"}, {"const": "high"}, {"type": "null"}]},
		"zoom": {"type": "number", "default": 1.50, "examples": [2]},
		"at": {"enum": ["@home", "\\@x", "<b>"]},
		"odd[name]:=": {}
	}
}`

func TestKeys(t *testing.T) {
	var got []string
	for _, k := range Keys(json.RawMessage(proposed)) {
		repeats := ""
		if k.Repeats {
			repeats = " ×"
		}
		got = append(got, strings.TrimSpace(k.Text+" "+k.Description)+repeats)
	}
	want := []string{
		"at=", "data:=", "filter[lang]= Which.", "filter[max]= How many.", "level=", "loud=", "more= More",
		`odd\[name\]\:\==`, "size= How large.", "tags[]= ×", "text= What to say.", "zoom=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, broken := range []string{"", "null", "[]", "{", `{"properties":[1]}`, `{"$ref":"#"}`} {
		if got := Keys(json.RawMessage(broken)); len(got) > 0 {
			t.Errorf("%s: got %v", broken, got)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ word, key, values string }{
		{"text=", "text=", ""},
		{"size=1", "size=", ""},
		{"tags[]=", "tags[]=", "a,b,1"},
		{"tags[0]=", "tags[0]=", "a,b,1"},
		{"tags[]:=", "tags[]:=", `"a","b",1`},
		{"filter[lang]=g", "filter[lang]=", "go,c"},
		{"loud=", "loud=", "true,false"},
		{"level=", "level=", "low,high"},
		{"zoom=", "zoom=", "1.50,2"},
		{"at=", "at=", `\@home,\\@x,<b>`},
		{"at:=", "at:=", `"@home","\\@x","<b>"`},
		{"text=@no", "text=@", "file"},
		{"data:=@no", "data:=@", "file"},
		{`odd\[name\]\:\==`, `odd\[name\]\:\==`, ""},
		{"unknown=", "unknown=", ""},
		{"bad[=", "bad[=", ""},
	} {
		v, ok := Values(json.RawMessage(proposed), c.word)
		values := strings.Join(v.Values, ",")
		if v.File {
			values = "file"
		}
		if !ok || v.Key != c.key || values != c.values {
			t.Errorf("%s: got %v %q %s, want %q %s", c.word, ok, v.Key, values, c.key, c.values)
		}
	}
	for _, word := range []string{"", "text", "=x"} {
		if v, ok := Values(json.RawMessage(proposed), word); ok {
			t.Errorf("%s: got %v", word, v)
		}
	}
}
