package apidiff

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changesOf compares two documents.
func changesOf(t *testing.T, old, new string) []Change {
	t.Helper()
	a, err := Read([]byte(old))
	if err != nil {
		t.Fatalf("%s: %v", old, err)
	}
	b, err := Read([]byte(new))
	if err != nil {
		t.Fatalf("%s: %v", new, err)
	}
	changes, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// TestItems is about all that is no schema. A ! is a change that breaks.
func TestItems(t *testing.T) {
	tool := func(rest string) string { return `{"tools":[{"name":"t",` + rest + `}]}` }
	prompt := func(rest string) string { return `{"prompts":[{"name":"p",` + rest + `}]}` }
	server := func(rest string) string { return `{"capabilities":{},` + rest + `}` }
	for _, c := range []struct{ old, new, want string }{
		{`{"tools":[]}`, `{"tools":[{"name":"t"}]}`, "tool t: the tool was added"},
		{`{"prompts":[{"name":"t"}]}`, `{"prompts":[]}`, "prompt t: the prompt was removed!"},
		{`{"resources":[{"uri":"u"}]}`, `{"resources":[{"uri":"v"}]}`, "resource u: the resource was removed!; resource v: the resource was added"},
		{`{"resourceTemplates":[{"uriTemplate":"u"}]}`, `{"resourceTemplates":[]}`, "template u: the template was removed!"},
		{`{"tools":[{"name":"b"},{"name":"a"}]}`, `{"tools":[{"name":"a"},{"name":"b"}]}`, ""},
		{`{"tools":[{"name":"a","title":"1"},{"name":"a","title":"2"}]}`, `{"tools":[{"name":"a","title":"2"},{"name":"a","title":"1"}]}`, ""},

		{tool(`"title":"x"`), tool(`"title":"y"`), "tool t title: title changed"},
		{tool(`"title":"x"`), tool(`"description":"y"`), "tool t description: description was added; tool t title: title was removed"},
		{tool(`"x":1`), tool(`"x":2`), "tool t x: x changed from 1 to 2"},
		{tool(`"_meta":{"a":1}`), tool(`"_meta":{"a":2}`), ""},
		{tool(`"outputSchema":{}`), tool(`"x":1`), "tool t outputSchema: outputSchema was removed!; tool t x: x was added"},
		{tool(`"inputSchema":{}`), tool(`"inputSchema":{},"outputSchema":{}`), "tool t outputSchema: outputSchema was added"},
		{tool(`"inputSchema":{"properties":{"a":{}}}`), tool(`"inputSchema":{"properties":{"a":{"maximum":1}}}`), "tool t inputSchema.properties.a.maximum: argument a: maximum 1 is new!"},

		{tool(`"annotations":{"readOnlyHint":true}`), tool(`"annotations":{}`), "tool t annotations.readOnlyHint: the tool no longer says that it is read-only!"},
		{tool(`"annotations":{"readOnlyHint":false}`), tool(`"annotations":{}`), "tool t annotations.readOnlyHint: readOnlyHint was removed"},
		{tool(`"title":""`), tool(`"title":"","annotations":{"readOnlyHint":true}`), "tool t annotations.readOnlyHint: the tool says now that it is read-only"},
		{tool(`"annotations":{"destructiveHint":false}`), tool(`"annotations":{"destructiveHint":true}`), "tool t annotations.destructiveHint: the tool says now that it is destructive!"},
		{tool(`"annotations":{"destructiveHint":false,"readOnlyHint":true}`), tool(`"annotations":{"readOnlyHint":true}`), "tool t annotations.destructiveHint: the tool no longer says that it is not destructive, which means nothing while it is read-only"},
		{tool(`"annotations":{"idempotentHint":true}`), tool(`"annotations":{"idempotentHint":false}`), "tool t annotations.idempotentHint: the tool says now that it is not idempotent!"},
		{tool(`"annotations":{"openWorldHint":false}`), tool(`"annotations":{}`), "tool t annotations.openWorldHint: the tool no longer says that it is closed-world!"},
		{tool(`"annotations":{"title":"x"}`), tool(`"annotations":{"title":"y"}`), "tool t annotations.title: title changed"},
		{tool(`"annotations":7`), tool(`"annotations":{"readOnlyHint":true}`), `tool t annotations: annotations changed from 7 to {"readOnlyHint":true}`},

		{tool(`"title":""`), tool(`"title":"","execution":{"taskSupport":"optional"}`), "tool t execution.taskSupport: the tool may run as a task or not; that was forbidden"},
		{tool(`"execution":{"taskSupport":"optional"}`), tool(`"execution":{"taskSupport":"required"}`), "tool t execution.taskSupport: the tool can only run as a task now!"},
		{tool(`"execution":{"taskSupport":"optional"}`), tool(`"execution":{}`), "tool t execution.taskSupport: the tool can no longer run as a task!"},

		{prompt(`"arguments":[]`), prompt(`"arguments":[{"name":"a"}]`), "prompt p arguments.a: argument a was added"},
		{prompt(`"title":""`), prompt(`"title":"","arguments":[{"name":"a","required":true}]`), "prompt p arguments.a: argument a was added and is required!"},
		{prompt(`"arguments":[{"name":"a"},{"name":"b"}]`), prompt(`"arguments":[{"name":"b"}]`), "prompt p arguments.a: argument a was removed!"},
		{prompt(`"arguments":[{"name":"a"}]`), prompt(`"arguments":[{"name":"a","required":true}]`), "prompt p arguments.a: argument a is required now!"},
		{prompt(`"arguments":[{"name":"a","required":true}]`), prompt(`"arguments":[{"name":"a","required":false}]`), "prompt p arguments.a: argument a is optional now"},
		{prompt(`"arguments":[{"name":"a","description":"x"}]`), prompt(`"arguments":[{"name":"a","description":"y"}]`), "prompt p arguments.a.description: argument a: description changed"},
		{prompt(`"arguments":[7]`), prompt(`"arguments":[8]`), "prompt p arguments: arguments changed in a way that cannot be judged!"},

		{`{"resources":[{"uri":"u","mimeType":"a/b"}]}`, `{"resources":[{"uri":"u","mimeType":"a/c"}]}`, `resource u mimeType: mimeType changed from "a/b" to "a/c"!`},
		{`{"resources":[{"uri":"u","mimeType":"a/b"}]}`, `{"resources":[{"uri":"u"}]}`, `resource u mimeType: mimeType was removed; it was "a/b"!`},
		{`{"resources":[{"uri":"u"}]}`, `{"resources":[{"uri":"u","mimeType":"a/b"}]}`, `resource u mimeType: mimeType was added: "a/b"`},
		{`{"resources":[{"uri":"u","size":1,"annotations":{"lastModified":"x"}}]}`, `{"resources":[{"uri":"u","size":2}]}`, ""},
		{`{"resources":[{"uri":"u","name":"x"}]}`, `{"resources":[{"uri":"u","name":"y","annotations":{"priority":1,"lastModified":"z"}}]}`, "resource u annotations: annotations were added; resource u name: name changed"},

		{server(`"serverInfo":{"name":"a","version":"1","title":"T"}`), server(`"serverInfo":{"name":"a","version":"2"}`), `server serverInfo.title: the server's title was removed; server serverInfo.version: the server's version changed from "1" to "2"`},
		{server(`"instructions":"a"`), server(`"instructions":"b"`), "server instructions: instructions changed"},
		{server(`"protocolVersion":"2025-06-18"`), server(`"protocolVersion":"2025-11-25"`), `server protocolVersion: the protocol version went from "2025-06-18" to "2025-11-25"`},
		{server(`"protocolVersion":"2025-06-18"`), server(`"protocolVersion":"2025-03-26"`), `server protocolVersion: the protocol version went back from "2025-06-18" to "2025-03-26"!`},
		{server(`"supportedVersions":["b","a"]`), server(`"supportedVersions":["a","c"]`), `server supportedVersions: protocol versions no longer spoken: "b"!; server supportedVersions: protocol versions spoken as well: "c"`},
		{`{"capabilities":{"tools":{},"logging":{}}}`, `{"capabilities":{"tools":{"listChanged":true}}}`, "server capabilities.logging: the capability logging was lost!; server capabilities.tools.listChanged: the capability tools.listChanged was added"},
		{`{"capabilities":{"resources":{"subscribe":true}}}`, `{"capabilities":{"resources":{"subscribe":false}}}`, "server capabilities.resources.subscribe: the capability resources.subscribe was lost!"},
		{`{"capabilities":{"experimental":{"x":{"limit":1}}}}`, `{"capabilities":{"experimental":{"x":{"limit":2}}}}`, "server capabilities.experimental.x.limit: the capability experimental.x.limit changed from 1 to 2"},

		// What a list of one kind does not speak of is not missing.
		{`{"tools":[{"name":"t"}]}`, `{"capabilities":{},"tools":[{"name":"t"}],"prompts":[{"name":"p"}]}`, ""},
		{`{"capabilities":{},"prompts":[{"name":"p"}]}`, `{"tools":[{"name":"t"}]}`, "tool t: the tool was added"},
	} {
		var lines []string
		for _, change := range changesOf(t, c.old, c.new) {
			line := strings.Join(strings.Fields(change.Kind+" "+change.Name+" "+change.Path), " ") + ": " + change.Message
			if change.Breaking {
				line += "!"
			}
			lines = append(lines, line)
		}
		if diff := cmp.Diff(c.want, strings.Join(lines, "; ")); diff != "" {
			t.Errorf("%s\n%s\n%s", c.old, c.new, diff)
		}
	}
}

func TestChangeJSON(t *testing.T) {
	changes := changesOf(t, `{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"default":0.10}}}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"default": [ 1e400, "\u0041" ]}}}}]}`)
	want := `{"kind":"tool","name":"t","path":"inputSchema.properties.a.default","change":"changed","breaking":false,"old":0.10,"new":[1e400,"\u0041"],` +
		`"message":"argument a: default changed from 0.10 to [1e400,\"\\u0041\"]"}`
	if len(changes) != 1 || string(changes[0].JSON()) != want {
		t.Errorf("got %s\nwant %s", changes[0].JSON(), want)
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"tools":`, "it is not JSON: unexpected EOF"},
		{`[]`, "it is not a JSON object"},
		{`{}`, "it has neither capabilities, as snapshots have, nor a list of tools, prompts, resources or resourceTemplates"},
		{`{"capabilities":{},"era":"stateful"}`, `it has a member "era", which snapshots have not`},
		{`{"tools":[],"nextCursor":"x"}`, "it is one page of a list and has a nextCursor"},
		{`{"tools":{}}`, "tools is not an array"},
		{`{"resources":[{"uri":"u"},{"name":"n"}]}`, `resources[1] is no object with a text "uri"`},
		{`{"prompts":[7]}`, `prompts[0] is no object with a text "name"`},
	} {
		_, err := Read([]byte(c.doc))
		var format *FormatError
		if !errors.As(err, &format) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.doc, err, c.want)
		}
	}
}

func TestCompareDisjoint(t *testing.T) {
	a, _ := Read([]byte(`{"tools":[]}`))
	b, _ := Read([]byte(`{"prompts":[]}`))
	var disjoint *DisjointError
	if _, err := Compare(a, b); !errors.As(err, &disjoint) {
		t.Errorf("got %v", err)
	}
}

func TestEncode(t *testing.T) {
	raw := func(s string) []byte { return []byte(s) }
	s := &Snapshot{
		ProtocolVersion: "2025-11-25",
		ServerInfo:      raw(`{"version":"1","name":"s","_meta":{"a":1}}`),
		Capabilities:    raw(`{"tools":{},"resources":{}}`),
	}
	s.Tools = append(s.Tools, raw(`{"name":"b","inputSchema":{"x":1.0,"a":"\u0041","a":"\u00e9"},"_meta":{"t":2}}`), raw(`{"inputSchema":{},"name":"a"}`))
	s.Resources = append(s.Resources, raw(`{"uri":"u","size":3,"annotations":{"priority":0.50,"lastModified":"x"}}`))
	want := `{"capabilities":{"resources":{},"tools":{}},"protocolVersion":"2025-11-25","resources":[{"annotations":{"priority":0.50},"uri":"u"}],` +
		`"serverInfo":{"name":"s","version":"1"},"tools":[{"inputSchema":{},"name":"a"},{"inputSchema":{"a":"\u00e9","x":1.0},"name":"b"}]}`
	got, err := s.Encode()
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
	if changes := changesOf(t, string(got), string(got)); len(changes) > 0 {
		t.Errorf("a snapshot is not like itself: %v", changes)
	}
	s.Prompts = append(s.Prompts, raw(`{"title":"nameless"}`))
	var item *ItemError
	if _, err := s.Encode(); !errors.As(err, &item) || item.List != "prompts" {
		t.Errorf("got %v", err)
	}
	if got, err := (&Snapshot{ProtocolVersion: "x", Capabilities: raw("null")}).Encode(); err != nil || string(got) != `{"capabilities":{},"protocolVersion":"x"}` {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestHostile makes sure that schemas built to take for ever end soon, in a change
// that cannot be judged, and that the tool behind them is still compared.
func TestHostile(t *testing.T) {
	doubling := func(leaf string) string { // 2 to the power of 60 schemas
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, `"d%d":{"not":{"oneOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d","title":"x"}]}},`, i, i+1, i+1)
		}
		return `{"$defs":{` + b.String() + `"d60":` + leaf + `},"properties":{"a":{"$ref":"#/$defs/d0"}}}`
	}
	cycle := func(n int, leaf string) string { // of n schemas, each the items of the one before
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"d%d":{"minimum":0,"items":{"$ref":"#/$defs/d%d"}},`, i, (i+1)%n)
		}
		return `{"$defs":{` + b.String() + `"z":{}},"items":{"$ref":"#/$defs/d0"},"properties":{"a":` + leaf + `}}`
	}
	deep := func(leaf string) string {
		return strings.Repeat(`{"items":`, 4000) + leaf + strings.Repeat("}", 4000)
	}
	wide := func(leaf string) string {
		return `{"anyOf":[` + strings.Repeat(`{"maximum":1},{"minimum":2},`, 20_000) + leaf + `]}`
	}
	for _, c := range []struct{ name, old, new string }{
		{"doubling", doubling(`{"maximum":1}`), doubling(`{"maximum":2}`)},
		{"cycles", cycle(101, `{"maximum":1}`), cycle(103, `{"maximum":2}`)},
		{"deep", deep(`{"maximum":1}`), deep(`{"maximum":2}`)},
		{"wide", wide(`{"maximum":3}`), wide(`{"maximum":4}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := func(schema string, max int) string {
				return fmt.Sprintf(`{"tools":[{"name":"a","inputSchema":%s},{"name":"b","inputSchema":{"maximum":%d}}]}`, schema, max)
			}
			changes := changesOf(t, doc(c.old, 1), doc(c.new, 2))
			if n := len(changes); n < 2 || changes[0].Name != "a" || changes[n-1].Path != "inputSchema.maximum" {
				t.Fatalf("got %d changes", n)
			}
			if c.name != "wide" && !strings.HasSuffix(changes[0].Message, "to be judged") {
				t.Errorf("got %q", changes[0].Message)
			}
			if changes := changesOf(t, doc(c.old, 1), doc(c.old, 1)); len(changes) > 0 {
				t.Error("it is not like itself")
			}
		})
	}
}

// TestShared makes sure that work is counted where many references lead to
// something large.
func TestShared(t *testing.T) {
	schema := func(max int) string {
		var big, many strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&big, `"p%d":{"enum":[1,2,3]},`, i)
			fmt.Fprintf(&many, `"r%d":{"title":"%d","$ref":"#/$defs/big"},`, i, i)
		}
		return fmt.Sprintf(`{"$defs":{"big":{"properties":{%s"z":{}}}},"properties":{%s"z":{"maximum":%d}}}`, &big, &many, max)
	}
	changes := changesOf(t, `{"tools":[{"name":"a","inputSchema":`+schema(1)+`}]}`, `{"tools":[{"name":"a","inputSchema":`+schema(2)+`}]}`)
	if len(changes) != 1 || !changes[0].Breaking && !strings.HasSuffix(changes[0].Message, "to be judged") {
		t.Errorf("got %d changes, %v", len(changes), changes[:1])
	}
}
