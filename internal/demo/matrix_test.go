package demo

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// all collects a list over its pages.
func (p *peer) all(method, key string) (names []string, pages int, raw []byte) {
	p.t.Helper()
	params := `{}`
	for {
		res := p.call(method, params).must(p.t)
		raw = append(raw, res...)
		pages++
		var page map[string]json.RawMessage
		json.Unmarshal(res, &page)
		var items []struct{ Name string }
		if err := json.Unmarshal(page[key], &items); err != nil {
			p.t.Fatalf("%s in %s: %v", key, res, err)
		}
		for _, i := range items {
			names = append(names, i.Name)
		}
		if p.era.stateless {
			contains(p.t, res, `"ttlMs":300000`, `"cacheScope":"public"`, `"resultType":"complete"`, `"io.modelcontextprotocol/serverInfo"`)
		} else if bytes.Contains(res, []byte("ttlMs")) || bytes.Contains(res, []byte("resultType")) {
			p.t.Errorf("stateless members in a stateful result: %s", res)
		}
		next, ok := page["nextCursor"]
		if !ok {
			return names, pages, raw
		}
		params = fmt.Sprintf(`{"cursor":%s}`, next)
	}
}

func TestLists(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		for _, l := range []struct {
			method, key string
			names       []string
			pages       int
		}{
			{"tools/list", "tools", []string{"echo", "add", "slow", "fail", "image", "logs", "ask", "big", "region", "touch", "job"}, 6},
			{"resources/list", "resources", []string{"readme", "config", "logo.png"}, 2},
			{"resources/templates/list", "resourceTemplates", []string{"greeting"}, 1},
			{"prompts/list", "prompts", []string{"greet", "review"}, 1},
		} {
			names, pages, raw := p.all(l.method, l.key)
			if d := cmp.Diff(l.names, names); d != "" || pages != l.pages {
				t.Errorf("%s: %d pages, %s", l.method, pages, d)
			}
			for member, known := range map[string]bool{
				`"icons"`: p.era.icons, `"title":"`: p.era.titles, `"outputSchema"`: p.era.titles && l.key == "tools",
				`"_meta":{"demo.mcpq`: p.era.titles && l.key == "tools", `"readOnlyHint"`: p.era.annotations && l.key == "tools",
			} {
				if !known && bytes.Contains(raw, []byte(member)) {
					// The annotation title belongs to the annotations of tools.
					if member == `"title":"` && bytes.Count(raw, []byte(member)) == bytes.Count(raw, []byte(`"annotations":{"title":"`)) {
						continue
					}
					t.Errorf("%s has %s, which the version does not know", l.method, member)
				}
				if known && l.key == "tools" && !bytes.Contains(raw, []byte(member)) {
					t.Errorf("%s lacks %s", l.method, member)
				}
			}
			wantCode(t, p.call(l.method, `{"cursor":"bm9uZTox"}`), codeInvalidParams)
			wantCode(t, p.call(l.method, `{"cursor":""}`), codeInvalidParams)
			wantCode(t, p.call(l.method, `{"cursor":7}`), codeInvalidParams)
		}
	})
}

func TestTools(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		tests := []struct{ name, args, want string }{
			{"echo", `{"text":"a<b>&\u2028 \"ü\n"}`, "a<b>&\u2028 \"ü\n"},
			{"add", `{"a":2,"b":3}`, `{"sum":5}`},
			{"add", `{"a":12345678901234567890123,"b":1}`, `{"sum":12345678901234567890124}`},
			{"add", `{"a":0.1,"b":0.2}`, `{"sum":0.3}`},
			{"add", `{"a":1e3,"b":-1.5e-2}`, `{"sum":999.985}`},
			{"slow", `{"seconds":0,"steps":2}`, "waited 0s in 2 steps"},
			{"slow", `{"seconds":0.01,"steps":2.0}`, "waited 10ms in 2 steps"},
			{"fail", `{}`, "failed: it was asked to"},
			{"fail", `{"reason":"boom"}`, "failed: boom"},
			{"big", `{"bytes":100}`, (bigText + bigText)[:100]},
			{"touch", `{"language":"fr"}`, "demo://config is at revision 1"},
		}
		for _, tt := range tests {
			r := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tt.name, tt.args))
			if got := r.text(t); got != tt.want {
				t.Errorf("%s %s: got %q, want %q", tt.name, tt.args, got, tt.want)
			}
			if isErr := bytes.Contains(r.result, []byte(`"isError":true`)); isErr != (tt.name == "fail") {
				t.Errorf("%s: isError %v", tt.name, isErr)
			}
			if p.era.stateless {
				contains(t, r.result, `"resultType":"complete"`, `"io.modelcontextprotocol/serverInfo":{`)
			}
			if tt.name == "add" && bytes.Contains(r.result, []byte(`"structuredContent":`+tt.want)) != p.era.titles {
				t.Errorf("structuredContent: %s", r.result)
			}
		}
		if r := p.call("tools/call", `{"name":"big"}`); len(r.text(t)) != 1<<20 {
			t.Errorf("big: %d characters", len(r.text(t)))
		}
		var pic struct{ Content []struct{ Data []byte } }
		json.Unmarshal(p.call("tools/call", `{"name":"image","arguments":{}}`).must(t), &pic)
		if img, err := png.Decode(bytes.NewReader(pic.Content[0].Data)); err != nil || img.Bounds().Dx() != 16 {
			t.Errorf("image: %v", err)
		}
	})
}

func TestToolErrors(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		for _, params := range []string{`{"name":"nope"}`, `{}`, `{"name":7}`, `{"name":"echo","arguments":[1]}`, `{"name":"echo","arguments":null}`} {
			wantCode(t, p.call("tools/call", params), codeInvalidParams)
		}
		for _, tt := range []struct{ name, args, want string }{
			{"echo", `{}`, `argument "text": is required`},
			{"echo", `{"text":1}`, `argument "text": want a string, got number`},
			{"echo", `{"text":"a","more":1}`, `argument "more": is unknown`},
			{"add", `{"a":"1","b":2}`, `argument "a": want number, got string`},
			{"add", `{"a":1e99999,"b":2}`, `argument "a": the number is out of range`},
			{"slow", `{"steps":1.5}`, `argument "steps": want an integer`},
			{"slow", `{"steps":0}`, `argument "steps": must be at least 1`},
			{"big", `{"bytes":4294967297}`, `argument "bytes": must be at most 4294967296`},
			{"touch", `{"language":"xx"}`, `argument "language": want one of de, en, fr`},
		} {
			r := p.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tt.name, tt.args))
			if !p.era.inputAsResult {
				wantCode(t, r, codeInvalidParams)
				if r.err != nil && r.err.Message != tt.want {
					t.Errorf("got %q, want %q", r.err.Message, tt.want)
				}
				continue
			}
			if got := r.text(t); got != tt.want || !bytes.Contains(r.result, []byte(`"isError":true`)) {
				t.Errorf("got %s, want %q", r.result, tt.want)
			}
		}
	})
}

func TestResources(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		for uri, want := range map[string]string{
			"demo://readme": `"mimeType":"text/markdown","text":"# Demo server`, "demo://config": `{\"language\":\"en\",\"revision\":0}`,
			"demo://logo.png": `"blob":"` + logoPNG, "demo://greeting/J%C3%BCrgen%20X": "Hello, Jürgen X!",
		} {
			contains(t, p.call("resources/read", fmt.Sprintf(`{"uri":%q}`, uri)).must(t), `"uri":"`+uri, want)
		}
		raw, err := base64.StdEncoding.DecodeString(logoPNG)
		if err != nil || len(raw) != logoSize {
			t.Errorf("logo: %d bytes, %v", len(raw), err)
		}
		for _, uri := range []string{"demo://none", "demo://greeting/", "demo://greeting/a/b", "demo://greeting/%zz"} {
			r := p.call("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
			wantCode(t, r, map[bool]int{true: codeInvalidParams, false: codeResourceMissing}[p.era.stateless])
			if data, _ := json.Marshal(r.err.Data); string(data) != fmt.Sprintf(`{"uri":%q}`, uri) {
				t.Errorf("data %s", data)
			}
		}
		wantCode(t, p.call("resources/read", `{}`), codeInvalidParams)
	})
}

func TestPromptsAndCompletion(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		contains(t, p.call("prompts/get", `{"name":"greet","arguments":{"name":"Ada","style":"pirate"}}`).must(t), `Write a pirate greeting for Ada.`)
		contains(t, p.call("prompts/get", `{"name":"review","arguments":{"language":"go","framework":"chi"}}`).must(t), `go (chi) code`, `"type":"resource"`, `"role":"assistant"`)
		for _, bad := range []string{`{"name":"none"}`, `{"name":"greet"}`, `{"name":"greet","arguments":{"name":1}}`, `{"name":"greet","arguments":{"name":"a","x":"y"}}`, `{}`} {
			wantCode(t, p.call("prompts/get", bad), codeInvalidParams)
		}
		for params, want := range map[string]string{
			`{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"style","value":"F"}}`:                                                    `["formal","friendly"]`,
			`{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"language","value":""}}`:                                                 `["go","javascript","python"]`,
			`{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"framework","value":"f"},"context":{"arguments":{"language":"python"}}}`: `["fastapi","flask"]`,
			`{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"framework","value":"e"}}`:                                               `["echo","express"]`,
			`{"ref":{"type":"ref/resource","uri":"demo://greeting/{name}"},"argument":{"name":"name","value":"a"}}`:                                   `["Ada","Alan"]`,
			`{"ref":{"type":"ref/resource","uri":"demo://greeting/{name}"},"argument":{"name":"name","value":"zz"}}`:                                  `[]`,
		} {
			contains(t, p.call("completion/complete", params).must(t), `"values":`+want)
		}
		for _, bad := range []string{`{}`, `{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}}`,
			`{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"a","value":""}}`, `{"ref":{"type":"other"},"argument":{"name":"a","value":""}}`,
			`{"ref":{"type":"ref/resource","uri":"demo://readme"},"argument":{"name":"name","value":""}}`} {
			wantCode(t, p.call("completion/complete", bad), codeInvalidParams)
		}
	})
}

func TestProgressAndLogs(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		p.meta = map[string]any{"progressToken": "p-1"}
		r := p.call("tools/call", `{"name":"slow","arguments":{"seconds":0,"steps":3}}`)
		p.meta = nil
		r.must(t)
		var got []string
		for _, m := range r.before {
			var v struct {
				ProgressToken   string
				Progress, Total int
				Message         string
			}
			json.Unmarshal(m.Params, &v)
			got = append(got, fmt.Sprintf("%s %s %d/%d %s", m.method(), v.ProgressToken, v.Progress, v.Total, v.Message))
		}
		want := []string{"notifications/progress p-1 1/3 step 1 of 3", "notifications/progress p-1 2/3 step 2 of 3", "notifications/progress p-1 3/3 step 3 of 3"}
		if !p.era.progressText {
			for i := range want {
				want[i] = strings.SplitAfter(want[i], "3 ")[0]
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if p.url != "" && r.kind != "text/event-stream" {
			t.Errorf("progress came as %s", r.kind)
		}
		if r := p.call("tools/call", `{"name":"slow","arguments":{"seconds":0,"steps":3}}`); len(r.before) != 0 || (p.url != "" && r.kind != "application/json") {
			t.Errorf("without a token: %d messages, %s", len(r.before), r.kind)
		}
		levels := func() (names []string) {
			for _, m := range p.call("tools/call", `{"name":"logs"}`).before {
				var v struct{ Level string }
				json.Unmarshal(m.Params, &v)
				names = append(names, m.method()+" "+v.Level)
			}
			return names
		}
		worst := []string{"notifications/message critical", "notifications/message alert", "notifications/message emergency"}
		if p.era.stateless {
			if got := levels(); got != nil {
				t.Errorf("logs nobody asked for: %v", got)
			}
			p.meta = map[string]any{metaLogLevel: "critical"}
		} else {
			if got := levels(); len(got) != 7 {
				t.Errorf("default level: %v", got)
			}
			p.call("logging/setLevel", `{"level":"critical"}`).must(t)
			wantCode(t, p.call("logging/setLevel", `{"level":"warn"}`), codeInvalidParams)
		}
		if d := cmp.Diff(worst, levels()); d != "" {
			t.Error(d)
		}
	})
}

func TestAsk(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		for answer, want := range map[string]string{
			`{"action":"accept","content":{"name":"Ada","colour":"blue","loud":true}}`: "Hello, Ada, who likes blue!!!",
			`{"action":"decline"}`: "You declined to answer.",
			`{"action":"cancel"}`:  "You dismissed the question.",
			`{"action":"accept"}`:  `the answer does not fit the form: argument "name": is required`,
			`{"action":"accept","content":{"name":"Ada","loud":"x"}}`: "loud must be a boolean",
		} {
			p.elicit = answer
			r := p.call("tools/call", `{"name":"ask","arguments":{"question":"Who?"}}`)
			if p.era.stateless {
				var v struct {
					ResultType, RequestState string
					InputRequests            map[string]struct{ Method string }
				}
				json.Unmarshal(r.must(t), &v)
				if v.ResultType != "input_required" || v.InputRequests["who"].Method != "elicitation/create" {
					t.Fatalf("got %s", r.result)
				}
				wantCode(t, p.call("tools/call", `{"name":"ask","arguments":{"question":"Other?"},"requestState":"`+v.RequestState+`","inputResponses":{"who":`+answer+`}}`), codeInvalidParams)
				r = p.call("tools/call", `{"name":"ask","arguments":{"question":"Who?"},"requestState":"`+v.RequestState+`","inputResponses":{"who":`+answer+`}}`)
			}
			if !p.era.elicitation {
				want = "protocol version " + p.version + " cannot ask the user"
			}
			if got := r.text(t); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

func TestAskWithoutCapability(t *testing.T) {
	s := New(Options{})
	p := streamPeer(t, s, version2026July)
	p.caps = `{"elicitation":{"url":{}}}`
	r := p.call("tools/call", `{"name":"ask"}`)
	wantCode(t, r, codeMissingCapability)
	if d, _ := json.Marshal(r.err.Data); string(d) != `{"requiredCapabilities":{"elicitation":{"form":{}}}}` {
		t.Errorf("data %s", d)
	}
}

func TestOtherEraMethods(t *testing.T) {
	everywhere(t, func(t *testing.T, p *peer) {
		if p.era.stateless {
			for _, m := range []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list", "none"} {
				r := p.call(m, `{}`)
				wantCode(t, r, codeMethodNotFound)
				if p.url != "" && r.status != 404 {
					t.Errorf("%s: status %d", m, r.status)
				}
			}
			res := p.call("server/discover", `{}`).must(t)
			contains(t, res, `"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`, `"instructions":"`, `"ttlMs":3600000`, `"version":"9"`, `"title":"Demo server"`)
			return
		}
		p.call("ping", `{}`).must(t)
		wantCode(t, p.call("none", `{}`), codeMethodNotFound)
		wantCode(t, p.call("resources/subscribe", `{"uri":"demo://none"}`), codeResourceMissing)
		if p.url == "" {
			wantCode(t, p.call("initialize", `{}`), codeInvalidRequest)
		}
	})
}
