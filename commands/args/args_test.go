package args

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var files = fstest.MapFS{
	"notes.txt":    {Data: []byte("one\ntwo \"2\"\n")},
	"five.txt":     {Data: []byte("5\n")},
	"payload.json": {Data: []byte("\ufeff{ \"n\": 1e400,\n\"s\": \"\\u00e9\" }\n")},
	"list.json":    {Data: []byte("[1]\n")},
	"bad.json":     {Data: []byte("{\n")},
	"empty":        {},
	"latin1":       {Data: []byte("caf\xe9")},
}

func source(stdin string) Source {
	return Source{Stdin: strings.NewReader(stdin), ReadFile: files.ReadFile}
}

// kitchen is an inputSchema with something of everything.
const kitchen = `{
  "type":"object",
  "properties":{
    "i":{"type":"integer"}, "n":{"type":"number"}, "b":{"type":"boolean"}, "z":{"type":"null"}, "s":{"type":"string"},
    "zip":{"type":"string"}, "zip2":{"$ref":"#/$defs/zip"},
    "arr":{"type":"array","items":{"type":"integer"}}, "obj":{"type":"object","properties":{"k":{"type":"integer"},"[x]":{"type":"boolean"}},"additionalProperties":{"type":"number"}},
    "tags":{"type":"array","items":{"type":"string"}},
    "tuple":{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}},
    "oldtuple":{"items":[{"type":"string"},{"type":"integer"}],"additionalItems":{"type":"boolean"}},
    "filter":{"type":"object","properties":{"lang":{"type":"string"},"max":{"type":"integer"}},"patternProperties":{"^is_":{"type":"boolean"}}},
    "rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}},
    "byid":{"type":"object","additionalProperties":{"type":"integer"}},
    "optint":{"anyOf":[{"type":"integer"},{"type":"null"}]}, "optstr":{"type":["string","null"]}, "intnull":{"type":["integer","null"]},
    "mixed":{"oneOf":[{"type":"integer"},{"type":"string"}]}, "boolint":{"type":["boolean","integer"]},
    "fmt":{"enum":["json","text"]}, "level":{"enum":[1,2.0,"3",null,true]}, "one":{"const":7}, "word":{"const":"7"},
    "strint":{"type":"string","enum":["1","2"]}, "either":{"anyOf":[{"enum":["auto"]},{"type":"integer"}]}, "eithernull":{"type":["string","null"],"enum":["a",null]},
    "both":{"allOf":[{"type":["integer","string"]},{"type":["integer","boolean"]}]},
    "refd":{"$ref":"#/$defs/count"}, "anchored":{"$ref":"#cnt"}, "dyn":{"$dynamicRef":"#cnt"}, "old":{"$ref":"#/definitions/a~1b%25"},
    "sib":{"$ref":"#/$defs/count","description":"x"}, "away":{"$ref":"https://example.com/x"}, "loop":{"$ref":"#/$defs/loop"},
    "tree":{"$ref":"#/$defs/tree"},
    "any":{}, "yes":true, "no":false, "untyped":{"properties":{"k":{"type":"integer"}}}, "list":{"items":{"type":"integer"}}, "unknown":{"type":"decimal"},
    "naïve":{"type":"integer"}, "a:":{"type":"integer"}, "x=y":{"type":"integer"}, "":{"type":"integer"},
    "shade":{"enum":[null,false,1.50,[1],{"a":1}]}, "month":{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13]},
    "dflt":{"type":"integer","default":9}
  },
  "$defs":{"zip":{"type":"string"},"count":{"$anchor":"cnt","type":"integer"},"loop":{"anyOf":[{"$ref":"#/$defs/loop"},{"$ref":"#/$defs/loop"}]},
    "tree":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}},
  "definitions":{"a/b%":{"type":"integer"}}
}`

func TestBuild(t *testing.T) {
	tests := []struct {
		name   string
		base   string
		tokens []string
		want   string
	}{
		{"nothing", "", nil, `{}`},
		{"integers", "", []string{"i=5"}, `{"i":5}`},
		{"negative", "", []string{"i=-7"}, `{"i":-7}`},
		{"past 2^53", "", []string{"i=9007199254740993"}, `{"i":9007199254740993}`},
		{"thirty digits", "", []string{"i=123456789012345678901234567890"}, `{"i":123456789012345678901234567890}`},
		{"integer with a fraction of zero", "", []string{"i=5.0"}, `{"i":5.0}`},
		{"integer with an exponent", "", []string{"i=1.25e2"}, `{"i":1.25e2}`},
		{"integer of 400 digits", "", []string{"i=1e400"}, `{"i":1e400}`},
		{"minus zero", "", []string{"i=-0", "n=-0.0"}, `{"i":-0,"n":-0.0}`},
		{"numbers as spelled", "", []string{"n=0.10", "n:=1e400", "byid[x]=12345678901234567890"}, `{"n":1e400,"byid":{"x":12345678901234567890}}`},
		{"padded by wc", "", []string{"i=      5", "b= true "}, `{"i":5,"b":true}`},
		{"booleans", "", []string{"b=true", "arr:=false"}, `{"b":true,"arr":false}`},
		{"null", "", []string{"z=null"}, `{"z":null}`},
		{"string keeps its text", "", []string{"zip=01234", "s= x ", "s=1e3"}, `{"zip":"01234","s":"1e3"}`},
		{"string that reads like JSON", "", []string{`s={"a":1}`, "zip=null", "zip2=007"}, `{"s":"{\"a\":1}","zip":"null","zip2":"007"}`},
		{"quotes and controls", "", []string{"s=\"\\\x01<&>\u2028"}, "{\"s\":\"\\\"\\\\\\u0001<&>\u2028\"}"},
		{"empty string", "", []string{"s="}, `{"s":""}`},
		{"value with = and :=", "", []string{"s=a=b:=c"}, `{"s":"a=b:=c"}`},
		{"array and object as JSON", "", []string{"arr=[1, 2]", `obj={"k" : 1.50}`}, `{"arr":[1,2],"obj":{"k":1.50}}`},
		{"unknown name", "", []string{"new=5", "new2[a]=1"}, `{"new":"5","new2":{"a":"1"}}`},
		{"JSON is never coerced", "", []string{`i:="5"`, "s:=5", `obj:=[1, {"a":1e400}]`}, `{"i":"5","s":5,"obj":[1,{"a":1e400}]}`},
		{"defaults are not sent", "", []string{"i=1"}, `{"i":1}`},
		// Types that allow more than one.
		{"optional integer", "", []string{"optint=5", "intnull=null"}, `{"optint":5,"intnull":null}`},
		{"optional integer null", "", []string{"optint=null"}, `{"optint":null}`},
		{"optional string", "", []string{"optstr=null"}, `{"optstr":"null"}`},
		{"a string is allowed", "", []string{"mixed=5"}, `{"mixed":"5"}`},
		{"boolean or integer", "", []string{"boolint=true"}, `{"boolint":true}`},
		{"all of", "", []string{"both=5"}, `{"both":5}`},
		{"enum of strings", "", []string{"fmt=json", "strint=1"}, `{"fmt":"json","strint":"1"}`},
		{"unknown member is left to the validation", "", []string{"fmt=xml"}, `{"fmt":"xml"}`},
		{"enum of all types", "", []string{"level=1"}, `{"level":1}`},
		{"enum by value", "", []string{"level=2"}, `{"level":2}`},
		{"enum prefers the string", "", []string{"level=3"}, `{"level":"3"}`},
		{"enum null", "", []string{"level=null", "eithernull=null"}, `{"level":null,"eithernull":null}`},
		{"enum boolean", "", []string{"level=true"}, `{"level":true}`},
		{"const", "", []string{"one=7", "word=7"}, `{"one":7,"word":"7"}`},
		{"enum or integer", "", []string{"either=auto"}, `{"either":"auto"}`},
		{"no type", "", []string{"any=5", "yes=5", "no=5", "unknown=5", "away=5"}, `{"any":"5","yes":"5","no":"5","unknown":"5","away":"5"}`},
		{"no type but properties", "", []string{`untyped={"k":1}`}, `{"untyped":{"k":1}}`},
		{"no type but items", "", []string{`list=[1]`, "list[]=2"}, `{"list":[1,2]}`},
		{"text where properties are", "", []string{`untyped=x`}, `{"untyped":"x"}`},
		// References.
		{"references", "", []string{"refd=1", "anchored=2", "dyn=3", "old=4", "sib=5"}, `{"refd":1,"anchored":2,"dyn":3,"old":4,"sib":5}`},
		{"reference to itself", "", []string{"loop=5"}, `{"loop":"5"}`},
		{"recursive schema", "", []string{"tree[kids][][kids][][v]=5"}, `{"tree":{"kids":[{"kids":[{"v":5}]}]}}`},
		// Paths.
		{"append", "", []string{"tags[]=go", "tags[]=cli"}, `{"tags":["go","cli"]}`},
		{"append coerces", "", []string{"arr[]=1", "arr[]=2e0"}, `{"arr":[1,2e0]}`},
		{"items", "", []string{"arr[0]=1", "arr[1]=2", "arr[0]=3"}, `{"arr":[3,2]}`},
		{"members", "", []string{"filter[lang]=en", "filter[max]=5", "filter[is_x]=true", "filter[other]=1"}, `{"filter":{"lang":"en","max":5,"is_x":true,"other":"1"}}`},
		{"additional properties", "", []string{"obj[k]=1", "obj[other]=2.5"}, `{"obj":{"k":1,"other":2.5}}`},
		{"rows", "", []string{"rows[0][id]=1", "rows[0][name]=1", "rows[][id]=2"}, `{"rows":[{"id":1,"name":"1"},{"id":2}]}`},
		{"JSON by path", "", []string{"a[0][b]:=1", "a[0][c][]:=[1, 2]"}, `{"a":[{"b":1,"c":[[1,2]]}]}`},
		{"digits name a member of an object", "", []string{"byid[0]=1", "byid[007]=2"}, `{"byid":{"0":1,"007":2}}`},
		{"leading zeros are a name", "", []string{"x[007]=a"}, `{"x":{"007":"a"}}`},
		{"tuple", "", []string{"tuple[]=1", "tuple[]=1", "tuple[]=true"}, `{"tuple":["1",1,true]}`},
		{"old tuple", "", []string{"oldtuple[]=1", "oldtuple[]=1", "oldtuple[]=true"}, `{"oldtuple":["1",1,true]}`},
		{"into JSON given before", "", []string{`obj:={"k":1,"x":[1.0]}`, "obj[x][]=2", "obj[k]=3"}, `{"obj":{"k":3,"x":[1.0,"2"]}}`},
		{"into null", "", []string{`obj:=null`, "obj[k]=3"}, `{"obj":{"k":3}}`},
		{"whole after part", "", []string{"filter[lang]=en", "filter:={}"}, `{"filter":{}}`},
		// Names.
		{"unicode names", "", []string{"naïve=1", "ключ[имя]=да"}, `{"naïve":1,"ключ":{"имя":"да"}}`},
		{"colon in a name", "", []string{"a:b=1", `a\:=5`, "ns:k:=1"}, `{"a:b":"1","a:":5,"ns:k":1}`},
		{"escaped =", "", []string{`x\=y=5`}, `{"x=y":5}`},
		{"escaped brackets", "", []string{`a\[b]=1`, `a\[b\]=2`, `a]=3`, `obj[\[x\]]=true`}, `{"a[b]":"2","a]":"3","obj":{"[x]":true}}`},
		{"backslashes", "", []string{`C:\dir=1`, `a\\=2`, `b\\[k]=3`}, `{"C:\\dir":"1","a\\":"2","b\\":{"k":"3"}}`},
		{"name with spaces", "", []string{"a b=1", "--x=2", "@k=3"}, `{"a b":"1","--x":"2","@k":"3"}`},
		// Files and standard input.
		{"file is text", "", []string{"s=@notes.txt"}, `{"s":"one\ntwo \"2\"\n"}`},
		{"file is coerced", "", []string{"i=@five.txt", "arr=@list.json"}, `{"i":5,"arr":[1]}`},
		{"empty file", "", []string{"s=@empty"}, `{"s":""}`},
		{"JSON file", "", []string{"data:=@payload.json"}, `{"data":{"n":1e400,"s":"\u00e9"}}`},
		{"standard input", "", []string{"s=@-"}, `{"s":"{\"in\": 1.0}"}`},
		{"standard input as JSON", "", []string{"s:=@-"}, `{"s":{"in":1.0}}`},
		{"literal @", "", []string{`s=\@home`, `zip=\\@x`, `zip2=a@b`, `mixed=\x`}, `{"s":"@home","zip":"\\@x","zip2":"a@b","mixed":"\\x"}`},
		// The whole object.
		{"base", `{ "z": 1e400, "a": [ 1.0 ] }`, nil, `{"z":1e400,"a":[1.0]}`},
		{"base keeps its order", `{"z":1,"i":2,"a":3}`, []string{"i=5", "new=1"}, `{"z":1,"i":5,"a":3,"new":"1"}`},
		{"base is not coerced", `{"i":"5"}`, nil, `{"i":"5"}`},
		{"base from a file", "@payload.json", []string{"n=2"}, `{"n":2,"s":"\u00e9"}`},
		{"base from standard input", "-", []string{"in=2"}, `{"in":"2"}`},
		{"base from @-", "@-", nil, `{"in":1.0}`},
		{"into the base", `{"tags":["a"],"filter":{"lang":"de","x":1}}`, []string{"tags[]=b", "filter[lang]=en"}, `{"tags":["a","b"],"filter":{"lang":"en","x":1}}`},
		{"escaped key in the base", `{"\u0069":1,"\ud800":2}`, []string{"i=5"}, `{"\u0069":5,"\ud800":2}`},
		{"the last one wins", `{"i":1}`, []string{"i=2", "i=3"}, `{"i":3}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Build(t.Context(), tt.base, tt.tokens, json.RawMessage(kitchen), source(`{"in": 1.0}`))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	const forms = "expected KEY=VALUE, KEY:=JSON, KEY=@FILE or KEY:=@FILE, got a word without ="
	tests := []struct {
		base   string
		tokens []string
		want   string
	}{
		{"", []string{"i=two"}, `argument i: expected an integer, got "two"`},
		{"", []string{"i=1.5"}, `argument i: expected an integer, got "1.5"`},
		{"", []string{"i=1e-400"}, `argument i: expected an integer, got "1e-400"`},
		{"", []string{"i=05"}, `argument i: expected an integer, got "05"`},
		{"", []string{"i=+5"}, `argument i: expected an integer, got "+5"`},
		{"", []string{"i=0x10"}, `argument i: expected an integer, got "0x10"`},
		{"", []string{`i="5"`}, `argument i: expected an integer, got "\"5\""`},
		{"", []string{"i="}, `argument i: expected an integer, got an empty value`},
		{"", []string{"n=NaN"}, `argument n: expected a number, got "NaN"`},
		{"", []string{"b=True"}, `argument b: expected a boolean (true or false), got "True"`},
		{"", []string{"b=1"}, `argument b: expected a boolean (true or false), got "1"`},
		{"", []string{"z="}, `argument z: expected null, got an empty value`},
		{"", []string{"arr=go"}, `argument arr: expected an array as JSON (or arr[]=ITEM), got "go"`},
		{"", []string{"obj=[1]"}, `argument obj: expected an object as JSON, got "[1]"`},
		{"", []string{"optint=x"}, `argument optint: expected an integer or null, got "x"`},
		{"", []string{"boolint=x"}, `argument boolint: expected a boolean (true or false) or an integer, got "x"`},
		{"", []string{"shade=<x>"}, `argument shade: expected one of null, false, 1.50, an array, an object, got "<x>"`},
		{"", []string{"month=x"}, `argument month: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 … (13 in all), got "x"`},
		{"", []string{"one=8x"}, `argument one: expected 7, got "8x"`},
		{"", []string{"arr[]=x"}, `argument arr[]: expected an integer, got "x"`},
		{"", []string{"tree[kids][][v]=x"}, `argument tree[kids][][v]: expected an integer, got "x"`},
		{"", []string{"i=" + strings.Repeat("é", 50)}, `argument i: expected an integer, got "` + strings.Repeat("é", 30) + `"…`},
		{"", []string{"i=a\n\x1b[2J"}, `argument i: expected an integer, got "a\n\x1b[2J"`},
		{"", []string{"i=@notes.txt"}, `argument i: expected an integer, got the text of "notes.txt"`},
		{"", []string{"foo"}, "argument foo: " + forms},
		{"", []string{""}, strings.Replace(forms, "a word without =", "an empty word", 1)},
		{"", []string{`foo\=bar`}, `argument foo\=bar: ` + forms},
		{"", []string{"=5"}, "argument =5: expected a name before the ="},
		{"", []string{":=5"}, "argument :=5: expected a name before the ="},
		{"", []string{"[0]=5"}, `argument [0]: expected a name before the [ (write \[ for a bracket in a name)`},
		{"", []string{"a[b=5"}, `argument a[b: expected a ] for every [ (write \[ for a bracket in a name)`},
		{"", []string{"a[b]c=5"}, `argument a[b]c: expected [ or the end of the name after ], got "c"`},
		{"", []string{"a\xff=5"}, `argument "a\xff=5": not valid UTF-8`},
		{"", []string{"a" + strings.Repeat("[]", 100) + "=5"}, `argument "a[][][][][][][][][][][][][][][][][][][][][][][][][][][][][]["…: expected at most 100 levels of brackets; give deeper data as JSON with :=`},
		{"", []string{"a[1]=5"}, "argument a[1]: expected an index up to 0 (the array has 0 items), got 1"},
		{"", []string{"a[]=5", "a[999999999]=1"}, "argument a[999999999]: expected an index up to 1 (the array has 1 items), got 999999999"},
		{"", []string{"a[]=5", "a[b]=1"}, "argument a[b]: expected an index, got [b]: an array was set before"},
		{"", []string{"a[b]=5", "a[]=1"}, "argument a[]: expected a name in [], got none: an object was set before"},
		{"", []string{"a=5", "a[b]=1"}, "argument a[b]: expected an array or object to put [b] in, got a string set before"},
		{"", []string{`b:={"x":}`}, `argument b: expected JSON, got "{\"x\":}": invalid character '}' looking for beginning of value`},
		{"", []string{"b:=1 2"}, `argument b: expected JSON, got "1 2": invalid character '2' after top-level value`},
		{"", []string{"b:=two"}, `argument b: expected JSON, got "two": invalid character 'w' in literal true (expecting 'r')`},
		{"", []string{"b:="}, `argument b: expected JSON, got nothing`},
		{"", []string{"b:=@bad.json"}, `argument b: expected JSON, got "{\n": unexpected end of JSON input`},
		{"", []string{"b:=@latin1"}, `argument b: expected JSON, got bytes that are not UTF-8`},
		{"", []string{"s=@latin1"}, `argument s: expected UTF-8 text, got other bytes in "latin1"`},
		{"", []string{"s=@none.txt"}, `argument s: cannot read the file: open none.txt: file does not exist`},
		{"", []string{"s:=@none.json"}, `argument s: cannot read the file: open none.json: file does not exist`},
		{"", []string{"s=@"}, `argument s: expected a file name after @ (write \@ for a text that begins with @)`},
		{"", []string{"s=@-", "zip=@-"}, `argument zip: standard input was already read for s`},
		{"-", []string{"s:=@-"}, `argument s: standard input was already read for --args`},
		{"{", nil, `--args: expected JSON, got "{": unexpected end of JSON input`},
		{"[1]", nil, `--args: expected a JSON object, got an array`},
		{"null", nil, `--args: expected a JSON object, got null`},
		{"@empty", nil, `--args: expected JSON, got nothing`},
		{"@none.json", nil, `--args: cannot read the file: open none.json: file does not exist`},
		{" ", nil, `--args: expected JSON, got nothing`},
		{"payload.json", nil, `--args: expected a JSON object, @FILE or -, got "payload.json"`},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.base, tt.tokens), func(t *testing.T) {
			got, err := Build(t.Context(), tt.base, tt.tokens, json.RawMessage(kitchen), source("{}"))
			var e *Error
			if !errors.As(err, &e) || got != nil {
				t.Fatalf("got %s, %v", got, err)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestErrorKeepsItsCause(t *testing.T) {
	_, err := Build(t.Context(), "", []string{"s=@none"}, nil, source(""))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not say that the file does not exist", err)
	}
}

func TestBuildWithoutSchema(t *testing.T) {
	for _, schema := range []string{"", "null", "true", "{", "[]", "5", `{"properties":5}`, `{"properties":{"a":5}}`, `{"properties":{"a":{"type":7,"enum":5,"anyOf":{},"$ref":3}}}`} {
		got, err := Build(t.Context(), "", []string{"a=5", "b[]=true"}, json.RawMessage(schema), Source{})
		if err != nil || string(got) != `{"a":"5","b":["true"]}` {
			t.Errorf("schema %s: got %s, %v", schema, got, err)
		}
	}
}

// References go by the identifiers of schemas too, as long as these are in the
// document.
func TestBuildWithIdentifiers(t *testing.T) {
	for _, schema := range []string{
		`{"properties":{"a":{"$ref":"n.json"}},"$defs":{"n":{"$id":"n.json","type":"integer"}}}`,
		`{"$id":"https://example.com/s/tool","properties":{"a":{"$ref":"n#/properties/x"}},"$defs":{"n":{"$id":"/s/n","properties":{"x":{"type":"integer"}}}}}`,
		`{"$id":"https://example.com/t","properties":{"a":{"$ref":"https://example.com/t#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`,
		`{"$id":"https://example.com/t","properties":{"a":{"$ref":"t#n"}},"$defs":{"n":{"$anchor":"n","type":"integer"}}}`,
	} {
		got, err := Build(t.Context(), "", []string{"a=5"}, json.RawMessage(schema), Source{})
		if err != nil || string(got) != `{"a":5}` {
			t.Errorf("schema %s: got %s, %v", schema, got, err)
		}
	}
}

func TestNoSource(t *testing.T) {
	for _, tokens := range [][]string{{"a=@-"}, {"a=@x"}} {
		var e *Error
		if _, err := Build(t.Context(), "", tokens, nil, Source{}); !errors.As(err, &e) {
			t.Errorf("%v: got %v", tokens, err)
		}
	}
}

func TestStdinEndsWithContext(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	cancel(cause)
	_, err := Build(ctx, "-", nil, nil, Source{Stdin: r})
	var e *Error
	if !errors.Is(err, cause) || errors.As(err, &e) {
		t.Errorf("got %v, want the cause and no usage error", err)
	}
}

func TestBuildStrings(t *testing.T) {
	tests := []struct {
		tokens []string
		want   string
	}{
		{nil, `{}`},
		{[]string{"n=5", "b=true", "e="}, `{"n":"5","b":"true","e":""}`},
		{[]string{"b=1", "a=2", "b=3"}, `{"b":"3","a":"2"}`},
		{[]string{"a[b]=1", `c\=d=2`, `e\:=3`}, `{"a[b]":"1","c=d":"2","e:":"3"}`},
		{[]string{"t=@notes.txt", "i=@-", `l=\@x`}, `{"t":"one\ntwo \"2\"\n","i":"in","l":"@x"}`},
		{[]string{"n:=5"}, "argument n: expected a string, got JSON (:=); write n=VALUE"},
		{[]string{"n"}, "argument n: expected KEY=VALUE, KEY:=JSON, KEY=@FILE or KEY:=@FILE, got a word without ="},
		{[]string{"n=@none"}, "argument n: cannot read the file: open none: file does not exist"},
		{[]string{"n=@-", "m=@-"}, "argument m: standard input was already read for n"},
	}
	for _, tt := range tests {
		raw, err := BuildStrings(t.Context(), tt.tokens, source("in"))
		got := string(raw)
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", tt.tokens, diff)
		}
	}
}
