package commands_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// document is a JSON document as its tokens: without white space they are what
// has to come out.
type document []string

func (d document) compact() string { return strings.Join(d, "") }

// spaced is the document with white space of every kind, or none, between its
// tokens. lines allows those that are ends of lines.
func (d document) spaced(r *rand.Rand, lines bool) string {
	spaces := []string{"", " ", "\t", "  \t "}
	if lines {
		spaces = append(spaces, "\n", "\r\n", "\n\n\t")
	}
	var b strings.Builder
	for i, token := range d {
		if i > 0 {
			b.WriteString(spaces[r.IntN(len(spaces))])
		}
		b.WriteString(token)
	}
	return b.String()
}

// scalars are values that a decoder and encoder would spell in another way, or
// not be able to hold.
func scalars() []string {
	return []string{
		`1e400`, `-1e400`, `1E400`, `1e-400`, `1E+2`, `0.10`, `1.0`, `1.00e+02`, `100E-2`, `-0`, `-0.0`, `0`, `0e0`,
		`12345678901234567890123`, `-12345678901234567890`, `9007199254740993`, `18446744073709551616`,
		`3.141592653589793238462643383279`, `0.1e1`, `123456789.123456789e-7`, `true`, `false`, `null`, `""`, `{}`, `[]`,
		`"\u0000"`, `"\u001b[31m"`, `"\u001B"`, `"\/"`, `"/"`, `"\"\\\/\b\f\n\r\t"`, `"\\"`, `"\\\\\""`, `"\\n"`, `"\\u0041"`,
		`"\u0041"`, `"\u00e9"`, `"\u00E9"`, `"é"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`, `"😀"`, `"\ud800"`, `"\udc00\ud800"`, `"x\ud800y"`, `"\uFFFF"`,
		`"<script>&amp;\u003c"`, "\"\u2028\u2029\"", "\"\u202eabc\u202c\"", "\"\x7f\u0080\u009f\"", "\"\ufeff\"", "\"\u200b\"", "\"e\u0301\"",
		`"日本語のテキスト"`, `"Привет"`, `"👩‍👧"`, `"  spaces  , : ] } "`, `"{\"inner\":[1, 2]}"`, `"$ID and $$"`, `"%s%n"`,
	}
}

// whole are documents that are about how values stand together.
func whole() []document {
	docs := []document{
		split(`{ | "a" | : | 1 | , | "a" | : | 2 | , | "b" | : | 3 | , | "a" | : | {} | }`),
		split(`{ | "z" | : | 1 | , | "a" | : | 2 | , | "m" | : | 3 | , | "10" | : | 4 | , | "9" | : | 5 | }`),
		split(`{ | "" | : | "" | , | " " | : | 0 | , | "\u0061" | : | 1 | , | "a" | : | 2 | , | "a\"b" | : | 3 | }`),
		split(`{ | "__proto__" | : | {} | , | "true" | : | true | , | "null" | : | null | , | "constructor" | : | [ | ] | }`),
		split(`[ | [ | ] | , | [ | [ | ] | ] | , | {} | , | [ | {} | ] | , | { | "a" | : | [ | ] | } | ]`),
		split(`{ | "ключ" | : | "значение" | , | "鍵" | : | "値" | , | "🔑" | : | "🚪" | , | "é" | : | 1 | , | "é" | : | 2 | }`),
		split(`{ | "jsonrpc" | : | "1.0" | , | "id" | : | 999 | , | "result" | : | null | , | "error" | : | {} | , | "method" | : | "x" | }`),
		split(`{ | "isError" | : | false | , | "resultType" | : | "complete" | , | "nextCursor" | : | null | , | "_meta" | : | {} | }`),
	}
	const depth = 1500
	docs = append(docs,
		append(repeat(depth, "["), repeat(depth, "]")...),
		append(append(repeat(depth, "{", `"a"`, ":"), "0"), repeat(depth, "}")...),
		append(append(repeat(depth/2, "[", "{", `"k"`, ":"), "null"), repeat(depth/2, "}", "]")...),
		// More than is held before it is printed.
		document{`"` + strings.Repeat("é\u009b", 300_000) + `"`},
		document{`"` + strings.Repeat(`\\\"\ud83d\ude00`, 10_000) + `"`},
		document{strings.Repeat("9", 20_000)},
		append(append(document{"["}, repeat(5000, "1.0", ",")...), "1e0", "]"),
	)
	return docs
}

func split(tokens string) document { return strings.Split(tokens, " | ") }

func repeat(n int, tokens ...string) document {
	var d document
	for range n {
		d = append(d, tokens...)
	}
	return d
}

// generated makes a document of scalars, nested at random.
func generated(r *rand.Rand, depth int) document {
	some := scalars()
	scalar := some[r.IntN(len(some))]
	if depth == 0 || r.IntN(4) == 0 {
		return document{scalar}
	}
	open, end, keys := "[", "]", []string{`"a"`, `"b"`, `""`, `"\u0061"`, `"é"`, `"1"`, `"a.b[0]"`, `"$x"`}
	object := r.IntN(2) == 0
	if object {
		open, end = "{", "}"
	}
	d := document{open}
	for i := range r.IntN(5) {
		if i > 0 {
			d = append(d, ",")
		}
		if object { // keys come twice now and then
			d = append(d, keys[r.IntN(len(keys))], ":")
		}
		d = append(d, generated(r, depth-1)...)
	}
	return append(d, end)
}

// documents are all of them, each once, and the same ones every time.
func documents() []document {
	var docs []document
	seen := make(map[string]bool)
	add := func(d document) {
		if text := d.compact(); !seen[text] {
			seen[text] = true
			docs = append(docs, d)
		}
	}
	for _, s := range scalars() {
		add(document{s})
	}
	for _, d := range whole() {
		add(d)
	}
	const enough = 220
	for r := rand.New(rand.NewPCG(1, 2)); len(docs) < enough; {
		add(generated(r, 5))
	}
	return docs
}

// holding is an object that has the document as a member.
func holding(d document, more string) document {
	return append(append(split(fmt.Sprintf(`{ | %s"doc" | :`, more)), d...), "}")
}
