package output

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// formatted is what a Printer makes of a document.
func formatted(t *testing.T, tty bool, o Options, doc string) string {
	t.Helper()
	var out bytes.Buffer
	p := NewPrinter(&out, tty, o)
	if err := p.JSON(t.Context(), json.RawMessage(doc)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const tinyPNG = "iVBORw0KGgoAAAANSUhEUg=="

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"texts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b\n"},{"type":"text","text":""}]}`, "a\nb\n"},
		{"structured only", `{"content":[],"structuredContent":{"m":1e400}}`, "m: 1e400\n"},
		{"link", `{"content":[{"type":"resource_link","uri":"file:///a","name":"A","mimeType":"text/plain","size":12}]}`, "[link: file:///a, A, text/plain, 12 bytes]\n"},
		{"binary", `{"content":[{"type":"image","mimeType":"image/png","data":"` + tinyPNG + `"},{"type":"audio","mimeType":"audio/wav","data":"AAAA"}]}`,
			"[image: image/png, 16 bytes]\n[audio: audio/wav, 3 bytes]\n"},
		{"embedded", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"inside"}},{"type":"resource","resource":{"uri":"a:c","blob":"AA==","mimeType":"x/y"}}]}`,
			"inside\n[binary: a:c, x/y, 1 bytes]\n"},
		{"unknown block", `{"content":[{"type":"hologram","n":1}]}`, "type: hologram\n\"n\": 1\n"},
		{"resource", `{"contents":[{"uri":"a:b","text":"one\n"},{"uri":"a:c","text":"two"}]}`, "one\ntwo\n"},
		{"prompt", `{"messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}]}`,
			"user: hi\nassistant: a\nassistant: \n"},
		{"list", `{"tools":[{"name":"日本","inputSchema":{},"description":"wide"},{"name":"abcdef","inputSchema":{},"description":"one\ntwo\n\nthree"}]}`,
			"日本    wide\nabcdef  one two\n"},
		{"values", `{"completion":{"values":["a","b"]}}`, "a\nb\n"},
		{"string", `"a\u001bb"`, "a\x1bb\n"},
		{"array", `["a",1,null]`, "a\n1\nnull\n"},
		{"other", `{"a":{"b":"c"}}`, "a:\n  b: c\n"},
	} {
		if diff := cmp.Diff(tt.want, formatted(t, false, Options{Format: FormatText}, tt.doc)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestFormatsAreSafe puts what steers a terminal into every place of every
// shape and looks for it in what reaches one.
func TestFormatsAreSafe(t *testing.T) {
	const evil = `\u001b]0;owned\u0007\u009b2J\u202e\u0000`
	raw := "\u009b\u202e\x7f" // JSON need not escape these
	docs := []string{}
	for _, bad := range []string{evil, raw} {
		s := `"` + bad + `"`
		docs = append(docs, s, `[`+s+`]`, `{`+s+`:`+s+`}`, `[{`+s+`:`+s+`}]`, `{"completion":{"values":[`+s+`]}}`,
			`{"content":[{"type":"text","text":`+s+`},{"type":"image","data":`+s+`,"mimeType":`+s+`},{"type":"resource_link","uri":`+s+`,"name":`+s+`},{"type":`+s+`}],"structuredContent":{"a":`+s+`}}`,
			`{"contents":[{"uri":`+s+`,"text":`+s+`},{"uri":`+s+`,"mimeType":"image/png","blob":`+s+`}]}`,
			`{"messages":[{"role":`+s+`,"content":{"type":"text","text":`+s+`}}]}`,
			`{"tools":[{"name":`+s+`,"description":`+s+`,"inputSchema":{},"annotations":{"title":`+s+`}}]}`,
			`{"prompts":[{"name":`+s+`,"arguments":[{"name":`+s+`}]}]}`,
			`{"resources":[{"uri":`+s+`,"name":`+s+`,"size":`+s+`}]}`)
	}
	for _, doc := range docs {
		for _, format := range Formats() {
			for _, images := range []Images{"", ImagesKitty, ImagesITerm, ImagesSixel} {
				out := formatted(t, true, Options{Format: Format(format), Color: ColorNever, Images: images}, doc)
				for _, r := range out {
					if r != '\n' && r != '\t' && steers(r) {
						t.Errorf("--format %s lets %q through: %q\nof %s", format, r, out, doc)
						break
					}
				}
			}
		}
	}
}

func TestTableFits(t *testing.T) {
	doc := `{"tools":[{"name":"a","inputSchema":{},"description":"` + strings.Repeat("wörd ", 40) + `"},{"name":"日本語の道具","inputSchema":{},"annotations":{"readOnlyHint":true},"description":"short e\u0301"}]}`
	for _, columns := range []int{30, 40, 80} {
		out := formatted(t, false, Options{Format: FormatTable, Columns: columns}, doc)
		for line := range strings.Lines(out) {
			if w := Width(strings.TrimSuffix(line, "\n")); w > columns {
				t.Errorf("%d columns: a line takes %d: %s", columns, w, line)
			}
		}
	}
	if out := formatted(t, false, Options{Format: FormatTable}, doc); !strings.Contains(out, strings.Repeat("wörd ", 39)) {
		t.Errorf("without a width nothing is cut: %s", out)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "😀": 2, "👩\u200d👩\u200d👧": 2, "👍🏽": 2, "한글": 4, "ｱ": 1, "Ａ": 2, "a\u200bb": 2} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestNDJSON(t *testing.T) {
	for doc, want := range map[string]string{
		`{"tools":[{"name":"a"},{"name":"b"}]}`:                   "{\"name\":\"a\"}\n{\"name\":\"b\"}\n",
		`{"content":[{"type":"text","text":"x"}],"isError":true}`: "{\"type\":\"text\",\"text\":\"x\"}\n",
		`{"contents":[{"n":1.50},2]}`:                             "{\"n\":1.50}\n2\n",
		`[1e400,{}]`:                                              "1e400\n{}\n",
		`{"other":1}`:                                             "{\"other\":1}\n",
		`{"completion":{"values":["a"],"total":1}}`:               "\"a\"\n",
		`{"tools":[]}`:                                            "",
	} {
		if got := formatted(t, true, Options{Format: FormatNDJSON, Color: ColorNever}, doc); got != want {
			t.Errorf("%s: got %q, want %q", doc, got, want)
		}
	}
}

func TestImages(t *testing.T) {
	doc := `{"content":[{"type":"image","mimeType":"image/png","data":"` + tinyPNG + `"}]}`
	for images, want := range map[Images]string{
		"":          "[image: image/png, 16 bytes]\n",
		ImagesKitty: "\x1b_Gf=100,a=T,q=2,m=0;" + tinyPNG + "\x1b\\\n",
		ImagesITerm: "\x1b]1337;File=inline=1;size=16:" + tinyPNG + "\a\n",
	} {
		if got := formatted(t, true, Options{Format: FormatText, Images: images}, doc); got != want {
			t.Errorf("%q: got %q, want %q", images, got, want)
		}
	}
	for _, tt := range []struct {
		env  map[string]string
		want Images
	}{
		{map[string]string{"TERM": "xterm-256color"}, ""},
		{map[string]string{"TERM": "xterm-kitty"}, ImagesKitty},
		{map[string]string{"KITTY_WINDOW_ID": "1", "TERM": "xterm"}, ImagesKitty},
		{map[string]string{"KITTY_WINDOW_ID": "1", "TERM": "tmux-256color"}, ""},
		{map[string]string{"TERM_PROGRAM": "iTerm.app"}, ImagesITerm},
		{map[string]string{"TERM_PROGRAM": "iTerm.app", "TMUX": "x"}, ""},
		{map[string]string{"TERM_PROGRAM": "WezTerm"}, ImagesITerm},
		{map[string]string{"TERM": "foot"}, ImagesSixel},
		{map[string]string{"TERM": "xterm-sixel"}, ImagesSixel},
	} {
		if got := ImagesOf(func(k string) string { return tt.env[k] }); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.env, got, tt.want)
		}
	}
}
