package yamltree

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"a: 1\nb: text\n", `{"a":1,"b":"text"}`},
		{"- 12345678901234567890\n- 0.10\n- 1e400\n- -0\n- +5\n- 007\n- .5\n- 5.\n- 0x1F\n- 0o17\n", `[12345678901234567890,0.10,1e400,-0,5,7,0.5,5,31,15]`},
		{"[yes, no, on, True, false, ~, null, '', 'true', \"1\", 1_000, 1e]", `["yes","no","on",true,false,null,null,"","true","1","1_000","1e"]`},
		{"a:\nb: {c: [1, {d: e}]}\n", `{"a":null,"b":{"c":[1,{"d":"e"}]}}`},
		{"text: |\n  two\n  lines\nfolded: >\n  one\n  line\n", `{"text":"two\nlines\n","folded":"one line\n"}`},
		{"base: &b {x: 1, y: 2}\nmore: {<<: *b, y: 3}\nsame: *b\n", `{"base":{"x":1,"y":2},"more":{"y":3,"x":1},"same":{"x":1,"y":2}}`},
		{"{\"a\": [1, \"\\u00e9\"], \"b\": {}}", `{"a":[1,"é"],"b":{}}`},
		{"a: !!str 5\n", `{"a":"5"}`},
		{"jq: .content[0].text == \"a\"\n", `{"jq":".content[0].text == \"a\""}`},
	} {
		doc, err := Parse([]byte(c.yaml))
		if err != nil {
			t.Errorf("%q: %v", c.yaml, err)
			continue
		}
		got, err := doc.JSON("", doc.Root)
		if err != nil || string(got) != c.want {
			t.Errorf("%q:\n got %s, %v\nwant %s", c.yaml, got, err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for yaml, want := range map[string]string{
		"":                                     "there is nothing in it",
		"a: 1\n---\nb: 2\n":                    "it is more than one document",
		"a: [1":                                "it is not YAML: ",
		"a: *nowhere\n":                        "a: its alias nowhere leads nowhere",
		"a: .inf\n":                            "a: JSON has no number .inf",
		"a: !!binary aGk=\n":                   "a: its tag !!binary is not known here",
		"a: &a [1,1]\nb: &b [*a,*a]\n? [x]\n:": "",
		"x: 1\nx: 2\n":                         "",
		"- &a [*a]\n":                          "it nests too deep",
		bomb():                                 "it repeats itself too often",
	} {
		doc, err := Parse([]byte(yaml))
		if err == nil {
			_, err = doc.JSON("", doc.Root)
		}
		var refused *Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", yaml, err, want)
		}
	}
}

// bomb is a few lines that stand for a billion values.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [1]\n")
	for i := range 9 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+",", 9) + "*a" + from + "]\n")
	}
	return b.String()
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"a: 1", "- &a [*a]", "{a: {<<: [{b: 1}]}}", "? [1]\n: 2", "a: !!str\n", "\xff", "a: |\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		doc, err := Parse(text)
		if err != nil {
			return
		}
		if got, err := doc.JSON("", doc.Root); err == nil && !json.Valid(got) {
			t.Errorf("%q became %s", text, got)
		}
	})
}
