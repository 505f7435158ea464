package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFilter(t *testing.T) {
	const doc = `{"tools":[{"name":"add","z":1,"a":{"y":1.50,"b":"\/"}},{"name":"echo","z":2,"a":null}],` +
		`"big":12345678901234567890,"huge":1e400,"dec":0.10,"text":"a\tb\nc","esc":"\u001b[31m","no":false,"nil":null,"uni":"\u00e9"}`
	tests := []struct {
		name   string
		expr   string
		opts   Options
		tty    bool
		vars   []Var
		want   string
		err    string // of the filter
		status string // of Status, under ExitStatus
	}{
		{name: "identity keeps the bytes", expr: `.`, want: doc + "\n"},
		{name: "untouched object keeps its order and spelling", expr: `.tools[0]`, want: `{"name":"add","z":1,"a":{"y":1.50,"b":"\/"}}` + "\n"},
		{name: "untouched objects in a new array", expr: `[.tools[]|.a]`, want: `[{"y":1.50,"b":"\/"},null]` + "\n"},
		{name: "untouched object in a new object", expr: `{v:.tools[0].a,k:1}`, want: `{"k":1,"v":{"y":1.50,"b":"\/"}}` + "\n"},
		{name: "changed object is sorted", expr: `.tools[1]|.z=3`, want: `{"a":null,"name":"echo","z":3}` + "\n"},
		{name: "changed object leaves the old one alone", expr: `.tools[1]|(.z=3),.`, want: `{"a":null,"name":"echo","z":3}` + "\n" + `{"name":"echo","z":2,"a":null}` + "\n"},
		{name: "deleted key", expr: `.tools[0]|del(.a.y)`, want: `{"a":{"b":"/"},"name":"add","z":1}` + "\n"},
		{name: "update in place", expr: `reduce (1,2) as $i (.tools[1]; .z+=$i)`, want: `{"a":null,"name":"echo","z":5}` + "\n"},
		{name: "sort does not mix objects up", expr: `[.tools|sort_by(-.z)[]|.name]`, want: `["echo","add"]` + "\n"},
		{name: "big integer", expr: `.big`, want: "12345678901234567890\n"},
		{name: "big integer plus one", expr: `.big+1`, want: "12345678901234567891\n"},
		{name: "number out of range", expr: `.huge`, want: "1e400\n"},
		{name: "decimal as spelled", expr: `.dec`, want: "0.10\n"},
		{name: "decimal computed", expr: `.dec*2`, want: "0.2\n"},
		{name: "several values", expr: `.tools[].name`, want: "\"add\"\n\"echo\"\n"},
		{name: "no value", expr: `empty`, want: ""},
		{name: "missing member", expr: `.nothing`, want: "null\n"},
		{name: "optional", expr: `.big.x?`, want: ""},
		{name: "alternative", expr: `.nothing // "d"`, want: "\"d\"\n"},
		{name: "raw", expr: `.tools[].name`, opts: Options{Raw: true}, want: "add\necho\n"},
		{name: "raw keeps control characters in a pipe", expr: `.text,.esc`, opts: Options{Raw: true}, want: "a\tb\nc\n\x1b[31m\n"},
		{name: "raw escapes them on a terminal", expr: `.text,.esc`, opts: Options{Raw: true}, tty: true, want: "a\tb\nc\n\\x1b[31m\n"},
		{name: "raw prints others as JSON", expr: `.no,.nil,[.uni]`, opts: Options{Raw: true}, want: "false\nnull\n[\"é\"]\n"},
		{name: "quoted strings keep their escapes", expr: `.text`, want: `"a\tb\nc"` + "\n"},
		{name: "terminal indents", expr: `.tools[0].a`, opts: Options{NoColorEnv: true}, tty: true, want: "{\n  \"y\": 1.50,\n  \"b\": \"\\/\"\n}\n"},
		{name: "terminal escapes C1", expr: `"\u009b\u202e"`, opts: Options{NoColorEnv: true}, tty: true, want: `"\u009b\u202e"` + "\n"},
		{name: "colour", expr: `.no`, tty: true, want: "\x1b[33mfalse\x1b[0m\n"},
		{name: "variable", expr: `.tools[]|select(.name==$n).z`, vars: []Var{{"n", json.RawMessage(`"echo"`)}}, want: "2\n"},
		{name: "variable keeps its order", expr: `$v`, vars: []Var{{"v", json.RawMessage(`{"z":1.0, "a":2}`)}}, want: `{"z":1.0,"a":2}` + "\n"},
		{name: "two variables", expr: `[$a,$b]`, vars: []Var{{"a", json.RawMessage(`1`)}, {"b", json.RawMessage(`[2]`)}}, want: "[1,[2]]\n"},
		{name: "environment is empty", expr: `env,$ENV`, want: "{}\n{}\n"},
		{name: "halt stops quietly", expr: `1,halt,2`, want: "1\n"},
		{name: "caught error", expr: `try error("x") catch .`, want: "\"x\"\n"},

		{name: "error after a value", expr: `1,error("boom")`, want: "1\n", err: `jq: error: boom, in '1,error("boom")'`},
		{name: "error with an object", expr: `error({a:1})`, err: `jq: error: {"a":1}, in 'error({a:1})'`},
		{name: "wrong type", expr: `.big.x`, err: `jq: expected an object but got: number (12345678901234567890), in '.big.x'`},
		{name: "iterate over a number", expr: `.big[]`, err: `jq: cannot iterate over: number (12345678901234567890), in '.big[]'`},
		{name: "halt_error", expr: `"bye\n"|halt_error`, err: `jq: bye, in '"bye\n"|halt_error'`},
		{name: "halt_error with an object", expr: `{b:1}|halt_error`, err: `jq: {"b":1}, in '{b:1}|halt_error'`},

		{name: "status true", expr: `true`, opts: Options{ExitStatus: true}, want: "true\n"},
		{name: "status zero is a value", expr: `0`, opts: Options{ExitStatus: true}, want: "0\n"},
		{name: "status of a string that says null", expr: `"null"`, opts: Options{ExitStatus: true, Raw: true}, want: "null\n"},
		{name: "status false", expr: `.no`, opts: Options{ExitStatus: true}, want: "false\n", status: "the last value is false"},
		{name: "status null", expr: `1,null`, opts: Options{ExitStatus: true}, want: "1\nnull\n", status: "the last value is null"},
		{name: "status counts the last only", expr: `null,1`, opts: Options{ExitStatus: true}, want: "null\n1\n"},
		{name: "status without a value", expr: `empty`, opts: Options{ExitStatus: true}, status: "no value at all"},
		{name: "status not asked for", expr: `null`, want: "null\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			filter, err := CompileFilter(tt.expr, tt.vars...)
			if err != nil {
				t.Fatal(err)
			}
			tt.opts.Filter = filter
			var out bytes.Buffer
			p := NewPrinter(&out, tt.tty, tt.opts)
			err = p.Stream(context.Background(), strings.NewReader(doc))
			var ferr *FilterError
			if err != nil && !errors.As(err, &ferr) {
				t.Errorf("error has type %T", err)
			}
			if diff := cmp.Diff(tt.err, text(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.status, text(p.Status())); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCompileFilterErrors(t *testing.T) {
	tests := []struct {
		expr      string
		vars      []Var
		line, col int
		want      string
	}{
		{`.foo | )`, nil, 1, 8, `jq: unexpected token ")" at column 8, in '.foo | )'`},
		{`.foo |`, nil, 1, 7, `jq: unexpected EOF at column 7, the end of '.foo |'`},
		{``, nil, 0, 0, `jq: missing query (try "."), in ''`},
		{`.é | ]`, nil, 1, 2, `jq: unexpected token "é" at column 2, in '.é | ]'`},
		{"\"é\" | ]", nil, 1, 7, `jq: unexpected token "]" at column 7, in '"é" | ]'`},
		{".a |\n  | .b", nil, 2, 3, `jq: unexpected token "|" at line 2, column 3, in '.a | | .b'`},
		{`"abc`, nil, 1, 5, `jq: unterminated string literal at column 5, the end of '"abc'`},
		{`.a[`, nil, 1, 4, `jq: unexpected EOF at column 4, the end of '.a['`},
		{`if . then 1`, nil, 1, 12, `jq: unexpected EOF at column 12, the end of 'if . then 1'`},
		{`.a == == 1`, nil, 1, 7, `jq: unexpected token "==" at column 7, in '.a == == 1'`},
		{`nope(1)`, nil, 1, 1, `jq: function not defined: nope/1 at column 1, in 'nope(1)'`},
		{`$x`, nil, 1, 1, `jq: variable not defined: $x at column 1, in '$x'`},
		{`import "m" as m; 1`, nil, 0, 0, `jq: cannot load module: "m", in 'import "m" as m; 1'`},
		{`include "m"; 1`, nil, 0, 0, `jq: cannot load module: "m", in 'include "m"; 1'`},
		{`$__loc__`, nil, 1, 1, `jq: variable not defined: $__loc__ at column 1, in '$__loc__'`},
		{`debug`, nil, 1, 1, `jq: function not defined: debug/0 at column 1, in 'debug'`},
		{`input_filename`, nil, 1, 1, `jq: function not defined: input_filename/0 at column 1, in 'input_filename'`},
		{`input`, nil, 0, 0, `jq: input(s)/0 is not allowed, in 'input'`},
		{`.`, []Var{{"a", json.RawMessage(`{"x":`)}}, 0, 0, `jq: variable $a: not JSON: unexpected end of JSON input, in '.'`},
		{`.`, []Var{{"a", json.RawMessage(`1 2`)}}, 0, 0, `jq: variable $a: not JSON: invalid character '2' after top-level value, in '.'`},
		{`.`, []Var{{"a b", json.RawMessage(`1`)}}, 0, 0, `jq: invalid variable name: $a b, in '.'`},
		{strings.Repeat("é", 100), nil, 1, 1, `jq: unexpected token "é" at column 1, in '` + strings.Repeat("é", 60) + `...'`},
	}
	for _, tt := range tests {
		t.Run(tt.expr, func(t *testing.T) {
			_, err := CompileFilter(tt.expr, tt.vars...)
			if diff := cmp.Diff(tt.want, text(err)); diff != "" {
				t.Fatalf("error (-want +got):\n%s", diff)
			}
			if err == nil {
				return
			}
			var ferr *FilterError
			if !errors.As(err, &ferr) {
				t.Fatalf("error has type %T", err)
			}
			if ferr.Line != tt.line || ferr.Column != tt.col {
				t.Errorf("at %d:%d, want %d:%d", ferr.Line, ferr.Column, tt.line, tt.col)
			}
		})
	}
}

func TestFilterInput(t *testing.T) {
	tests := []struct{ name, doc, want string }{
		{"too deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "jq: not JSON: invalid character '[' exceeded max depth, in '.'"},
		{"cut off", `{"a":[1`, "jq: not JSON: unexpected end of JSON input, in '.'"},
		{"two documents", `{} {}`, "jq: not JSON: invalid character '{' after top-level value, in '.'"},
		{"duplicate keys", `{"a":{"x":1},"a":{"y":2}}`, ""},
	}
	filter, err := CompileFilter(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			err := NewPrinter(&out, false, Options{Filter: filter}).JSON(context.Background(), []byte(tt.doc))
			if diff := cmp.Diff(tt.want, text(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// A filter may be used for many documents, and remembers nothing of them.
func TestFilterIsReusable(t *testing.T) {
	filter, err := CompileFilter(`{d:.,v:$v}`, Var{"v", json.RawMessage(`{"b":1,"a":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := NewPrinter(&out, false, Options{Filter: filter})
	for _, doc := range []string{`{"y":1,"x":2}`, `[]`} {
		if err := p.JSON(context.Background(), []byte(doc)); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"d":{"y":1,"x":2},"v":{"b":1,"a":2}}` + "\n" + `{"d":[],"v":{"b":1,"a":2}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if len(filter.from) != 1 {
		t.Errorf("the filter holds %d objects, want the one in its variable", len(filter.from))
	}
}

func TestEndlessFilterIsCancelled(t *testing.T) {
	cause := errors.New("interrupted")
	for _, expr := range []string{`range(infinite)`, `last(range(infinite))`, `def f: f; f`} {
		t.Run(expr, func(t *testing.T) {
			filter, err := CompileFilter(expr)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			stop := time.AfterFunc(10*time.Millisecond, func() { cancel(cause) })
			defer stop.Stop()
			err = NewPrinter(discard{}, false, Options{Filter: filter}).JSON(ctx, []byte(`null`))
			if !errors.Is(err, cause) {
				t.Errorf("got %v, want the cause", err)
			}
		})
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func BenchmarkFilter10MB(b *testing.B) {
	doc := []byte(`{"items":[` + strings.Repeat(`{"name":"some name","n":12345.678,"tags":["a","b"]},`, 200_000) + `{}]}`)
	filter, err := CompileFilter(`.items|length`)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if err := NewPrinter(discard{}, false, Options{Filter: filter}).JSON(context.Background(), doc); err != nil {
			b.Fatal(err)
		}
	}
}
