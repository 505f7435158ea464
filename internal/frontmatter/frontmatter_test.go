package frontmatter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func doc(yaml string) []byte { return []byte("---\n" + yaml + "\n---\n\n# Text\n") }

func TestSame(t *testing.T) {
	for _, tt := range []struct{ yaml, json string }{
		{"name: x\ndescription: A thing.", `{"description":"A thing.","name":"x"}`},
		{"a: 'it''s'\nb: \"tab\\t\"\nc: |\n  one\n  two\nd: >-\n  one\n  two", `{"a":"it's","b":"tab\t","c":"one\ntwo\n","d":"one two"}`},
		{"a: x # comment", `{"a":"x"}`},
		{"a: [1, two, {b: c}]\nd:\n- e\n- f: g\n  h: i", `{"a":[1,"two",{"b":"c"}],"d":["e",{"f":"g","h":"i"}]}`},
		{"metadata:\n  version: '1.0'\n  tags: []\n  none: {}", `{"metadata":{"version":"1.0","tags":[],"none":{}}}`},
		{"a:\nb: ~\nc: null", `{"a":null,"b":null,"c":null}`},
		{"a: 1\nb: 1.10\nc: -5\nd: 12345678901234567890123\ne: 1.5e3", `{"a":1.0,"b":1.1,"c":-5,"d":12345678901234567890123,"e":1500}`},
		{"a: 12345678901234567890123", `{"a":1.2345678901234568e22}`},
		{"a: true\nb: False", `{"a":true,"b":false}`},
		{"a: yes\nb: yes", `{"a":true,"b":"yes"}`},
		{"a: 010\nb: 010\nc: 0o10\nd: 0x1F\ne: 1_000\nf: 1_000\ng: 1e3\nh: 1e3\ni: 1:30\nj: 1:30", `{"a":8,"b":10,"c":8,"d":31,"e":1000,"f":"1_000","g":1000,"h":"1e3","i":90,"j":"1:30"}`},
		{"a: 2024-01-02\nb: 2024-01-02", `{"a":"2024-01-02","b":"2024-01-02T00:00:00.000Z"}`},
		{"a: !!str 5", `{"a":"5"}`},
		{"a: &x [1, 2]\nb: *x", `{"a":[1,2],"b":[1,2]}`},
		{"base: &b {q: 1, r: 2}\na:\n  <<: *b\n  r: 3", `{"base":{"q":1,"r":2},"a":{"q":1,"r":3}}`},
		{"1: x\ntrue: y", `{"1":"x","true":"y"}`},
		{"a: über \"x\"", `{"a":"\u00fcber \"x\""}`},
		{"a: one\n  two", `{"a":"one two"}`},
		{"x: http://a.b/c", `{"x":"http://a.b/c"}`},
	} {
		if err := Compare(doc(tt.yaml), json.RawMessage(tt.json)); err != nil {
			t.Errorf("%q: %v", tt.yaml, err)
		}
	}
}

func TestDifferent(t *testing.T) {
	for _, tt := range []struct{ yaml, json, field string }{
		{"name: x\ndescription: A thing.", `{"name":"x","description":"Another."}`, "description"},
		{"name: x", `{"name":"x","license":"MIT"}`, "license"},
		{"name: x\nallowed-tools: Bash", `{"name":"x"}`, "allowed-tools"},
		{"name: x", `{"name":"x","name":"x"}`, ""},
		{"name: x\nname: x", `{"name":"x"}`, ""},
		{"a: {b: [1, 2]}", `{"a":{"b":[1,3]}}`, "a.b[1]"},
		{"a: {b: [1, 2]}", `{"a":{"b":[1]}}`, "a.b"},
		{"a: [1]", `{"a":{"0":1}}`, "a"},
		{"a: {b: c}", `{"a":"b"}`, "a"},
		{"a: '5'", `{"a":5}`, "a"},
		{"a: 5", `{"a":"5"}`, "a"},
		{"a: 'true'", `{"a":true}`, "a"},
		{"a: true", `{"a":"true"}`, "a"},
		{"a: null", `{"a":"null"}`, "a"},
		{"a: ''", `{"a":null}`, "a"},
		{"a: x", `{"a":"X"}`, "a"},
		{"a: 1", `{"a":2}`, "a"},
		{"a: yes", `{"a":false}`, "a"},
		{"a: .inf", `{"a":1}`, "a"},
		{"a: !secret x", `{"a":"x"}`, "a"},
		{"a: *nobody", `{"a":"x"}`, "a"},
		{"a: 1e999999999", `{"a":1}`, "a"},
		{"a: [", `{"a":[]}`, ""},
		{"just text", `{"a":"b"}`, ""},
		{"", `{}`, ""},
	} {
		var diff *Error
		err := Compare(doc(tt.yaml), json.RawMessage(tt.json))
		if !errors.As(err, &diff) || diff.Field != tt.field {
			t.Errorf("%q and %s: %v", tt.yaml, tt.json, err)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		document, want string
		ok             bool
	}{
		{"---\na: b\n---\n", "a: b\n", true},
		{"\xef\xbb\xbf---\r\na: b\r\n---\r\ntext", "a: b\r\n", true},
		{"---\na: b\n---", "a: b\n", true},
		{"---\n---\n", "", true},
		{"---\na: b\n----\n---  \n---\n", "a: b\n----\n", true},
		{"---\na: b\n", "", false},
		{"# no\n---\na: b\n---\n", "", false},
		{"\n---\na: b\n---\n", "", false},
		{"", "", false},
		{"---", "", false},
		{"---\n" + strings.Repeat("#\n", MaxSize) + "---\n", "", false},
	} {
		got, err := Split([]byte(tt.document))
		if string(got) != tt.want || (err == nil) != tt.ok {
			t.Errorf("%.40q: %q, %v", tt.document, got, err)
		}
	}
}

// A few bytes must not cost minutes, or the process.
func TestHostile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		prev := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+prev+",", 9), ",") + "]\n"
	}
	claimed := `"x"`
	for range 9 {
		claimed = "[" + strings.TrimSuffix(strings.Repeat(claimed+",", 9), ",") + "]"
		if len(claimed) > 1<<20 {
			break
		}
	}
	for name, yaml := range map[string]string{
		"aliases":  bomb,
		"brackets": "a: " + strings.Repeat("[", 16_000),
		"braces":   "a: " + strings.Repeat("{b: ", 4_000),
		"nested":   "a: " + strings.Repeat("[", 8_000) + strings.Repeat("]", 8_000),
		"itself":   "a: &a [*a]",
		"hyphens":  strings.Repeat("- ", 8_000),
		"keys":     strings.Repeat("? ", 8_000),
		"merges":   "a: &a {<<: *a}",
		"many":     "a: &a {" + strings.Repeat("x: 1, ", 1_000) + "y: 1}\nb:\n" + strings.Repeat("  <<: *a\n", 900),
	} {
		began := time.Now()
		if err := Compare(doc(yaml), json.RawMessage(`{"a":`+claimed+`}`)); err == nil {
			t.Errorf("%s: taken as equal", name)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("name: x\ndescription: y", `{"name":"x","description":"y"}`)
	f.Add("a: &x [1]\nb: *x\nc:\n  <<: {d: e}", `{"a":[1],"b":[1],"c":{"d":"e"}}`)
	f.Fuzz(func(t *testing.T, yaml, claimed string) {
		if !json.Valid([]byte(claimed)) || strings.TrimSpace(claimed) != claimed {
			t.Skip()
		}
		_ = Compare(doc(yaml), json.RawMessage(claimed)) // it returns
	})
}
